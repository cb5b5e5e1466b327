"""The journal of a job: one line per step, on the disk before the next step begins.

Record  ->  line        file  ->  Records  ->  the task that was not finished

Only ever appended to. After a crash the torn last line is cut off.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from snaphook.errors import StoreError
from snaphook.scrub import Scrubber
from snaphook.storage.appending import AppendOnly
from snaphook.storage.files import create

from .job import BuildJob
from .records import Built, GateRan, GateStarted, Halted, Passed, Record, TaskStarted

FILE = "journal.jsonl"

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode


class Unfinished(Struct, frozen=True, kw_only=True):
    """A task that was begun and has not passed."""

    task: str
    pending: int
    done: int
    driver: str = ""
    session: str = ""
    built: bool = False
    """Its builder had ended by itself, so its gates are due."""
    attempts: int = 0
    """Fixes that were asked for and answered."""


class BuildJournal:
    """The open journal of *job*; one process at a time has it."""

    def __init__(self, job: BuildJob, *, clock: Callable[[], float] = time.time) -> None:
        self.path = job.state / FILE
        self._clock = clock
        self._scrubber = Scrubber(personal=False)
        try:
            job.state.mkdir(parents=True, exist_ok=True)
            create(job.state.parent / ".gitignore", b"*\n", mode=0o644)
            self._file = AppendOnly(self.path, mode=0o644, alone=True)
            self._file.whole_lines()  # cuts off a torn one
        except BlockingIOError:
            raise StoreError(
                where=str(self.path),
                what=f"another process is working on job '{job.name}'",
                fix="Wait for it, or end it.",
            ) from None
        except OSError as error:
            raise self._unwritable(error) from error

    def append(self, record: Record) -> Record:
        """Write *record* with the time of day, secrets taken out, and return it so."""
        stamped = replace(self._scrubbed(record), at=self._clock())
        line = _encode(stamped) + b"\n"
        try:
            self._file.append(line)
            # Whoever resumes runs the gates again from the first: a lost line about one costs nothing.
            if not isinstance(record, GateStarted | GateRan):
                self._file.sync()
        except OSError as error:
            raise self._unwritable(error) from error
        return stamped

    def read(self) -> tuple[Record, ...]:
        """Return every step so far."""
        return read_journal(self.path)

    def close(self) -> None:
        """Let others have it."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _scrubbed(self, record: Record) -> Record:
        """Return *record* without the secrets that a program may have printed."""
        match record:
            case GateRan(output=output) if output:
                return replace(record, output=self._scrubber.text(output))
            case Halted(why=why):
                return replace(record, why=self._scrubber.text(why))
            case _:
                return record

    def _unwritable(self, error: OSError) -> StoreError:
        return StoreError(
            where=str(self.path),
            what=f"cannot be written ({error.strerror})",
            fix=(
                "Free disk space or fix its permissions, then run the same command again: "
                "nothing is lost."
            ),
        )


def read_journal(path: Path) -> tuple[Record, ...]:
    """Return every whole line of the journal at *path*; none if there is no such file."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return ()
    lines = raw[: raw.rfind(b"\n") + 1].splitlines()
    return tuple(_read(path, number, line) for number, line in enumerate(lines, start=1))


def unfinished(records: Iterable[Record]) -> Unfinished | None:
    """Return the task that was begun last, unless it passed."""
    left: Unfinished | None = None
    for record in records:
        match record:
            case TaskStarted():
                left = _begun(record, left)
            case Built() if left:
                left = replace(left, built=True, session=record.session, attempts=record.attempt)
            case Halted() if left:
                left = replace(left, attempts=0)  # whoever starts it again grants new attempts
            case Passed():
                left = None
    return left


def _begun(record: TaskStarted, left: Unfinished | None) -> Unfinished:
    if record.resumed and left:
        return left
    return Unfinished(
        task=record.task,
        pending=record.pending,
        done=record.done,
        driver=record.driver,
        session=record.session,
    )


def _read(path: Path, number: int, line: bytes) -> Record:
    try:
        record: Record = _decode(line)
    except msgspec.DecodeError as error:
        raise StoreError(
            where=f"{path}:{number}",
            what=f"this line is not a valid build record ({error})",
            fix="Remove the line, or the whole file to start over.",
        ) from None
    return record
