"""The stretch of time a page is about.

"24h"  ->  Period  ->  the moments between its bars
"""

from collections.abc import Mapping

from msgspec import Struct

from snaphook.stores.eventlog.tally import SLOT


class Period(Struct, frozen=True, kw_only=True):
    """So many bars, so many seconds each."""

    name: str
    words: str
    step: int
    """Seconds; a multiple of what is counted together."""
    bars: int

    def since(self, now: float) -> int:
        """Return the beginning of the first bar, the last one being under way at *now*."""
        return int(now // self.step) * self.step - (self.bars - 1) * self.step

    def starts(self, now: float) -> list[int]:
        """Return where each bar begins."""
        first = self.since(now)
        return [first + number * self.step for number in range(self.bars)]


PERIODS: Mapping[str, Period] = {
    period.name: period
    for period in (
        Period(name="1h", words="last hour", step=SLOT, bars=12),
        Period(name="24h", words="last 24 hours", step=6 * SLOT, bars=48),
        Period(name="7d", words="last 7 days", step=36 * SLOT, bars=56),
        Period(name="30d", words="last 30 days", step=144 * SLOT, bars=60),
    )
}
DEFAULT = "24h"
