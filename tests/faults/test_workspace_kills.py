"""Death at every step of a transaction: afterwards the workspace is as it was, or as it was to become.

The places come from a run that is left alone: each is then the place of a death, by SIGKILL, in a process of
its own.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.thorough import thorough

from snaphook.errors import StoreError
from snaphook.stores.workspace import (
    AgentRecord,
    Claim,
    EventEntry,
    FileWorkspace,
    SkillOutcome,
    SkillUse,
    layout_at,
    make_workspace,
    start_run,
)
from snaphook.stores.workspace import steps as room

QUEUE = "# the list\ntasks:\n- id: TASK-001\n  status: pending # really\n  title: One\n"
NOW = 1_800_000_000.0

FORKER = """
import json, os, signal, sys
from pathlib import Path
sys.path[:0] = json.loads(sys.argv[1])
import ruamel.yaml
from snaphook.stores.workspace import faults
from tests.faults import test_workspace_kills as deeds

for line in sys.stdin:
    deed, root, deadly = json.loads(line)
    child = os.fork()
    if child == 0:
        passed = []
        def listener(name):
            passed.append(name)
            if len(passed) == deadly:
                os.kill(os.getpid(), signal.SIGKILL)
        faults.listener = listener
        try:
            getattr(deeds, deed)(Path(root))
            os.write(1, (json.dumps(passed) + "\\n").encode())
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        os.write(1, b'"killed"\\n')
"""


class Forker:
    """A process without threads, from which each deed gets a child of its own to die in."""

    def __init__(self) -> None:
        paths = json.dumps([str(Path(__file__).parents[2])])
        self._process = subprocess.Popen(
            [sys.executable, "-c", FORKER, paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, deed: Callable[[Path], None], root: Path, *, deadly: int = 0) -> list[str] | None:
        """Run *deed* and return the places it passed; ``None`` if it was killed at the *deadly*-th."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([deed.__name__, str(root), deadly]) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        return None if said == "killed" else said

    def close(self) -> None:
        self._process.communicate(timeout=10)


@pytest.fixture(scope="module")
def forker():
    made = Forker()
    yield made
    made.close()


def opened(root: Path) -> FileWorkspace:
    return FileWorkspace(layout_at(root), clock=lambda: NOW)


CLAIM = Claim(task_id="TASK-001", agent="executor-1", token=1, until=NOW + 120, run_id="run-1")


def prepare(root: Path) -> Path:
    """Make a workspace in which executor-1 works on TASK-001."""
    root.mkdir()
    layout = layout_at(root)
    layout.communications.mkdir(parents=True)
    layout.queue.write_text(QUEUE)
    make_workspace(root)
    folder = layout.task_folder("TASK-001")
    folder.mkdir(parents=True)
    (folder / "task.md").write_text("# TASK-001: One\n\n**Status:** in_progress\n")
    place = opened(root)
    assert place.claim("executor-1", run_id="run-1") == CLAIM
    start_run(layout, run_id="run-1", agent_type="executor", now=NOW, task_id="TASK-001")
    return root


def copied(ready: Path, root: Path) -> Path:
    """Return a workspace like *ready*."""
    shutil.copytree(ready, root)
    return root


def stop(root: Path) -> None:
    """Do what the end of a session does: everything at once."""
    place = opened(root)
    layout = place.layout
    run = layout.runs / "executor" / "active" / "run-1"
    with place.transaction("stop run-1", once="run-1") as change:
        change.complete(CLAIM)
        task = layout.task_folder("TASK-001") / "task.md"
        change.write(task, "# TASK-001: One\n\n**Status:** completed\n")
        change.move_task("TASK-001")
        change.move(run, layout.runs / "executor" / "completed" / "run-1")
        change.record_skill(SkillUse(task_id="TASK-001", outcome=SkillOutcome.SUCCESS))
        change.set_agent(AgentRecord(id="executor-1", type="executor", status="idle"))
        change.log(EventEntry(type="completed", task_id="TASK-001", agent="executor-1"))
        change.log(EventEntry(type="retained", task_id="TASK-001", agent="executor-1"))


def reopen(root: Path) -> None:
    """Start again after whatever happened."""
    opened(root)


