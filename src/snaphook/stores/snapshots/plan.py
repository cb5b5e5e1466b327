"""What has to be done so that a project is again as a snapshot has it.

Snapshot + the project as it is  ->  RestorePlan

Looks, and changes nothing.
"""

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field

from snaphook.storage.files import write_scratch

from .git import Git
from .state import WorkTreeState, state
from .trash import Trash
from .values import EntryKind, Snapshot, SnapshotEntry

_AT_ONCE = 100
Stat = tuple[int, int]
"""When a file was last changed, and its size."""


class RestorePlan(Struct, frozen=True, kw_only=True):
    """The steps, each of which may be taken twice without harm."""

    writes: tuple[SnapshotEntry, ...] = ()
    """Put there, byte for byte."""
    checkouts: tuple[str, ...] = ()
    """Taken from the index of the snapshot."""
    removals: tuple[str, ...] = ()
    refs: dict[str, str] = field(default_factory=dict)
    """Refs to set, each with its commit."""
    head: str = ""
    """What HEAD shall be, where it is something else."""
    index: bool = False
    """Whether the index differs."""
    now: WorkTreeState = WorkTreeState()

    @property
    def paths(self) -> tuple[str, ...]:
        """Return every path of the work tree that would change."""
        written = (entry.path for entry in self.writes)
        return tuple(dict.fromkeys((*written, *self.checkouts, *self.removals)))

    @property
    def empty(self) -> bool:
        """Say whether there is nothing to do."""
        return not (self.paths or self.refs or self.head or self.index)


def plan(snapshot: Snapshot, trash: Trash, after: Mapping[str, Stat] | None = None) -> RestorePlan:
    """Return what leads from the project as it is to *snapshot*.

    *after* is how the files stood once the command had run: what it made, and nobody touched
    since, goes again.
    """
    root = Path(snapshot.root)
    kept = {entry.path for entry in snapshot.entries}
    writes = tuple(entry for entry in snapshot.entries if _differs(root, entry))
    if snapshot.repository is None:
        return RestorePlan(writes=writes)
    git = Git(root, seconds=60)
    now = state(git)
    tracked_now = set(_listed(git))
    with then(snapshot, trash) as (old, raw):
        before = state(old)
        tracked_then = set(_listed(old))
        changed = {*before.changed, *before.missing}
        checkouts = sorted(changed - kept - set(snapshot.missing))
    added = tracked_now - tracked_then - kept - set(now.changed)
    made = {path for path, seen in (after or {}).items() if stat_of(root / path) == seen}
    added |= made - tracked_then - kept
    stray = [path for path in {*snapshot.missing, *added} if os.path.lexists(root / path)]
    head = _head(git)
    return RestorePlan(
        writes=writes,
        checkouts=tuple(checkouts),
        removals=tuple(sorted(stray)),
        refs=_moved(git, snapshot.repository.refs),
        head=snapshot.repository.head if head != snapshot.repository.head else "",
        index=_index(snapshot).read_bytes() != raw if _index(snapshot).exists() else bool(raw),
        now=now,
    )


def stat_of(path: Path) -> Stat | None:
    """Return when *path* was last changed and how large it is; ``None`` if it is not there."""
    try:
        seen = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return seen.st_mtime_ns, seen.st_size


@contextmanager
def then(snapshot: Snapshot, trash: Trash) -> Iterator[tuple[Git, bytes]]:
    """Yield git as it sees the work tree through the snapshot's index, and that index."""
    assert snapshot.repository is not None
    raw = trash.read(snapshot.repository.index)
    with tempfile.TemporaryDirectory(prefix="snaphook-undo-") as folder:
        index = Path(folder) / "index"
        if raw:
            write_scratch(index, raw)
            os.utime(index, ns=(snapshot.repository.index_time,) * 2)
        yield Git(Path(snapshot.root), seconds=60, index=index), raw


def contents(
    entries: Sequence[SnapshotEntry], git: Git | None, trash: Trash
) -> Iterator[tuple[SnapshotEntry, bytes]]:
    """Yield each of *entries* with its bytes as the snapshot has them, a few objects at a time."""
    for start in range(0, len(entries), _AT_ONCE):
        part = entries[start : start + _AT_ONCE]
        wanted = [entry.object for entry in part if entry.object]
        objects = dict(zip(wanted, git.objects(wanted), strict=True)) if git and wanted else {}
        for entry in part:
            yield entry, trash.read(entry.trash) if entry.trash else objects.get(entry.object, b"")


def _index(snapshot: Snapshot) -> Path:
    assert snapshot.repository is not None
    return Path(snapshot.repository.git_dir) / "index"


def _listed(git: Git) -> Iterator[str]:
    yield from filter(None, os.fsdecode(git("ls-files", "-z")).split("\0"))


def _head(git: Git) -> str:
    found = git.lines("symbolic-ref", "-q", "HEAD") or git.lines("rev-parse", "HEAD")
    return found[0] if found else ""


def _moved(git: Git, refs: dict[str, str]) -> dict[str, str]:
    shape = "--format=%(refname) %(objectname)"
    now = dict(
        line.split(" ", 1) for line in git.lines("for-each-ref", shape, "refs/heads", "refs/stash")
    )
    return {name: commit for name, commit in refs.items() if now.get(name) != commit}


def _differs(root: Path, entry: SnapshotEntry) -> bool:
    """Say whether what is at the entry's path is anything but the entry."""
    path = root / entry.path
    try:
        seen = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    match entry.kind:
        case EntryKind.LINK:
            return not stat.S_ISLNK(seen.st_mode) or str(path.readlink()) != entry.target
        case EntryKind.FOLDER:
            return not stat.S_ISDIR(seen.st_mode) or stat.S_IMODE(seen.st_mode) != entry.mode
    if not stat.S_ISREG(seen.st_mode) or stat.S_IMODE(seen.st_mode) != entry.mode:
        return True
    return not _is(entry, path.read_bytes())


def _is(entry: SnapshotEntry, raw: bytes) -> bool:
    """Say whether *raw* are the entry's bytes, by their name."""
    if entry.trash:
        return hashlib.sha256(raw).hexdigest() == entry.trash
    named = hashlib.sha256 if len(entry.object) == 64 else hashlib.sha1
    return named(b"blob %d\0" % len(raw) + raw).hexdigest() == entry.object
