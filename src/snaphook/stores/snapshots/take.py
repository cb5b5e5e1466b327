"""Take a snapshot: objects first, the ref that keeps them next, the note that it exists last.

root + Risk  ->  Snapshot

Killed in between, nothing of the project has changed and nothing names a half of one.
"""

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from snaphook.errors import StoreError

from .git import Git, repository_of
from .pack import Pack
from .state import STATUS, WorkTreeState, parse
from .trash import Trash
from .values import EntryKind, Repository, Snapshot, SnapshotEntry, SnapshotLimits

PENDING = ("MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "CHERRY_PICK_HEAD", "REVERT_HEAD")
"""The files in which git remembers a merge or a pick until it is committed."""


class CannotKeep(StoreError):  # noqa: N818 - it says what follows
    """What is at stake cannot be kept, so nothing may happen to it without a person."""


class Risk(Struct, frozen=True, kw_only=True):
    """What a command may destroy beyond the changes that git knows of."""

    paths: tuple[str, ...] = ()
    """Absolute: each of these, and all below it, ignored files too."""


def take(
    root: Path,
    risk: Risk,
    trash: Trash,
    *,
    id: str,  # noqa: A002 - it is one
    command: str = "",
    session: str = "",
    limits: SnapshotLimits | None = None,
    step: Callable[[str], None] = lambda _name: None,
) -> Snapshot:
    """Return a snapshot of *root* whose bytes are all on disk; ``CannotKeep`` if they cannot be.

    *step* is told how far it is.
    """
    limits = limits or SnapshotLimits()
    repository = repository_of(root)
    root = repository or root
    git = Git(root, seconds=limits.seconds) if repository else None
    try:
        told, modes, found = _asked(git, root, limits) if git else (None, {}, WorkTreeState())
        gathered = _Gathered(root, limits)
        gathered.add(found.changed, git=True)
        gathered.add((path for path in found.untracked if not path.endswith("/")), git=True)
        nested = [str(root / path) for path in found.untracked if path.endswith("/")]
        known = frozenset(_tracked(git, risk.paths, root)) if git else frozenset[str]()
        gathered.walk((*risk.paths, *_touched(nested, risk.paths)), known)
        step("gathered")
        snapshot = Snapshot(
            id=id,
            time=time.time(),
            root=str(root),
            entries=tuple(gathered.entries(trash)),
            missing=found.missing,
            modes=modes,
            command=command,
            session=session,
            size=gathered.size,
        )
        step("trashed")
        return _commit(snapshot, git, told, gathered, found, trash) if git and told else snapshot
    except CannotKeep:
        raise
    except (StoreError, OSError, ValueError) as why:
        raise CannotKeep(
            where=str(root), what=f"no snapshot could be taken: {why}", fix="Save it by hand."
        ) from why


class _Gathered:
    """The files that must be kept, with their bytes, until they are."""

    def __init__(self, root: Path, limits: SnapshotLimits) -> None:
        self._root = root
        self._limits = limits
        self._found: dict[str, tuple[SnapshotEntry, bytes, bool]] = {}
        self.size = 0

    def add(self, paths: Iterable[str], *, git: bool) -> None:
        """Add files by their path below the root; *git* may hold their bytes."""
        for path in paths:
            self._add(path, git=git)

    def walk(self, paths: Iterable[str], known: frozenset[str]) -> None:
        """Add everything at and below *paths*; git may hold what is *known* to it already."""
        for top in paths:
            for path in _below(top):
                name = os.path.relpath(path, self._root)
                if name.split(os.sep, 1)[0] not in (os.pardir, ".git") and name != os.curdir:
                    self._add(name, git=name in known)

    def _add(self, name: str, *, git: bool) -> None:
        if name in self._found or name == ".git":
            return
        path = self._root / name
        try:
            seen = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return
        mode = stat.S_IMODE(seen.st_mode)
        if stat.S_ISLNK(seen.st_mode):
            target = str(path.readlink())
            self._put(
                SnapshotEntry(path=name, kind=EntryKind.LINK, mode=mode, target=target),
                b"",
                git=git,
            )
        elif stat.S_ISDIR(seen.st_mode):
            self._put(SnapshotEntry(path=name, kind=EntryKind.FOLDER, mode=mode), b"", git=git)
        elif stat.S_ISREG(seen.st_mode):
            if self.size + seen.st_size > self._limits.bytes:
                raise self._too_much(f"more than {self._limits.bytes >> 20} MB are affected")
            raw = path.read_bytes()
            self.size += len(raw)
            self._put(SnapshotEntry(path=name, mode=mode), raw, git=git)
        else:
            raise self._too_much(f"'{name}' is neither file, folder nor link")

    def _put(self, entry: SnapshotEntry, raw: bytes, *, git: bool) -> None:
        entry.path.encode()  # a name that is no text cannot be written down
        self._found[entry.path] = entry, raw, git
        if len(self._found) > self._limits.files:
            raise self._too_much(f"more than {self._limits.files:,} files are affected")

    def _too_much(self, what: str) -> CannotKeep:
        return CannotKeep(where=str(self._root), what=what, fix="Save what matters by hand first.")

    def entries(self, trash: Trash) -> Iterator[SnapshotEntry]:
        """Yield every entry; the bytes that git may not hold are in *trash* then."""
        for entry, raw, git in self._found.values():
            kept = not git and entry.kind is EntryKind.FILE
            yield replace(entry, trash=trash.keep(raw)) if kept else entry

    def blobs(self) -> Iterator[tuple[str, bytes]]:
        """Yield the path and the bytes of every file that git shall hold."""
        for entry, raw, git in self._found.values():
            if git and entry.kind is EntryKind.FILE:
                yield entry.path, raw


def _asked(
    git: Git, root: Path, limits: SnapshotLimits
) -> tuple[Repository, dict[str, int], WorkTreeState]:
    """Return what git says of itself and of the work tree; it looks at both at once."""
    printed = git.start(*STATUS)
    told = _repository(git, root)
    modes = dict(_odd_modes(git, root, limits.files))
    return told, modes, parse(printed())


def _odd_modes(git: Git, root: Path, most: int) -> Iterator[tuple[str, int]]:
    """Yield the tracked files whose permissions git would not give them."""
    tracked = os.fsdecode(git("ls-files", "-z")).split("\0")
    if len(tracked) > most:
        return
    for name in filter(None, tracked):
        try:
            mode = os.lstat(f"{root}/{name}").st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) and stat.S_IMODE(mode) not in (0o644, 0o755):
            yield name, stat.S_IMODE(mode)


