"""Calls that the native client answered by itself, because neither the daemon nor Python gave an answer.

data/refused/*.call  ->  Refusals  ->  the record

The client writes each to a file before it answers the host (``native/client.c``). Whoever is there
next records it, scrubbed, and removes the file.
"""

import os
from collections.abc import Callable
from pathlib import Path

from snaphook.hosts import HostCall, Reply
from snaphook.hosts.refusal import Refusal
from snaphook.storage.files import move

FOLDER = "refused"
FORMAT = b"1"
_FIELDS = 8


def laid_down(data_dir: Path) -> list[Path]:
    """Return the files of the calls that wait below *data_dir*, the oldest first; mostly none."""
    folder = data_dir / FOLDER
    try:
        with os.scandir(folder) as found:
            names = sorted(entry.name for entry in found if entry.name.endswith(".call"))
    except OSError:
        return []
    return [folder / name for name in names]


def record_all(data_dir: Path, keep: Callable[[Refusal], object]) -> int:
    """Hand what waits below *data_dir* to *keep*, and remove it; return how many calls that were.

    A file has one taker: the rename is its claim. What a taker that died has claimed is taken again with
    the next start of a daemon.
    """
    taken = 0
    for path in laid_down(data_dir):
        claimed = path.with_suffix(f".taken-{os.getpid()}")
        try:
            move(path, claimed, durable=False)
            refusal = read(claimed.read_bytes())
        except OSError:
            continue  # another process was faster
        if refusal is not None:
            keep(refusal)
            taken += 1
        claimed.unlink(missing_ok=True)
    return taken


def put_back(data_dir: Path) -> None:
    """Let what was claimed and not removed wait again: its taker died."""
    for path in (data_dir / FOLDER).glob("*.taken-*"):
        if not _lives(path.suffix.rpartition("-")[2]):
            move(path, path.with_suffix(".call"), durable=False)


def read(raw: bytes) -> Refusal | None:
    """Return the call in *raw*; ``None`` where it is none."""
    parts = raw.split(b"\0", _FIELDS)
    if len(parts) <= _FIELDS or parts[0] != FORMAT:
        return None
    moment, host, event, cwd, what, why, stops = (
        part.decode("utf-8", "replace") for part in parts[1:-1]
    )
    try:
        now = float(moment)
    except ValueError:
        return None
    return Refusal(
        host=host,
        call=HostCall(event=event, env={}, cwd=cwd, now=now),
        wire=parts[-1],
        why=f"{what} ({why})",
        reply=Reply(),
        stops=stops == "1",
    )


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError):
        return False
    except OSError:
        return True
    return True
