"""The calls that were blocked lately, numbered, so that a person need not type them again.

BlockedCall  ->  a number        number, or the command itself  ->  BlockedCall
"""

from collections import OrderedDict

from msgspec import Struct

from .override import BlockedCall, normal

KEPT = 100


class RecentCall(Struct, frozen=True, kw_only=True):
    """A blocked call, with its number and the time of day when it last happened."""

    number: int
    time: float
    call: BlockedCall


def _key(call: BlockedCall) -> tuple[str, ...]:
    return (call.project, call.session, call.tool, call.command, *sorted(call.rules))


class RecentCalls:
    """The latest blocked calls of every project; the same one again keeps its number."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], RecentCall] = OrderedDict()
        self._count = 0

    def add(self, call: BlockedCall, time: float) -> tuple[RecentCall, bool]:
        """Keep *call*; return it with its number, and whether it is new."""
        known = self._kept.get(_key(call))
        return self.put(call, time, known.number if known else self._count + 1), known is None

    def put(self, call: BlockedCall, time: float, number: int) -> RecentCall:
        """Keep *call* under the *number* that a person was told; later ones are counted from there."""
        self._kept.pop(_key(call), None)
        kept = self._kept[_key(call)] = RecentCall(number=number, time=time, call=call)
        self._count = max(self._count, number)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept

    def latest(self, project: str = "") -> list[RecentCall]:
        """Return the blocked calls of *project*, or all, the newest first."""
        return [
            one
            for one in reversed(self._kept.values())
            if not project or one.call.project == project
        ]

    def find(self, text: str, project: str) -> RecentCall | None:
        """Return the call that *text* names: by its number, or by its command in *project*."""
        if text.isdecimal():
            return next((one for one in self.latest() if one.number == int(text)), None)
        return next(
            (one for one in self.latest(project) if normal(one.call.command) == normal(text)), None
        )
