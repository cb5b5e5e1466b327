"""snapshots: what a command destroyed is there again, byte for byte."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.thorough import thorough

from snaphook.errors import UsageError
from snaphook.stores.snapshots import CannotKeep, NewerWork, Risk, SnapshotLimits, SnapshotStore

from .trees import DESTROYERS, make, run, whole


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    return SnapshotStore(tmp_path / "undo")


@pytest.mark.parametrize("seed", range(thorough(80, 8)))
def test_what_any_command_destroys_is_restored_exactly(
    seed: int, tmp_path: Path, store: SnapshotStore
):
    root = tmp_path / "project"
    make(root, seed)
    before = whole(root)
    command = DESTROYERS[seed % len(DESTROYERS)]

    kept = store.keep(root, Risk(paths=(str(root),)), command=command)
    run(root, command)
    store.settle(kept)
    store.undo(kept)

    assert whole(root) == before, command


STEPS_OF_KEEP = ("gathered", "trashed", "noted")
STEPS_OF_UNDO = ("kept", "refs", "head", "checked out", "index", "removed", "wrote", "done")

_VICTIM = """
import os, signal, sys
from pathlib import Path
from snaphook.stores.snapshots import Risk, SnapshotStore

def step(name):
    if name == sys.argv[4]:
        os.kill(os.getpid(), signal.SIGKILL)

shelf, root = SnapshotStore(Path(sys.argv[1])), Path(sys.argv[2])
if sys.argv[3] == "keep":
    shelf.keep(root, Risk(paths=(str(root),)), step=step)
else:
    shelf.undo(shelf.find(sys.argv[3]), step=step)
