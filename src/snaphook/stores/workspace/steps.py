"""The steps of a transaction: each can be told done from not done, done again, and undone.

Step + disk  ->  StepState

Doing a step that is done changes nothing, and so does undoing one that is not.
"""

import errno
import os
from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from snaphook.storage.files import move

from . import events
from .disk import put, stage
from .faults import point


class StepState(Enum):
    """How a step is found."""

    TO_DO = "to do"
    DONE = "done"
    FOREIGN = "foreign"
    """Somebody else has changed it since: it is neither as it was nor as it was to become."""


class Replace(Struct, frozen=True, kw_only=True, tag="replace"):
    """Put a new version in the place of a file, or a file where none was."""

    path: str
    before: str
    """The digest of the old version; nothing if there was none."""
    after: str


class Move(Struct, frozen=True, kw_only=True, tag="move"):
    """Rename a file or a folder."""

    source: str
    target: str


class Append(Struct, frozen=True, kw_only=True, tag="append"):
    """Add a row to the log of events."""

    path: str
    row: dict[str, object]
    offset: int
    """How long the log was before: the row, if it is there, is behind that."""


Step: TypeAlias = Replace | Move | Append


class TransactionIntent(Struct, frozen=True, kw_only=True):
    """What a transaction is about to do."""

    id: str
    name: str
    steps: tuple[Step, ...]
    elsewhere: bool = False
    """Whether a database has the last word on whether it happened."""


def state_of(step: Step, intent: TransactionIntent, root: Path) -> StepState:
    """Return how *step* is found."""
    match step:
        case Replace():
            found = digest_of(_where_now(step.path, intent, root))
            if found == step.after:
                return StepState.DONE
            return StepState.TO_DO if found == step.before else StepState.FOREIGN
        case Move():
            source, target = (root / step.source).exists(), (root / step.target).exists()
            if source == target:
                return StepState.FOREIGN
            return StepState.TO_DO if source else StepState.DONE
        case Append():
            return StepState.DONE if _find_row(root / step.path, step) else StepState.TO_DO


def do(
    step: Step, number: int, intent: TransactionIntent, root: Path, folder: Path, *, max_mb: int
) -> None:
    """Do *step*, unless it is done."""
    if state_of(step, intent, root) is StepState.DONE:
        return
    match step:
        case Replace():
            _take(folder / f"{number}.new", (root / step.path).resolve())
        case Move():
            _rename(root / step.source, root / step.target)
        case Append():
            events.append(root / step.path, step.row, max_mb=max_mb)
    point(f"step {number}")


def undo(step: Step, number: int, intent: TransactionIntent, root: Path, folder: Path) -> None:
    """Undo *step*, unless it is not done."""
    if state_of(step, intent, root) is not StepState.DONE:
        return
    match step:
        case Replace():
            path = _where_now(step.path, intent, root)
            if step.before:
                put(stage(path, (folder / f"{number}.old").read_bytes()), path)
            else:
                path.unlink(missing_ok=True)
        case Move():
            _rename(root / step.target, root / step.source)
        case Append():
            events.take_back(root / step.path, step.row, step.offset)
    point(f"undone {number}")


def digest_of(path: Path) -> str:
    """Return what tells the contents of *path* from any other; nothing if there is no file."""
    try:
        return digest(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return ""


def digest(data: bytes) -> str:
    """Return what tells *data* from any other."""
    return sha256(data).hexdigest()


def _where_now(path: str, intent: TransactionIntent, root: Path) -> Path:
    """Return where the file is that stood at *path*, should its folder have been moved already."""
    for step in intent.steps:
        if not isinstance(step, Move) or not Path(path).is_relative_to(step.source):
            continue
        if state_of(step, intent, root) is StepState.DONE:
            return root / step.target / Path(path).relative_to(step.source)
    return root / path


def _find_row(path: Path, step: Append) -> bool:
    return events.find(path, step.row, step.offset) is not None


def folders_of(step: Step, root: Path) -> set[Path]:
    """Return the folders in which *step* renames something."""
    match step:
        case Replace():
            return {(root / step.path).resolve().parent}
        case Move():
            return {(root / step.source).parent, (root / step.target).parent}
        case Append():
            return set()


def _take(new: Path, path: Path) -> None:
    """Put *new* in the place of *path*; from another disk it has to be copied first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "is read-only", str(path))
    try:
        move(new, path, durable=False)  # the journal syncs every folder once, at the end
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        put(stage(path, new.read_bytes()), path)


def _rename(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    move(source, target, durable=False)


def in_order(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return *steps* as they are done: files, then moves, then the log, which is hardest to take back."""
    kinds = (Replace, Move, Append)
    return tuple(step for kind in kinds for step in steps if isinstance(step, kind))
