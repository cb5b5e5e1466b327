"""What was stopped lately, numbered, so that a person need not type it again.

Stop  ->  a number        number, or the command itself  ->  Stop
"""

from collections import OrderedDict

from msgspec import Struct

from snaphook.providers.guard.way_out import Stop

from .permits import normal

KEPT = 100


class Kept(Struct, frozen=True, kw_only=True):
    """A stop, with its number and the time of day when it last happened."""

    number: int
    time: float
    stop: Stop


class Stops:
    """The latest stops of every project; the same one again keeps its number."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], Kept] = OrderedDict()
        self._count = 0

    def note(self, stop: Stop, time: float) -> tuple[Kept, bool]:
        """Keep *stop*; return it with its number, and whether it is new."""
        key = (stop.project, stop.session, stop.tool, stop.command, *sorted(stop.rules))
        known = self._kept.pop(key, None)
        if known is None:
            self._count += 1
        number = known.number if known else self._count
        kept = self._kept[key] = Kept(number=number, time=time, stop=stop)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept, known is None

    def latest(self, project: str = "") -> list[Kept]:
        """Return the stops of *project*, or all, the newest first."""
        return [
            one
            for one in reversed(self._kept.values())
            if not project or one.stop.project == project
        ]

    def find(self, word: str, project: str) -> Kept | None:
        """Return the stop that *word* means: its number, or its command here."""
        if word.isdecimal():
            return next((one for one in self.latest() if one.number == int(word)), None)
        told = normal(word)
        return next((one for one in self.latest(project) if normal(one.stop.command) == told), None)
