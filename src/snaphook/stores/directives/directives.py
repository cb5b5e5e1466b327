"""The directives of one project: a file that only grows, one line for each that was given or revoked.

add("Always run the tests.")  ->  Directive  ->  revoke("3f2a…")

A line is written in one call that the system appends whole, so processes need no lock; a line torn
by a crash is passed over. Texts are scrubbed by whoever adds them.
"""

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time

import msgspec
from msgspec import Struct

from snaphook.errors import StoreError, UsageError
from snaphook.storage.files import append_line


class Directive(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="add"):
    """One thing that holds until it is revoked."""

    id: str
    text: str
    project: str
    made: float = 0.0
    session: str = ""
    """Where it was said; empty where it was added by hand."""


class _Revoked(Struct, frozen=True, kw_only=True, tag="revoke"):
    id: str
    made: float


_decode = msgspec.json.Decoder(Directive | _Revoked).decode


class Directives:
    """What holds in *project*, kept in *folder*."""

    def __init__(self, folder: Path, project: Path | str) -> None:
        self._project = str(project)
        self._path = folder / f"{_short(self._project)}.jsonl"

    def all(self) -> tuple[Directive, ...]:
        """Return what holds, in the order in which it was said."""
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._unkept(error) from error
        held: dict[str, Directive] = {}
        for line in lines:
            with suppress(msgspec.DecodeError):
                change = _decode(line)
                if isinstance(change, Directive):
                    held.setdefault(change.id, change)
                else:
                    held.pop(change.id, None)
        return tuple(held.values())

    def add(self, text: str, *, session: str = "") -> Directive:
        """Keep *text* and return it; what is kept already is not kept twice."""
        same = " ".join(text.split()).rstrip(".! ").casefold()
        made = Directive(
            id=_short(same)[:8], text=text, project=self._project, made=time(), session=session
        )
        known = next((each for each in self.all() if each.id == made.id), None)
        if known is None:
            self._append(made)
        return known or made

    def revoke(self, start: str) -> Directive:
        """Take back the one directive whose id begins with *start*, and return it."""
        found = [each for each in self.all() if start and each.id.startswith(start)]
        if len(found) != 1:
            what = "several directive ids start" if found else "no directive id starts"
            raise UsageError(
                where="directives",
                what=f"{what} with {start!r}",
                fix="'snaphook directives list' shows their ids.",
            )
        self._append(_Revoked(id=found[0].id, made=time()))
        return found[0]

    def _append(self, change: Directive | _Revoked) -> None:
        try:
            append_line(self._path, msgspec.json.encode(change), durable=True)
        except OSError as error:
            raise self._unkept(error) from error

    def _unkept(self, error: OSError) -> StoreError:
        return StoreError(
            where=str(self._path),
            what=f"cannot be saved: {error.strerror}",
            fix="Make the folder writable.",
        )


def _short(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
