"""Put a project back exactly as a snapshot has it.

Snapshot  ->  RestorePlan  ->  refs, index, files

What is there now is kept first, so an undo can be undone. Every step may be repeated: killed anywhere,
the same call finishes the work.
"""

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from snaphook.errors import StoreError, UserError
from snaphook.storage.files import mode_of, move, replace, write_new

from .git import Git
from .plan import RestorePlan, Stat, contents, plan, stat_of, then
from .take import common
from .trash import Trash
from .values import EntryKind, Snapshot, SnapshotEntry


class NewerWork(UserError):  # noqa: N818 - it says what is in the way
    """Something was made since, and an undo would write over it."""


class Restored(Struct, frozen=True, kw_only=True):
    """What an undo did."""

    snapshot: Snapshot
    files: int
    refs: int


def restore(
    snapshot: Snapshot,
    trash: Trash,
    *,
    after: Mapping[str, Stat] | None = None,
    force: bool = False,
    keep: Callable[[RestorePlan], object] = lambda _plan: None,
    step: Callable[[str], None] = lambda _name: None,
) -> Restored:
    """Make the project what *snapshot* has; ``NewerWork`` where that would lose something newer.

    *after* is how the files stood once the command had run; *keep* is called before anything
    changes; *step* is told how far it is.
    """
    wanted = plan(snapshot, trash, after)
    if not force and (newer := newer_work(snapshot, wanted, after or {})):
        shown = ", ".join(newer[:5]) + (f" and {len(newer) - 5} more" if len(newer) > 5 else "")
        raise NewerWork(
            where=snapshot.root,
            what=f"newer changes would be overwritten: {shown}",
            fix=(
                "Commit or move them, or use --force: the current state is saved as a snapshot "
                "first."
            ),
        )
    keep(wanted)
    step("kept")
    root = Path(snapshot.root)
    git = Git(root, seconds=60) if snapshot.repository else None
    if git is not None:
        _restore_git(snapshot, git, trash, wanted, step)
    for path in wanted.removals:
        _remove(root / path)
    step("removed")
    for entry, raw in contents(sorted(wanted.writes, key=lambda one: one.path), git, trash):
        _write(root, entry, raw)
        step("wrote")
    for entry in reversed(wanted.writes):
        if entry.kind is EntryKind.FOLDER:
            (root / entry.path).chmod(entry.mode)
    step("done")
    return Restored(snapshot=snapshot, files=len(wanted.paths), refs=len(wanted.refs))


def newer_work(snapshot: Snapshot, wanted: RestorePlan, after: Mapping[str, Stat]) -> list[str]:
    """Return what exists now, is kept nowhere, and would be written over."""
    root = Path(snapshot.root)
    unsaved = {*wanted.now.changed, *wanted.now.untracked}
    found = [
        path
        for path in wanted.paths
        if (snapshot.repository is None or path in unsaved)
        and (seen := stat_of(root / path)) is not None
        and after.get(path) != seen
        and not (root / path).is_dir()
    ]
    if snapshot.repository and (wanted.refs or wanted.head):
        old = [*snapshot.repository.refs.values(), snapshot.ref]
        git = Git(root, seconds=60)
        fresh = git.lines("log", "--format=%h %s", "-3", "HEAD", "--branches", "--not", *old)
        found += [f"commit {line}" for line in fresh]
    return found


def _restore_git(
    snapshot: Snapshot, git: Git, trash: Trash, wanted: RestorePlan, step: Callable[[str], None]
) -> None:
    repository = snapshot.repository
    assert repository is not None
    if wanted.refs:
        lines = [f"update {name} {commit}\n" for name, commit in wanted.refs.items()]
        git("update-ref", "--create-reflog", "--stdin", stdin="".join(lines).encode())
        _restore_stash_log(snapshot)
    step("refs")
    if repository.head.startswith("refs/"):
        git("symbolic-ref", "-m", "snaphook undo", "HEAD", repository.head)
    elif wanted.head:
        git("update-ref", "--no-deref", "-m", "snaphook undo", "HEAD", repository.head)
    _restore_settings(git, repository.config)
    for name, text in repository.pending.items():
        pending = Path(repository.git_dir) / name
        replace(pending, text.encode(errors="surrogateescape"), mode=mode_of(pending, 0o644))
    step("head")
    with then(snapshot, trash) as (old, raw):
        if wanted.checkouts:
            listed = b"\0".join(os.fsencode(path) for path in wanted.checkouts) + b"\0"
            old("checkout-index", "-f", "-q", "-z", "--stdin", stdin=listed)
            for path in snapshot.modes.keys() & set(wanted.checkouts):
                Path(snapshot.root, path).chmod(snapshot.modes[path])
            step("checked out")
    if wanted.index:
        _put_index(Path(repository.git_dir), raw, repository.index_time)
    step("index")


def _put_index(git_dir: Path, raw: bytes, written: int) -> None:
    """Put the index in place as git does: under its lock, renamed whole."""
    lock = git_dir / "index.lock"
    try:
        write_new(lock, raw, mode=0o644)
    except FileExistsError:
        raise StoreError(
            where=str(lock),
            what="another git process is running, or was killed",
            fix="Wait for it, or remove the file; then run 'snaphook undo' again.",
        ) from None
    os.utime(lock, ns=(written, written))
    move(lock, git_dir / "index")


def _restore_stash_log(snapshot: Snapshot) -> None:
    """Put the list of stashes back: it is nothing but the log of their ref."""
    repository = snapshot.repository
    if repository is None or not repository.stash_log:
        return
    log = common(Path(repository.git_dir)) / "logs" / "refs" / "stash"
    log.parent.mkdir(parents=True, exist_ok=True)
    raw = repository.stash_log.encode(errors="surrogateescape")
    replace(log, raw, mode=mode_of(log, 0o644))


def _restore_settings(git: Git, config: str) -> None:
    """Give a branch its settings again where it has lost them."""
    names = ("config", "--local", "--list", "--name-only")
    there = set(git.lines(*names))
    with tempfile.NamedTemporaryFile("w", prefix="snaphook-undo-") as file:
        file.write(config)
        file.flush()
        for line in git.lines("config", "--file", file.name, "--get-regexp", r"^branch\."):
            key, _, value = line.partition(" ")
            if key not in there:
                git("config", "--local", "--add", key, value)


def _write(root: Path, entry: SnapshotEntry, raw: bytes) -> None:
    path = root / entry.path
    if entry.kind is EntryKind.FOLDER:
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            _remove(path)
        path.mkdir(parents=True, exist_ok=True)
        return
    _make_way(root, path)
    fresh = path.with_name(f".snaphook.{secrets.token_hex(6)}")
    try:
        if entry.kind is EntryKind.LINK:
            fresh.symlink_to(entry.target)
        else:
            write_new(fresh, raw, mode=entry.mode)
        move(fresh, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()


def _make_way(root: Path, path: Path) -> None:
    """Make the folders above *path*, and remove a folder that stands in its place."""
    for folder in reversed(path.relative_to(root).parents[:-1]):
        above = root / folder
        if above.is_symlink() or (above.exists() and not above.is_dir()):
            _remove(above)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)


def _remove(path: Path) -> None:
    """Remove what is at *path*, and the folders above it that it leaves empty."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        path.parent.rmdir()
