"""What the helper's watcher reported: refusals that a command may have kept to itself.

tag  ->  report file, one refusal a line  ->  Refusals

A tag names a call of a session, so that the reports of calls that run side by side stay apart. A command
that goes on in the background writes on; whatever comes after its call is found by the session's part.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from snaphook.storage.files import move

from .refusals import NETWORK, OUTSIDE, PROTECTED, SECRET, SOCKET, Refusal

FOLDER = "refused"
_DAY = 86_400
_WHY = {
    "-": OUTSIDE, "K": PROTECTED, "A": PROTECTED, "M": SECRET, "S": SOCKET, "N": NETWORK,
}  # fmt: skip
"""By the letter of the record that refused: why. See ``native/sandbox_policy.h``."""
_SILENT = ("/__pycache__", "/.cache/", "/.pytest_cache", "/.rehash", "/dev/")
"""Parts of paths that programs try to write and do without: caches of compiled code beside it."""
_LONGEST = 400_000


def tag_of(session: str, call: str) -> str:
    """Return the tag of *call*: a part for the session, a part for the call."""
    return f"{_short(session)}-{_short(call)}"


def take_reports(folder: Path, tag: str) -> tuple[Refusal, ...]:
    """Return what was reported of the calls of this session since the last time, once."""
    session = tag.partition("-")[0]
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(f"{session}-"))  # noqa: PTH208
    except OSError:
        return ()
    found: dict[Refusal, None] = {}
    for name in names:
        found |= dict.fromkeys(_read(folder / name))
    return tuple(found)


def forget_old(folder: Path) -> None:
    """Remove reports that nobody has asked for within a day."""
    cut = time.time() - _DAY
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for entry in found:
            if entry.stat().st_mtime < cut:
                Path(entry.path).unlink(missing_ok=True)


def _read(path: Path) -> Iterator[Refusal]:
    taken = path.with_name(f".{path.name}")  # the watcher starts a new file for what comes later
    with contextlib.suppress(OSError):
        move(path, taken, durable=False)
        raw = taken.read_bytes()[:_LONGEST]
        taken.unlink(missing_ok=True)
        for line in raw.decode("utf-8", "replace").splitlines():
            if (refusal := _refusal(line)) is not None:
                yield refusal


def _refusal(line: str) -> Refusal | None:
    letters, _, what = line.partition(" ")
    why = _WHY.get(letters[1:2], "")
    if len(letters) != 2 or not why or not what:
        return None
    if why == NETWORK:
        return Refusal(what=NETWORK, host=what)
    if letters[0] == "w" and any(part in what for part in _SILENT):
        return None
    return Refusal(path=what, what=why)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:10]
