"""What a file was found to hold, kept beside it, so that it need not be parsed again.

path + Stamp  ->  value, if nobody has touched the file since

An index is never the truth: it is believed only for the exact version it was made from, and where it is
missing, unreadable or stale, the file is read again.
"""

import contextlib
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from snaphook.storage.files import replace

from .disk import Stamp

Value = TypeVar("Value")
VERSION = 1


class Indexed(Struct, Generic[Value], frozen=True, kw_only=True):
    """A value, and the version of the file it was made from."""

    version: int
    stamp: Stamp
    value: Value


class FileIndex(Generic[Value]):
    """The index kept in *path*, of values of *kind*."""

    def __init__(self, path: Path, kind: type[Value]) -> None:
        self._path = path
        self._decoder = msgspec.msgpack.Decoder(Indexed[kind])  # type: ignore[valid-type]

    def read(self) -> Indexed[Value] | None:
        """Return what was kept, whichever version it was made from."""
        try:
            found: Indexed[Value] = self._decoder.decode(self._path.read_bytes())
        except (OSError, msgspec.MsgspecError):
            return None
        return found if found.version == VERSION else None

    def fresh(self, stamp: Stamp) -> Value | None:
        """Return what was kept, if it was made from the version with *stamp*."""
        found = self.read()
        return found.value if found is not None and found.stamp == stamp else None

    def keep(self, stamp: Stamp, value: Value) -> None:
        """Keep *value*; where that fails, the next reader reads the file."""
        data = msgspec.msgpack.encode(Indexed(version=VERSION, stamp=stamp, value=value))
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace(self._path, data, durable=False)  # what a power cut takes is read off the file