def _commit(
    snapshot: Snapshot,
    git: Git,
    repository: Repository,
    gathered: _Gathered,
    found: WorkTreeState,
    trash: Trash,
) -> Snapshot:
    """Return *snapshot* once a private ref of its repository keeps its objects."""
    index = Path(repository.git_dir) / "index"
    raw = index.read_bytes() if index.exists() else b""
    written = index.stat().st_mtime_ns if raw else 0
    if b"link\x00\x00\x00" in raw[:-20] and list(index.parent.glob("sharedindex.*")):
        raise CannotKeep(
            where=snapshot.root,
            what="the index is split, and cannot be copied by itself",
            fix="Run: git update-index --no-split-index",
        )
    under_way = [text.split()[0] for name, text in repository.pending.items() if "HEAD" in name]
    commits = [repository.head, *repository.refs.values(), *_stashes(repository), *under_way]
    parents = dict.fromkeys(one for one in commits if not one.startswith("refs/"))
    pack = Pack(snapshot.ref, f"Before: {snapshot.command}", snapshot.time, tuple(parents))
    for path, content in gathered.blobs():
        pack.hold(f"files/{path}", content)
    for name, existing in found.staged.items():
        pack.name(f"staged/{name}", existing)
    names = pack.write(git)
    entries = (
        replace(entry, object=names.get(f"files/{entry.path}", "")) for entry in snapshot.entries
    )
    return replace(
        snapshot,
        entries=tuple(entries),
        repository=replace(repository, index=trash.keep(raw), index_time=written),
    )


def _repository(git: Git, root: Path) -> Repository:
    git_dir = _git_dir(root)
    shape = "--format=%(refname) %(objectname)"
    refs = dict(
        line.split(" ", 1) for line in git.lines("for-each-ref", shape, "refs/heads", "refs/stash")
    )
    log = common(git_dir) / "logs" / "refs" / "stash"
    return Repository(
        git_dir=str(git_dir),
        head=_text(git_dir / "HEAD").removeprefix("ref:").strip(),
        refs=refs,
        stash_log=_text(log),
        config=_text(common(git_dir) / "config"),
        pending={name: text for name in PENDING if (text := _text(git_dir / name))},
    )


def _git_dir(root: Path) -> Path:
    """Return where git keeps its own of this work tree; of a linked one, a file tells."""
    own = root / ".git"
    return own if own.is_dir() else root / _text(own).removeprefix("gitdir:").strip()


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except FileNotFoundError:
        return ""


def common(git_dir: Path) -> Path:
    """Return the folder that all work trees of a repository share."""
    pointer = _text(git_dir / "commondir")
    return git_dir / pointer.strip() if pointer else git_dir


def _stashes(repository: Repository) -> Iterator[str]:
    for line in repository.stash_log.splitlines():
        yield line.split(" ")[1]


def _tracked(git: Git, paths: tuple[str, ...], root: Path) -> Iterator[str]:
    """Yield the files below *paths* that git tracks already."""
    inside = [os.path.relpath(path, root) for path in paths if _within(path, str(root))]
    if inside:
        raw = git("--literal-pathspecs", "ls-files", "-z", "--", *inside, check=False)
        yield from filter(None, os.fsdecode(raw).split("\0"))


def _touched(nested: Iterable[str], paths: tuple[str, ...]) -> Iterator[str]:
    """Yield the repositories inside this one that lie below *paths*."""
    for inner in nested:
        if any(_within(inner, path) for path in paths):
            yield inner


def _within(path: str, top: str) -> bool:
    return path == top or path.startswith(top.rstrip("/") + "/")


def _below(top: str) -> Iterator[str]:
    """Yield *top* and all below it, folders before what is in them; links are not followed."""
    yield top
    if os.path.islink(top) or not os.path.isdir(top):  # noqa: PTH112, PTH114 - names by the thousand
        return
    for folder, folders, files in os.walk(top):
        for name in (*folders, *files):
            yield f"{folder}/{name}"
