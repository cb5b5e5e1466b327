"""Which hosts were heard of, with which events, and when last.

segments  ->  (host, event)  ->  how often, when last

A dead guard looks like a quiet one; the record tells them apart.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.canon.hook_runs import HOOK_ENDED

from .audit import streams
from .chain import take_apart
from .segment import lines, segments


class HostActivity(Struct, kw_only=True):
    """How often an event came, and when last."""

    count: int = 0
    last: float = 0.0
    stopped: int = 0
    """How often the answer was a no."""


class _Seen(Struct, frozen=True):
    """As much of a record as we need; the rest is passed over."""

    event: str = ""
    host: str = ""
    session: str = ""
    time: float = 0.0
    verdict: str | None = None
    tool: str = ""

    @property
    def is_of_host(self) -> bool:
        """Say whether a host reported it; the end of a background hook is our own."""
        return bool(self.event) and self.event != HOOK_ENDED


def host_activity(
    folder: Path, *, since: float = 0.0, but: Collection[str] = ()
) -> dict[tuple[str, str], HostActivity]:
    """Return what came since *since* from hosts; sessions named in *but* were only trying."""
    found: dict[tuple[str, str], HostActivity] = {}
    for seen in _of_hosts(folder, since, but):
        _add(found.setdefault((seen.host, seen.event), HostActivity()), seen)
    return found


def tools_called(
    folder: Path, *, since: float = 0.0, but: Collection[str] = ()
) -> dict[str, Counter[str]]:
    """Return for each host how often each tool was about to be called, by the name it has with us."""
    found: dict[str, Counter[str]] = {}
    for seen in _of_hosts(folder, since, but):
        if seen.tool and seen.event == "PreToolUse":
            found.setdefault(seen.host, Counter())[seen.tool] += 1
    return found


def _of_hosts(folder: Path, since: float, but: Collection[str]) -> Iterator[_Seen]:
    decode = msgspec.json.Decoder(_Seen).decode
    for stream in streams(folder) if folder.is_dir() else ():
        for path in segments(stream):
            if path.stat().st_mtime < since:
                continue
            for raw in lines(path):
                line = take_apart(raw[:-1])
                seen = _read(decode, line.body) if line else None
                if seen and seen.time >= since and seen.is_of_host and seen.session not in but:
                    yield seen


def _read(decode: Callable[[bytes], _Seen], body: bytes) -> _Seen | None:
    try:
        return decode(body)
    except msgspec.DecodeError:
        return None  # 'audit verify' says what happened to it


def _add(host_activity: HostActivity, seen: _Seen) -> None:
    host_activity.count += 1
    host_activity.last = max(host_activity.last, seen.time)
    host_activity.stopped += seen.verdict in ("deny", "block")
