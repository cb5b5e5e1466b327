"""Where it is kept what sessions have done, for rules that want something done before.

PostToolUse  ->  a line in the session's file  ->  RecordedSession

One small file for each session, only ever appended to, so that it outlives daemons and is shared by
every process that answers. Written where a rule asks for it, and nowhere else.
"""

from __future__ import annotations

import re
from binascii import crc32
from collections.abc import Iterable
from pathlib import Path
from time import time

import msgspec
from msgspec import Struct

from snaphook.providers.guard.memory import RecordedSession
from snaphook.storage.files import append_line, rewrite

MOST_BYTES = 256 * 1024
"""A file longer than this is written anew, without what no longer counts."""
MOST_READS = 2_000
KEPT_SECONDS = 14 * 86_400
_ODD = re.compile(r"[^\w.-]")


class SessionNote(Struct, frozen=True, omit_defaults=True):
    """One line of a session's file: files read, a change, commands that succeeded.

    *downloads* came from another machine, *seen* are those read or written over since; *secrets* were
    made from files of secrets; *started* are containers.
    """

    read: tuple[str, ...] = ()
    changed: bool = False
    ran: tuple[str, ...] = ()
    downloads: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    started: tuple[str, ...] = ()


class Recalled:
    """A session's memory, read from disk when a rule first asks."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: RecordedSession | None = None

    def has_read(self, path: str) -> bool:
        """Say whether the session has seen what is in *path*."""
        return self._recalled().has_read(path)

    def has_run(self, shapes: tuple[str, ...]) -> bool:
        """Say whether a command like one of *shapes* succeeded after the last change."""
        return self._recalled().has_run(shapes)

    def is_download(self, path: str) -> bool:
        """Say whether the session downloaded *path*, and has not read it since."""
        return self._recalled().is_download(path)

    def is_secret(self, path: str) -> bool:
        """Say whether the session made *path* from a file of secrets."""
        return self._recalled().is_secret(path)

    def has_started(self, container: str) -> bool:
        """Say whether the session started *container*."""
        return self._recalled().has_started(container)

    @property
    def has_downloads(self) -> bool:
        """Whether there is a download that nobody has read."""
        return self._recalled().has_downloads

    def _recalled(self) -> RecordedSession:
        if self._known is None:
            self._known = remembered(_notes(self._file))
        return self._known


class SessionNotes:
    """The files of all sessions, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, session: str) -> Recalled:
        """Return what *session* has done; nothing is read until someone asks."""
        return Recalled(self._file(session))

    def note(self, session: str, note: SessionNote) -> None:
        """Add *note* to what is known of *session*."""
        if note == SessionNote():
            return
        file = self._file(session)
        if append_line(file, msgspec.json.encode(note)) > MOST_BYTES:
            self._shorten(file)

    def forget_old(self, now: float | None = None) -> None:
        """Remove the files of sessions that nobody has heard of for a fortnight."""
        horizon = (time() if now is None else now) - KEPT_SECONDS
        for file in self.folder.glob("*.jsonl") if self.folder.is_dir() else ():
            try:
                if file.stat().st_mtime < horizon:
                    file.unlink()
            except OSError:  # another process was faster
                continue

    def _file(self, session: str) -> Path:
        safe = _ODD.sub("_", session)[:60]
        return self.folder / f"{safe}-{crc32(session.encode(errors='replace')):08x}.jsonl"

    def _shorten(self, file: Path) -> None:
        rewrite(file, _shortened)


class SessionsInMemory:
    """What sessions have done, for as long as somebody looks: a replay keeps nothing on disk."""

    def __init__(self) -> None:
        self._notes: dict[str, list[SessionNote]] = {}

    def knows(self, session: str) -> bool:
        """Say whether anything is known of *session*."""
        return session in self._notes

    def of(self, session: str) -> RecordedSession:
        """Return what *session* has done."""
        return remembered(self._notes.get(session, ()))

    def note(self, session: str, note: SessionNote) -> None:
        """Add *note* to what is known of *session*."""
        if note != SessionNote():
            self._notes.setdefault(session, []).append(note)

    def forget_old(self) -> None:
        """Keep everything: a replay is short."""


def remembered(notes: Iterable[SessionNote]) -> RecordedSession:
    """Return what *notes*, in order, come to."""
    read: dict[str, None] = {}
    ran: list[str] = []
    downloads, seen, secrets, started = set[str](), set[str](), set[str](), set[str]()
    for note in notes:
        read.update(dict.fromkeys(note.read))
        seen.difference_update(note.downloads)  # downloaded anew
        downloads.update(note.downloads)
        seen.update(note.seen)
        secrets.update(note.secrets)
        started.update(note.started)
        if note.changed:
            ran.clear()
        ran.extend(note.ran)
    return RecordedSession(
        read=frozenset(read),
        ran=tuple(dict.fromkeys(ran)),
        downloads=frozenset(downloads),
        seen=frozenset(seen),
        secrets=frozenset(secrets),
        started=frozenset(started),
    )


def _shortened(raw: bytes) -> bytes:
    known = remembered(_read(raw))
    kept = SessionNote(
        read=tuple(sorted(known.read))[-MOST_READS:],
        ran=known.ran,
        downloads=tuple(sorted(known.downloads))[-MOST_READS:],
        seen=tuple(sorted(known.seen))[-MOST_READS:],
        secrets=tuple(sorted(known.secrets))[-MOST_READS:],
        started=tuple(sorted(known.started))[-MOST_READS:],
    )
    return msgspec.json.encode(kept) + b"\n"


def _notes(file: Path) -> Iterable[SessionNote]:
    try:
        return _read(file.read_bytes())
    except OSError:
        return ()


def _read(raw: bytes) -> Iterable[SessionNote]:
    for line in raw.splitlines():
        try:
            yield msgspec.json.decode(line, type=SessionNote)
        except msgspec.DecodeError:  # half a line, cut off by a crash: as if it had not happened
            continue