"""


def killed_at(step: str, what: str, root: Path, folder: Path) -> int:
    words = [sys.executable, "-c", _VICTIM, str(folder), str(root), what, step]
    return subprocess.run(words, check=False, capture_output=True).returncode


@pytest.mark.parametrize("step", STEPS_OF_KEEP)
def test_killed_while_it_is_taken_a_snapshot_has_changed_nothing(step: str, tmp_path: Path):
    root, folder = tmp_path / "project", tmp_path / "undo"
    make(root, 3)
    before = whole(root)

    assert killed_at(step, "keep", root, folder) == -signal.SIGKILL

    assert whole(root) == before
    for snapshot in SnapshotStore(folder).all(root):
        run(root, "git reset --hard -q; rm -rf *")
        SnapshotStore(folder).undo(snapshot, force=True)
        assert whole(root) == before


@pytest.mark.parametrize("step", STEPS_OF_UNDO)
@pytest.mark.parametrize("seed", [0, 7][: thorough(2, 1)])
def test_killed_during_an_undo_the_next_one_finishes_it(step: str, seed: int, tmp_path: Path):
    root, folder = tmp_path / "project", tmp_path / "undo"
    make(root, seed)
    run(root, "git branch -f other HEAD~1")
    before, store = whole(root), SnapshotStore(folder)
    kept = store.keep(root, Risk(paths=(f"{root}/ignored", f"{root}/empty")))
    run(root, "git reset --hard -q HEAD~1; git branch -D other; git clean -fdxq; rm a.txt")
    store.settle(kept)

    died = killed_at(step, kept.id, root, folder)
    store.undo(store.find(kept.id))

    assert died == -signal.SIGKILL
    assert whole(root) == before


def test_an_undo_can_be_undone(tmp_path: Path, store: SnapshotStore):
    root = tmp_path / "project"
    make(root, 5)
    kept = store.keep(root, Risk())
    run(root, "git reset --hard -q; git clean -fdq")
    after = whole(root)

    store.undo(kept)
    store.undo(store.find("1", root))

    assert whole(root) == after


@pytest.mark.parametrize(
    ("later", "named"),
    [
        pytest.param("echo more >> a.txt", "a.txt", id="a changed file"),
        pytest.param("echo other > new.txt", "new.txt", id="a file where one was deleted"),
        pytest.param("git commit -qm newer --allow-empty", "newer", id="a commit"),
    ],
)
def test_newer_work_is_not_written_over_without_force(
    later: str, named: str, tmp_path: Path, store: SnapshotStore
):
    root = tmp_path / "project"
    make(root, 8)
    run(root, "git checkout -q -f main; echo mine > a.txt; echo mine > new.txt")
    before = whole(root)
    kept = store.keep(root, Risk())
    run(root, "git reset --hard -q HEAD~1; rm new.txt")
    store.settle(kept)
    run(root, later)
    changed = whole(root)

    with pytest.raises(NewerWork, match=named):
        store.undo(kept)
    assert whole(root) == changed

    store.undo(kept, force=True)
    assert {key: before[key] for key in ("a.txt", "new.txt", "head")} == {
        key: whole(root)[key] for key in ("a.txt", "new.txt", "head")
    }


def test_files_outside_git_come_back_from_the_trash(tmp_path: Path, store: SnapshotStore):
    root = tmp_path / "plain"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "one").write_bytes(b"\x00\xff")
    (root / "link").symlink_to("sub/one")
    (root / "sub" / "one").chmod(0o600)

    kept = store.keep(root, Risk(paths=(str(root / "sub"), str(root / "link"))))
    run(root, "rm -rf sub link")
    store.undo(kept)

    assert (root / "sub" / "one").read_bytes() == b"\x00\xff"
    assert (root / "sub" / "one").stat().st_mode & 0o777 == 0o600
    assert (root / "link").readlink() == Path("sub/one")


def test_an_ignored_file_never_enters_the_repository(tmp_path: Path, store: SnapshotStore):
    root = tmp_path / "project"
    make(root, 2)
    secret = b"TOKEN=" + os.urandom(8).hex().encode()
    (root / "ignored").mkdir(exist_ok=True)
    (root / "ignored" / ".env").unlink(missing_ok=True)
    (root / "ignored" / ".env").write_bytes(secret)

    kept = store.keep(root, Risk(paths=(str(root / "ignored"),)))
    run(root, "rm -rf ignored")
    held = run(root, "git cat-file --batch-all-objects --batch | grep -ac TOKEN= || true")
    store.undo(kept)

    assert held.strip() == "0"
    assert (root / "ignored" / ".env").read_bytes() == secret


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        pytest.param(SnapshotLimits(bytes=10), "are affected", id="too many bytes"),
        pytest.param(SnapshotLimits(files=3), "are affected", id="too many files"),
    ],
)
def test_what_is_too_much_to_keep_is_refused(limits: SnapshotLimits, why: str, tmp_path: Path):
    root = tmp_path / "project"
    make(root, 4)
    before = whole(root)

    with pytest.raises(CannotKeep, match=why):
        SnapshotStore(tmp_path / "undo", limits).keep(root, Risk(paths=(str(root),)))
    assert whole(root) == before


def test_old_snapshots_go_with_their_objects(tmp_path: Path):
    root, store = tmp_path / "project", SnapshotStore(tmp_path / "undo", SnapshotLimits(count=2))
    make(root, 6)
    for _ in range(4):
        store.keep(root, Risk(paths=(str(root),)))

    assert store.tidy() == 2

    assert len(store.all(root)) == 2
    assert len(run(root, "git for-each-ref refs/snaphook").splitlines()) == 2


def test_a_note_that_cannot_be_read_is_passed_over(tmp_path: Path, store: SnapshotStore):
    root = tmp_path / "project"
    make(root, 6)
    kept = store.keep(root, Risk())
    (tmp_path / "undo" / "broken.json").write_text("{")

    assert store.all(root) == [kept]


@pytest.mark.parametrize("which", ["9", "ffff", "0"])
def test_a_snapshot_that_is_not_there_is_named(which: str, tmp_path: Path, store: SnapshotStore):
    with pytest.raises(UsageError, match="no snapshots for this project yet"):
        store.find(which, tmp_path)
