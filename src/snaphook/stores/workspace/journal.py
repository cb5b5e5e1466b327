"""Several changes as one: written down before they are made, so that a death in between is put right.

Changes  ->  staged copies  ->  intent on disk  ->  steps  ->  intent gone

Before the intent is on disk nothing has happened and nothing will. From then on the steps will be done, by
us or by whoever opens the workspace next. If somebody has changed one of the files by hand meanwhile, the
steps that were done are undone instead, and the hand's work is kept.
"""

import os
import secrets
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from snaphook.errors import StoreError
from snaphook.storage.files import write_new
from snaphook.storage.folders import sync_folder

from .disk import mode_of, put, stage
from .faults import point
from .steps import (
    Replace,
    Step,
    StepState,
    TransactionIntent,
    do,
    folders_of,
    in_order,
    state_of,
    undo,
)

INTENT = "intent.json"


class TransactionJournal:
    """The transactions under way in the workspace at *root*, kept in *folder*."""

    def __init__(self, folder: Path, *, root: Path, max_mb: int) -> None:
        self._folder = folder
        self._root = root
        self._max_mb = max_mb

    def run(
        self,
        name: str,
        steps: Sequence[Step],
        contents: Sequence[tuple[str, bytes]],
        *,
        decide: Callable[[str], None] | None = None,
    ) -> None:
        """Do all of *steps* or none; *contents* are the new versions by path. The caller holds the lock.

        *decide* is somebody elsewhere who has the last word: a database that commits under this
        transaction's id. If it raises, nothing happens here either.
        """
        identity = f"{time.time_ns():020d}-{os.getpid()}-{secrets.token_hex(4)}"
        intent = TransactionIntent(
            id=identity, name=name, steps=in_order(steps), elsewhere=decide is not None
        )
        folder = self._folder / identity
        try:
            self._prepare(intent, folder, dict(contents))
        except BaseException as error:
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, OSError):
                raise self._failed(name, error) from error
            raise
        if decide is not None:
            self._ask(decide, identity, folder)
        self._carry_out(intent, folder)

    def _ask(self, decide: Callable[[str], None], identity: str, folder: Path) -> None:
        """Let *decide* have its say; a plain no ends it here.

        If its answer was lost, or we were interrupted while it spoke, nobody knows what was decided,
        and whoever comes next asks again.
        """
        try:
            decide(identity)
        except StoreError:
            raise
        except Exception:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        point("decided elsewhere")

    def recover(self, decided: Callable[[str], bool] | None = None) -> list[str]:
        """Finish what was begun, or undo it; return a sentence on each. The caller holds the lock.

        *decided* asks who has the last word; a transaction that waits for it waits until it is asked.
        """
        told = []
        for folder in self.pending():
            intent = read_intent(folder)
            if intent is not None and intent.elsewhere and decided is None:
                continue
            if intent is None or (intent.elsewhere and decided and not decided(intent.id)):
                shutil.rmtree(folder, ignore_errors=True)
                told.append(
                    f"{intent.name if intent else folder.name}: had not started, and was dropped"
                )
            else:
                told.append(f"{intent.name}: {self._put_right(intent, folder)}")
        return told

    def pending(self) -> list[Path]:
        """Return the folders of transactions that are not over."""
        try:
            return sorted(entry for entry in self._folder.iterdir() if entry.is_dir())
        except FileNotFoundError:
            return []

    def _prepare(self, intent: TransactionIntent, folder: Path, contents: dict[str, bytes]) -> None:
        folder.mkdir(parents=True)
        point("journal opened")
        for number, step in enumerate(intent.steps):
            if isinstance(step, Replace):
                path = (self._root / step.path).resolve()
                _keep(folder / f"{number}.new", contents[step.path], like=path)
                if step.before:
                    _hold(path, folder / f"{number}.old")
                point(f"copied {number}")
        put(stage(folder / INTENT, msgspec.json.encode(intent)), folder / INTENT)
        sync_folder(self._folder)
        point("intent written")

    def _carry_out(self, intent: TransactionIntent, folder: Path) -> None:
        try:
            for number, step in enumerate(intent.steps):
                do(step, number, intent, self._root, folder, max_mb=self._max_mb)
            self._make_last(intent)
        except (OSError, StoreError) as error:
            if intent.elsewhere:
                raise self._behind(intent.name, error) from error
            self._take_back(intent, folder)
            raise self._failed(intent.name, error) from error
        self._close(folder)

    def _make_last(self, intent: TransactionIntent) -> None:
        """See to it that every rename is on disk before the intent is forgotten."""
        for folder in set().union(*(folders_of(step, self._root) for step in intent.steps)):
            if folder.is_dir():
                sync_folder(folder)
        point("made to last")

    def _put_right(self, intent: TransactionIntent, folder: Path) -> str:
        states = [state_of(step, intent, self._root) for step in intent.steps]
        if StepState.FOREIGN not in states:
            self._carry_out(intent, folder)
            return "was finished"
        if intent.elsewhere:
            self._do_what_is_left(intent, folder)
            return "was completed, except for files changed since"
        self._take_back(intent, folder)
        return "was rolled back, because one of its files was changed since"

    def _do_what_is_left(self, intent: TransactionIntent, folder: Path) -> None:
        for number, step in enumerate(intent.steps):
            if state_of(step, intent, self._root) is StepState.TO_DO:
                do(step, number, intent, self._root, folder, max_mb=self._max_mb)
        self._make_last(intent)
        self._close(folder)

    def _take_back(self, intent: TransactionIntent, folder: Path) -> None:
        for number, step in reversed(list(enumerate(intent.steps))):
            undo(step, number, intent, self._root, folder)
        self._make_last(intent)
        self._close(folder)

    def _close(self, folder: Path) -> None:
        """Take the intent away first: without it, what is left of the folder means nothing.

        Should a power cut bring it back, its steps are found done.
        """
        (folder / INTENT).unlink(missing_ok=True)
        point("intent gone")
        shutil.rmtree(folder, ignore_errors=True)
        point("journal closed")

    def _behind(self, name: str, error: OSError | StoreError) -> StoreError:
        why = error.strerror if isinstance(error, OSError) else str(error).rstrip(".")
        return StoreError(
            where=name,
            what=f"is in the database, but its files are not in place yet ({why})",
            fix="Fix that; they are moved the next time the workspace is opened.",
        )

    def _failed(self, name: str, error: OSError | StoreError) -> StoreError:
        why = error.strerror if isinstance(error, OSError) else str(error).rstrip(".")
        return StoreError(
            where=name,
            what=f"could not be carried out ({why})",
            fix="Nothing was changed. Fix that and try again.",
        )


def read_intent(folder: Path) -> TransactionIntent | None:
    """Return what the transaction in *folder* was about to do; ``None`` if it never began."""
    try:
        return msgspec.json.decode((folder / INTENT).read_bytes(), type=TransactionIntent)
    except (OSError, msgspec.MsgspecError):
        return None


def _hold(path: Path, kept: Path) -> None:
    """Keep the present version of *path*: it will be replaced, not written, so a link will do."""
    try:
        os.link(path, kept)
    except OSError:
        _keep(kept, path.read_bytes(), like=path)


def _keep(path: Path, data: bytes, *, like: Path) -> None:
    write_new(path, data, mode=mode_of(like))
