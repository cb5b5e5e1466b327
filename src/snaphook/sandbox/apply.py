"""Apply what a trial changed, wholly or not at all.

Changes  ->  staged beside their targets  ->  journal  ->  in place

Killed before the journal is committed, nothing has changed and the staged files go; killed after, the
rest is done by whoever comes next. Every step may be done twice. Work is done in a process of its own
that no signal for ours reaches; if it dies, we finish.
"""

import contextlib
import os
import shutil
import stat
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from snaphook.errors import StoreError
from snaphook.storage.files import replace as replace_file
from snaphook.storage.folders import make_private
from snaphook.storage.lock import take

from .overlay import Change, Kind

Step = Callable[[str], None]
_FEW = 20
"""Files that are synced one by one; for more, one sync of everything is faster (5 ms each on a slow disk)."""


class State(StrEnum):
    """How far an application is."""

    STAGING = "staging"
    COMMITTED = "committed"


class Move(Struct, frozen=True, kw_only=True):
    """One path to be put in place (from *staged*), made a folder, or removed."""

    path: str
    staged: str = ""
    makes_folder: bool = False
    mode: int = 0


class Journal(Struct, frozen=True, kw_only=True):
    """What is to be done, written down before any of it is."""

    state: State
    moves: tuple[Move, ...]


def apply(changes: Iterable[Change], journals: Path, *, step: Step = lambda _name: None) -> None:
    """Put *changes* in place; returns when they are, raises when nothing was changed."""
    changes = tuple(changes)
    if not changes:
        return
    make_private(journals)
    path = journals / f"{os.getpid()}-{os.urandom(4).hex()}.json"
    held = take(path.with_suffix(".lock"))
    assert held is not None, "nobody else knows this name"
    with held:
        child = os.fork()
        if child == 0:
            os._exit(_as_child(changes, path, step))
        _, status = os.waitpid(child, 0)
    if status:
        done = recover(journals)
        if path.name not in done:
            raise StoreError(
                where="snaphook sandbox try",
                what="the changes could not be staged; nothing was changed",
                fix="Check disk space and permissions, then try again.",
            )
    path.with_suffix(".lock").unlink(missing_ok=True)


def recover(journals: Path) -> list[str]:
    """Finish or take back what was left half done; return the journals that were finished."""
    finished = []
    for path in sorted(journals.glob("*.json")) if journals.is_dir() else ():
        lock = path.with_suffix(".lock")
        held = take(lock)
        if held is None:
            continue  # its process is at work
        with held, contextlib.suppress(OSError, msgspec.DecodeError):
            if _settle(path):
                finished.append(path.name)
            lock.unlink(missing_ok=True)
    return finished


def _settle(path: Path) -> bool:
    """Bring the work of the journal at *path* to an end; say whether it was committed."""
    journal = msgspec.json.decode(path.read_bytes(), type=Journal)
    committed = journal.state is State.COMMITTED
    if committed:
        _perform(journal, lambda _name: None)
    else:
        _take_back(journal)
    path.unlink(missing_ok=True)
    return committed


def _as_child(changes: tuple[Change, ...], path: Path, step: Step) -> int:
    """Do the work out of reach of our terminal and of who kills our group."""
    import signal

    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        journal = _stage(changes, path, step)
        _perform(journal, step)
        path.unlink()
    except BaseException:  # noqa: BLE001 - whatever it was, the journal says what is left to do
        return 1
    return 0


def _stage(changes: tuple[Change, ...], path: Path, step: Step) -> Journal:
    moves = tuple(_move(one, number, path.stem) for number, one in enumerate(changes))
    journal = Journal(state=State.STAGING, moves=moves)
    replace_file(path, msgspec.json.encode(journal))
    step("noted")
    for move, change in zip(moves, changes, strict=True):
        if move.staged:
            _copy(change.upper, move.staged, syncs=len(moves) <= _FEW)
            step("staged")
    if len(moves) > _FEW:
        os.sync()
    journal = replace(journal, state=State.COMMITTED)
    replace_file(path, msgspec.json.encode(journal))
    step("committed")
    return journal


def _move(change: Change, number: int, name: str) -> Move:
    if change.change is Kind.DELETED:
        return Move(path=change.path)
    mode = stat.S_IMODE(os.lstat(change.upper).st_mode)
    if change.folder:
        return Move(path=change.path, makes_folder=True, mode=mode)
    above = Path(change.path).parent
    while not above.is_dir():
        above = above.parent
    return Move(path=change.path, mode=mode, staged=f"{above}/.snaphook-{name}-{number}")


def _copy(source: str, staged: str, *, syncs: bool) -> None:
    if os.path.islink(source):  # noqa: PTH114
        os.symlink(os.readlink(source), staged)  # noqa: PTH115, PTH211
        return
    shutil.copy2(source, staged, follow_symlinks=False)
    if not syncs:
        return
    fd = os.open(staged, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _perform(journal: Journal, step: Step) -> None:
    """Do every move; what is done already is left as it is."""
    for move in journal.moves:
        if move.staged:
            _put(move)
        elif move.makes_folder:
            Path(move.path).mkdir(parents=True, exist_ok=True)
            Path(move.path).chmod(move.mode)
        else:
            _remove(move.path)
        step("moved")


def _put(move: Move) -> None:
    if not os.path.lexists(move.staged):
        return
    if os.path.isdir(move.path) and not os.path.islink(move.path):  # noqa: PTH112, PTH114
        shutil.rmtree(move.path)
    Path(move.path).parent.mkdir(parents=True, exist_ok=True)
    os.replace(move.staged, move.path)  # noqa: PTH105


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        if os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114
            with contextlib.suppress(OSError):  # somebody has put something new in it
                os.rmdir(path)  # noqa: PTH106
        else:
            os.unlink(path)  # noqa: PTH108


def _take_back(journal: Journal) -> None:
    for move in journal.moves:
        if move.staged:
            _remove(move.staged)
