"""The snapshots of one user: kept, listed, found again, and dropped when they are old.

<data>/undo/<id>.json         what a snapshot holds
<data>/undo/<id>.after.json   how its files stood once the command had run
<data>/undo/trash/            bytes that git does not hold
"""

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from snaphook.errors import StoreError, UsageError
from snaphook.storage.files import replace
from snaphook.storage.folders import make_private

from .git import Git, repository_of
from .plan import RestorePlan, Stat, plan, stat_of
from .restore import Restored, restore
from .state import state
from .take import CannotKeep, Risk, take
from .trash import Trash
from .values import Snapshot, SnapshotLimits

_DAY = 86_400
_BEING_MADE = 3_600
"""Seconds for which bytes that no snapshot names may belong to one that is being taken."""


class SnapshotStore:
    """Everything that was kept, for every project."""

    def __init__(self, folder: Path, limits: SnapshotLimits | None = None) -> None:
        self._folder = folder
        self._limits = limits or SnapshotLimits()
        self.trash = Trash(folder / "trash")

    def keep(
        self,
        root: Path,
        risk: Risk,
        *,
        command: str = "",
        session: str = "",
        step: Callable[[str], None] = lambda _name: None,
    ) -> Snapshot:
        """Take a snapshot of *root*; it can be found again when this returns."""
        made = f"{int(time.time() * 1000):012x}{secrets.token_hex(4)}"
        make_private(self._folder)
        snapshot = take(
            root,
            risk,
            self.trash,
            id=made,
            command=command,
            session=session,
            limits=self._limits,
            step=step,
        )
        try:
            self.trash.sync()
            replace(self._note(made), msgspec.json.encode(snapshot))
        except OSError as why:
            raise CannotKeep(
                where=str(self._folder), what=f"cannot be written ({why})", fix="Make room."
            ) from why
        step("noted")
        return snapshot

    def settle(self, snapshot: Snapshot) -> None:
        """Remember how the files stand now that the command has run: that is not newer work."""
        root = Path(snapshot.root)
        paths = [*(entry.path for entry in snapshot.entries), *snapshot.missing]
        if snapshot.repository is not None:
            paths += state(Git(root, seconds=self._limits.seconds)).untracked
        after = {path: stat_of(root / path) for path in paths}
        replace(self._after(snapshot.id), msgspec.json.encode(after))

    def undo(
        self,
        snapshot: Snapshot,
        *,
        force: bool = False,
        step: Callable[[str], None] = lambda _name: None,
    ) -> Restored:
        """Put the project back as *snapshot* has it; what is there now is kept first.

        An undo that was killed is finished by the next: it may write over what it wrote itself.
        """
        busy = self._folder / f"{snapshot.id}.busy"
        resumed = busy.exists()
        before: list[Snapshot] = []

        def keep(wanted: RestorePlan) -> None:
            if not wanted.empty and not resumed:
                paths = tuple(str(Path(snapshot.root) / path) for path in wanted.paths)
                risk = Risk(paths=paths)
                before.append(self.keep(Path(snapshot.root), risk, command="snaphook undo"))
                replace(busy, b"")

        done = restore(
            snapshot,
            self.trash,
            after=self._settled(snapshot.id),
            force=force or resumed,
            keep=keep,
            step=step,
        )
        for one in before:
            self.settle(one)
        busy.unlink(missing_ok=True)
        return done

    def plan(self, snapshot: Snapshot) -> RestorePlan:
        """Return what an undo would do."""
        return plan(snapshot, self.trash, self._settled(snapshot.id))

    def all(self, root: Path | None = None) -> list[Snapshot]:
        """Return the snapshots, of the project at *root* if one is given, newest first."""
        found = [one for name in self._ids() if (one := self._read(name)) is not None]
        if root is not None:
            own = str(repository_of(root) or root)
            found = [one for one in found if one.root == own or str(root).startswith(one.root)]
        return sorted(found, key=lambda one: one.id, reverse=True)

    def find(self, which: str, root: Path | None = None) -> Snapshot:
        """Return the snapshot that *which* names: 1 for the newest of *root*, or an id's beginning."""
        snapshots = self.all(root)
        if which.isdigit() and len(which) < 4:
            number = int(which)
            if 1 <= number <= len(snapshots):
                return snapshots[number - 1]
        elif named := [one for one in self.all() if one.id.startswith(which)]:
            return named[0]
        raise UsageError(
            where="snaphook undo",
            what=f"unknown snapshot {which}" if snapshots else "no snapshots for this project yet",
            fix="'snaphook undo --list' lists them.",
        )

    def tidy(self) -> int:
        """Drop what is too old or too much, oldest first, and return how many snapshots went."""
        cut = time.time() - self._limits.days * _DAY
        kept = self.all()
        drop = [one for at, one in enumerate(kept) if one.time < cut or at >= self._limits.count]
        for one in drop:
            self.drop(one)
        left = [one for one in kept if one not in drop]
        self._sweep(left)
        while left and self.trash.size() > self._limits.total:
            oldest = left.pop()
            self.drop(oldest)
            drop.append(oldest)
            self._sweep(left)
        return len(drop)

    def drop(self, snapshot: Snapshot) -> None:
        """Forget *snapshot*: its note, and the ref that kept its objects."""
        if snapshot.repository and Path(snapshot.root).is_dir():
            with contextlib.suppress(StoreError):
                Git(Path(snapshot.root))("update-ref", "-d", snapshot.ref)
        for path in (self._note(snapshot.id), self._after(snapshot.id)):
            path.unlink(missing_ok=True)

    def _sweep(self, left: list[Snapshot]) -> None:
        named = [entry.trash for one in left for entry in one.entries if entry.trash]
        named += [one.repository.index for one in left if one.repository]
        self.trash.drop_all_but(named, before=time.time() - _BEING_MADE)

    def _ids(self) -> Iterator[str]:
        for path in self._folder.glob("*.json"):
            if not path.name.endswith(".after.json"):
                yield path.stem

    def _read(self, name: str) -> Snapshot | None:
        try:
            return msgspec.json.decode(self._note(name).read_bytes(), type=Snapshot)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return None

    def _settled(self, name: str) -> dict[str, Stat]:
        try:
            raw = self._after(name).read_bytes()
            found = msgspec.json.decode(raw, type=dict[str, Stat | None])
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return {}
        return {path: seen for path, seen in found.items() if seen is not None}

    def _note(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _after(self, name: str) -> Path:
        return self._folder / f"{name}.after.json"
