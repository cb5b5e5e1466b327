"""Denials that a process gave by itself, because no daemon ran yet: numbered all the same.

BlockedCall  ->  a line in a file, its number        daemon  ->  RecentCalls, and the file is gone

The first call of a day is often the one that starts the daemon, and the one that is denied. A command
that holds a secret is not written down: it is named by its text then.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from snaphook.storage.files import append_line
from snaphook.storage.folders import make_private

from .override import BlockedCall

if TYPE_CHECKING:
    from .recent import RecentCalls

FILE = "blocked.jsonl"
KEPT_FOR = 86_400.0
MOST = 100
_BLANK = BlockedCall(
    command="", tool="", rules=frozenset(), fixed=True, reason="", project="", cwd="", session=""
)


class UnservedDenial(Struct, frozen=True, kw_only=True):
    """One denial, and when it was given."""

    time: float
    call: BlockedCall


def note_unserved(data_dir: Path, call: BlockedCall, time: float) -> int:
    """Write *call* down and return its number; 0 where there are too many already."""
    known = read_unserved(data_dir)
    for number, one in enumerate(known, 1):
        if msgspec.structs.replace(one.call, call="") == msgspec.structs.replace(call, call=""):
            return number
    if len(known) >= MOST:
        return 0
    make_private(data_dir)
    line = msgspec.json.encode(UnservedDenial(time=time, call=call))
    append_line(data_dir / FILE, line)
    # Two processes may write at once: the number is where the line really stands.
    lines = (data_dir / FILE).read_bytes().splitlines()
    return next((at for at, one in enumerate(lines, 1) if one == line), 0)


def read_unserved(data_dir: Path) -> list[UnservedDenial]:
    """Return what is written down, in order; a damaged line holds its place and names nothing."""
    try:
        lines = (data_dir / FILE).read_bytes().splitlines()
    except OSError:
        return []
    return [_read(line) for line in lines]


def take_over(data_dir: Path, recent: RecentCalls, now: float) -> None:
    """Give *recent* what was denied without a daemon, under the same numbers; the file goes."""
    found = read_unserved(data_dir)
    if not found:
        return
    for number, one in enumerate(found, 1):
        if one.call is not _BLANK and now - one.time < KEPT_FOR:
            recent.put(one.call, one.time, number)
    (data_dir / FILE).unlink(missing_ok=True)


def _read(line: bytes) -> UnservedDenial:
    try:
        return msgspec.json.decode(line, type=UnservedDenial)
    except ValueError:
        return UnservedDenial(time=0.0, call=_BLANK)
