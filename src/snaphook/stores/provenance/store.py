"""The files of all sessions: appended to, read again by whoever comes next.

Entry  ->  a frame in the session's file  ->  Session

One file per session, shared by every process that answers for it: a daemon, a hook that runs without
one, a subagent's. What others appended is read before a lookup. Past its bound a file is written anew
with the oldest fingerprints left out; a session that nobody has heard of for a fortnight is removed.
"""

import os
from binascii import crc32
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from time import time

import msgspec
from msgspec.structs import replace

from snaphook.storage import files
from snaphook.storage.folders import make_private

from .entries import Entry, Source, Trust
from .session import Session

MOST_BYTES = 6 << 20
"""Of one session's file, and of its fingerprints in memory; the promise is 8 MB."""
KEPT_SECONDS = 14 * 86_400
SESSIONS = 32
"""Sessions held in memory; the one not asked about for longest goes first, its file stays."""
_HEAD = 4
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Entry).decode


class _Held:
    """A session in memory, and how much of its file it has seen."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.seen = 0


class ProvenanceStore:
    """The sessions kept in *folder*."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._key: bytes | None = None
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._files: dict[str, Path] = {}

    @property
    def key(self) -> bytes:
        """The key of all fingerprints, made when first needed."""
        if self._key is None:
            from snaphook.scrub import load_salt

            make_private(self.folder)
            self._key = load_salt(self.folder / "key")
        return self._key

    def knows(self, session: str) -> bool:
        """Say whether anything is kept of *session*; costs no more than a look."""
        return session in self._held or os.path.exists(self._file(session))  # noqa: PTH110 - asked for every call

    def of(self, session: str) -> Session:
        """Return *session* as far as anybody has told it."""
        held = self._held.get(session)
        if held is None:
            from .seal import start_value

            held = self._held[session] = _Held(Session(start_value(self.key)))
            while len(self._held) > SESSIONS:
                self._held.popitem(last=False)
        self._held.move_to_end(session)
        self._read(session, held)
        return held.session

    def keep(self, session: str, entries: Iterable[Entry]) -> Session:
        """Add *entries* to *session*, on disk and in memory."""
        entries = list(entries)
        known = self.of(session)
        if not entries:
            return known
        raw = b"".join(_frame(self._sealed(entry)) for entry in entries)
        file = self._file(session)
        files.append(file, raw)
        self._read(session, self._held[session])
        if self._held[session].seen > MOST_BYTES:
            self._shorten(session, file)
        return self._held[session].session

    def forget_old(self, now: float | None = None) -> None:
        """Remove the files of sessions that nobody has heard of for a fortnight."""
        horizon = (time() if now is None else now) - KEPT_SECONDS
        for file in self.folder.glob("*.sources") if self.folder.is_dir() else ():
            with suppress(OSError):  # another process was faster
                if file.stat().st_mtime < horizon:
                    file.unlink()

    def sessions(self) -> Iterator[tuple[Path, float]]:
        """Yield every session's file and when it last changed, the latest first."""
        files = self.folder.glob("*.sources") if self.folder.is_dir() else ()
        found = [(file, file.stat().st_mtime) for file in files]
        yield from sorted(found, key=lambda one: -one[1])

    def named(self, file: Path) -> str:
        """Return what :meth:`of` takes for *file*: its name is all that is needed."""
        return f"file:{file.name}"

    def _file(self, session: str) -> Path:
        known = self._files.get(session)
        if known is None:
            if len(self._files) > SESSIONS * 4:
                self._files.clear()
            known = self._files[session] = self._named_file(session)
        return known

    def _named_file(self, session: str) -> Path:
        if session.startswith("file:"):
            return self.folder / session.removeprefix("file:")
        safe = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in session[:60])
        return self.folder / f"{safe}-{crc32(session.encode(errors='replace')):08x}.sources"

    def _read(self, session: str, held: _Held) -> None:
        """Take in what was appended since, by us or by others."""
        try:
            size = os.stat(self._file(session)).st_size  # noqa: PTH116 - asked for every call
        except OSError:
            return
        if size == held.seen:
            return
        if size < held.seen:  # another process wrote it anew
            from .seal import start_value

            held.session, held.seen = Session(start_value(self.key)), 0
        with self._file(session).open("rb") as file:
            file.seek(held.seen)
            raw = file.read(size - held.seen)
        start = held.seen
        for entry, end in _frames(raw):
            held.session.add(self._unsealed(entry))
            held.seen = start + end

    def _shorten(self, session: str, file: Path) -> None:
        """Write the file anew: the fingerprints of the oldest texts from outside go first.

        What tells the reader to do something, secrets and files stay: they are small, and they are
        what a later call is most likely about.
        """
        known = self._held[session].session
        room = MOST_BYTES // 2
        kept: list[Source] = []
        for source in reversed(known.sources):
            room -= len(source.prints) + len(source.told)
            fits = room > 0 or source.trust is not Trust.OUTSIDE
            kept.append(source if fits else replace(source, prints=source.told))
        secrets = [one for found in known.secrets.values() for one in found.values()]
        entries: list[Entry] = [*reversed(kept), *secrets, *known.written.values()]
        entries += [known.approvals(), *known.judged]
        files.replace(file, b"".join(_frame(self._sealed(entry)) for entry in entries))
        self._held.pop(session)
        self.of(session)

    def _sealed(self, entry: Entry) -> Entry:
        from .seal import seal

        if not isinstance(entry, Source):
            return entry
        return replace(
            entry,
            prints=seal(entry.prints, self.key) if entry.prints else b"",
            told=seal(entry.told, self.key) if entry.told else b"",
        )

    def _unsealed(self, entry: Entry) -> Entry:
        from .seal import unseal

        if not isinstance(entry, Source):
            return entry
        return replace(
            entry,
            prints=unseal(entry.prints, self.key) if entry.prints else b"",
            told=unseal(entry.told, self.key) if entry.told else b"",
        )


def _frame(entry: Entry) -> bytes:
    raw = _encode(entry)
    return len(raw).to_bytes(_HEAD, "little") + raw


def _frames(raw: bytes) -> Iterator[tuple[Entry, int]]:
    """Yield the entries in *raw*, and where each ends; half a frame at the end waits for its rest."""
    at = 0
    while at + _HEAD <= len(raw):
        end = at + _HEAD + int.from_bytes(raw[at : at + _HEAD], "little")
        if end > len(raw):
            return
        try:
            entry = _decode(raw[at + _HEAD : end])
        except msgspec.DecodeError:  # written by another version: as if it had not been read
            entry = None
        at = end
        if entry is not None:
            yield entry, at
