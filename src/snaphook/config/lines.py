"""The line an origin stands on, for what people read.

Origin  ->  Origin with its line
"""

from pathlib import Path

from msgspec import structs

from snaphook.errors import ConfigError

from .documents import read_bytes
from .positions import Positions, positions
from .settings import Origin


class LineLookup:
    """Looks up lines, reading each file once."""

    def __init__(self) -> None:
        self._files: dict[str, Positions | None] = {}

    def of(self, origin: Origin) -> Origin:
        """Return *origin* with its line; as it is where the file has gone meanwhile."""
        if not origin.file:
            return origin
        if origin.file not in self._files:
            self._files[origin.file] = _positions(Path(origin.file))
        known = self._files[origin.file]
        return structs.replace(origin, line=known.at(origin.pointer)[0]) if known else origin


def _positions(path: Path) -> Positions | None:
    try:
        return positions(read_bytes(path), path)
    except ConfigError:
        return None
