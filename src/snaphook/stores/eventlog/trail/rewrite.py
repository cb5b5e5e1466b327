"""Bytes in segments, written over for good.

path + changes  ->  the same file, of the same length, with other bytes in their place
"""

import gzip
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from snaphook.storage.files import move, write_new
from snaphook.storage.in_place import InPlace
from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.record import Record

_TOLD = re.compile(rb'"id":"(?P<id>[^"]*)".*?"session":"(?P<session>[^"]*)"', re.DOTALL)


class ByteChange(Struct, frozen=True, kw_only=True):
    """Other bytes, as many as before, from *start* on."""

    path: Path
    start: int
    body: bytes


def rewrite(path: Path, changes: Sequence[ByteChange]) -> None:
    """Put the new bytes in place; a packed segment is packed again, beside the old one first."""
    if path.suffix != ".gz":
        with InPlace(path) as file:
            for change in changes:
                file.write_at(change.start, change.body)
            file.sync()
        return
    with gzip.open(path, "rb") as packed:
        raw = bytearray(packed.read())
    for change in changes:
        raw[change.start : change.start + len(change.body)] = change.body
    draft = path.with_name(f".{path.name}.redacting")
    draft.unlink(missing_ok=True)  # of a redaction that was cut off
    write_new(draft, gzip.compress(bytes(raw), compresslevel=6))
    stamp = path.stat()
    os.utime(draft, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    move(draft, path)


def wipe_torn(folder: Path, wanted: Callable[[Record], bool]) -> None:
    """Blank what is *wanted* of the halves of lines that power cuts left aside, and old drafts."""
    for stream in streams(folder):
        for draft in stream.glob(".*.packing"):
            draft.unlink(missing_ok=True)  # of a packing that was cut off: it begins anew
        for torn in stream.glob("*.torn"):
            raw = torn.read_bytes()
            kept = b"\n".join(_kept(half, wanted) for half in raw.split(b"\n"))
            if kept != raw:
                rewrite(torn, [ByteChange(path=torn, start=0, body=kept)])


def _kept(half: bytes, wanted: Callable[[Record], bool]) -> bytes:
    told = _TOLD.search(half)
    if told is None:
        return half
    whose, session = (told[name].decode(errors="replace") for name in ("id", "session"))
    found = Record(id=whose, session=session, time=0.0, event="")
    return b" " * len(half) if wanted(found) else half