def rows_of(text: str) -> str:
    """Return the log without what only tells how it came about."""
    return "\n".join(
        ln for ln in text.splitlines() if not ln.startswith("#") and "recovered" not in ln
    )


def state(root: Path) -> dict[str, str]:
    """Return every file that means something, with its contents."""
    kept = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        private = name.startswith(".workspace/") and not name.endswith("done.json")
        if path.is_file() and not private:
            text = path.read_text()
            kept[name] = rows_of(text) if name.endswith("events.yaml") else text
    return kept


@pytest.mark.req("BB-ST-4", "BB-F")
def test_killed_at_any_step_a_stop_has_happened_or_has_not(tmp_path: Path, forker: Forker):
    ready = prepare(tmp_path / "before")
    before = state(ready)
    places = forker.run(stop, copied(ready, tmp_path / "after"))
    after = state(tmp_path / "after")
    assert places is not None
    assert before != after
    assert {"journal opened", "intent written", "step 0", "intent gone", "journal closed"} <= set(
        places
    )

    ends = {"old": 0, "new": 0}
    for deadly in range(1, len(places) + 1, thorough(1, 2)):
        root = copied(ready, tmp_path / f"killed-{deadly}")
        assert forker.run(stop, root, deadly=deadly) is None
        opened(root)
        found = state(root)
        assert found in (before, after), f"killed at {places[deadly - 1]}: neither old nor new"
        begun = deadly >= places.index("intent written")  # the rename just before it decides
        assert found == (after if begun else before), places[deadly - 1]
        ends["new" if begun else "old"] += 1
        assert not (root / ".workspace" / "journal").exists() or not any(
            (root / ".workspace" / "journal").iterdir()
        )
        if not begun:
            stop(root)
            assert state(root) == after, "what never began can be done again"
    assert min(ends.values()) > 2


@pytest.mark.req("BB-ST-4")
def test_killed_while_it_is_put_right_it_is_put_right_the_next_time(tmp_path: Path, forker: Forker):
    ready = prepare(tmp_path / "before")
    places = forker.run(stop, copied(ready, tmp_path / "after"))
    after = state(tmp_path / "after")
    assert places is not None
    committed = places.index("intent written") + 1
    first = prepare(tmp_path / "first")
    assert forker.run(stop, first, deadly=committed) is None
    repairs = forker.run(reopen, first)
    assert repairs is not None
    assert state(first) == after
    for deadly in range(1, len(repairs) + 1, thorough(1, 6)):
        root = copied(ready, tmp_path / f"twice-{deadly}")
        assert forker.run(stop, root, deadly=committed) is None
        assert forker.run(reopen, root, deadly=deadly) is None
        opened(root)
        assert state(root) == after, repairs[deadly - 1]


@pytest.mark.req("BB-ST-4")
def test_a_second_stop_changes_nothing(tmp_path: Path):
    root = prepare(tmp_path / "twice")
    stop(root)
    once = state(root)
    stop(root)

    assert state(root) == once


def test_a_hand_that_changed_a_file_meanwhile_wins_and_the_rest_is_undone(
    tmp_path: Path, forker: Forker
):
    root = prepare(tmp_path / "work")
    before = state(root)
    places = forker.run(stop, prepare(tmp_path / "whole"))
    assert places is not None
    assert forker.run(stop, root, deadly=places.index("step 3") + 1) is None
    queue = layout_at(root).queue
    queue.write_text(queue.read_text() + "# a thought of mine\n")
    place = opened(root)

    assert "# a thought of mine" in queue.read_text()
    name = str(queue.relative_to(root.resolve()))
    assert {k: v for k, v in state(root).items() if k != name} == {
        k: v for k, v in before.items() if k != name
    }
    assert "rolled back" in place.entries(1)[0].notes


@pytest.mark.req("BB-ST-4", "BB-F")
def test_a_step_that_fails_takes_back_those_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    root = prepare(tmp_path / "work")
    before = state(root)

    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(room, "_rename", full)
    with pytest.raises(StoreError, match=r"No space left.*Nothing was changed"):
        stop(root)
    monkeypatch.undo()

    assert state(root) == before
    assert not any((root / ".workspace" / "journal").iterdir())
