"""What a snapshot holds. Pure data, kept as JSON beside the objects it names."""

from enum import StrEnum

from msgspec import Struct, field


class EntryKind(StrEnum):
    """What lies at a path."""

    FILE = "file"
    LINK = "link"
    FOLDER = "folder"


class SnapshotEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One path as it was. *path* is relative to the snapshot's root."""

    path: str
    kind: EntryKind = EntryKind.FILE
    mode: int = 0o644
    object: str = ""
    """The git object of its bytes."""
    trash: str = ""
    """The name of its bytes in the trash, where git does not hold them."""
    target: str = ""
    """Where a link leads."""


class Repository(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What git said of itself."""

    git_dir: str
    head: str
    """A ref, or the commit of a detached head."""
    refs: dict[str, str]
    """Branches and the stash, each with its commit."""
    index: str = ""
    """The name of the index file in the trash, byte for byte."""
    index_time: int = 0
    """When it was written: git looks twice at files that were changed in the same moment."""
    stash_log: str = ""
    """The list of stashes, which is the log of their ref."""
    config: str = ""
    """Its settings file: a branch that goes takes its upstream along."""
    pending: dict[str, str] = field(default_factory=dict)
    """The notes of a merge or a pick that is under way."""


class Snapshot(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A project as it was before something happened to it."""

    id: str
    time: float
    root: str
    entries: tuple[SnapshotEntry, ...] = ()
    missing: tuple[str, ...] = ()
    """Files that git tracks and that were not there."""
    modes: dict[str, int] = field(default_factory=dict)
    """Of unchanged files, the permissions that git would not give them by itself."""
    repository: Repository | None = None
    command: str = ""
    """What was about to run."""
    session: str = ""
    size: int = 0
    """Bytes of the files it holds."""

    @property
    def ref(self) -> str:
        """Return the private ref that keeps its objects alive."""
        return f"refs/snaphook/undo/{self.id}"


class SnapshotLimits(Struct, frozen=True, kw_only=True):
    """How much is kept, and for how long."""

    files: int = 20_000
    bytes: int = 512 << 20
    """Of one snapshot."""
    total: int = 2 << 30
    """Of the trash."""
    days: float = 14
    count: int = 200
    seconds: float = 5.0
    """How long git may take to answer."""
