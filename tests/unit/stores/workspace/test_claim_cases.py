"""The 47 ways in which BlackBox5 wrote down that a claim can go wrong, each caused here.

Thirty-seven numbered cases of its analysis, and the ten scenarios it asked to be tested (9.3.1 to 9.3.10).
"""

import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from snaphook.errors import ClaimError, StoreError, UsageError
from snaphook.stores.workspace import (
    Claim,
    FileWorkspace,
    Task,
    TaskStatus,
    WorkspaceSettings,
    faults,
    find_document,
    find_root,
    layout_at,
    make_workspace,
    new_run_id,
    open_workspace,
    read_document,
    runs_of_task,
    start_run,
)
from snaphook.stores.workspace.doctor import examine
from snaphook.stores.workspace.intent import claimed_tasks

from .conftest import Clock

QUEUE = """\
# the planner's
tasks:
- id: TASK-001
  status: pending  # free
  title: One
- id: TASK-002
  status: pending
  title: Two
- id: TASK-003
  status: completed
  completed_by: ada
- id: TASK-004
  status: pending
  blockedBy: [TASK-001]
"""


class Stage:
    """A workspace, a clock, and whatever else a case needs."""

    def __init__(self, root: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.clock, self.monkeypatch = root, clock, monkeypatch
        make_workspace(root)
        self.layout = layout_at(root)
        self.layout.queue.write_text(QUEUE)
        self.place = self.another()

    def another(self) -> FileWorkspace:
        """Return the same workspace as another process sees it."""
        return FileWorkspace(self.layout, WorkspaceSettings(patience_seconds=5), clock=self.clock)

    def claim(self, task_id: str = "TASK-001", agent: str = "a", **options: str) -> Claim:
        claim = self.place.claim(agent, task_id, **options)  # type: ignore[arg-type]
        assert claim is not None
        return claim

    def refused(self, says: str, task_id: str, agent: str = "b") -> None:
        before = self.layout.queue.read_text()
        with pytest.raises((ClaimError, UsageError, StoreError), match=says):
            self.place.claim(agent, task_id)
        assert self.layout.queue.read_text() == before

    def run(self, run_id: str, task_id: str = "TASK-001") -> Path:
        made = start_run(
            self.layout, run_id=run_id, agent_type="executor", now=0.0, task_id=task_id
        )
        return made.folder

    def full_disk(self, at: str) -> None:
        """Let the disk be full when the place called *at* is passed."""

        def listener(name: str) -> None:
            if name == at:
                raise OSError(28, "No space left on device", name)

        self.monkeypatch.setattr(faults, "listener", listener)


CASES: dict[str, Callable[[Stage], None]] = {}


def case(name: str) -> Callable[[Callable[[Stage], None]], Callable[[Stage], None]]:
    def add(check: Callable[[Stage], None]) -> Callable[[Stage], None]:
        CASES[name] = check
        return check

    return add


@case("1.1 already claimed: the same agent has it still, another does not get it")
def _(stage: Stage) -> None:
    first = stage.claim()
    assert stage.claim() == first
    stage.refused("is held by 'a'", "TASK-001")


@case("1.2 does not exist: said so, and nothing is made")
def _(stage: Stage) -> None:
    stage.refused("TASK-999: is not in the queue", "TASK-999")
    assert not any(stage.layout.runs.iterdir())


@case("1.3 completed already: said so, and by whom")
def _(stage: Stage) -> None:
    stage.refused("is completed already by 'ada'", "TASK-003")


@case("1.4 no task.md, or an empty one: what is missing is named")
def _(stage: Stage) -> None:
    stage.claim()
    assert "has no task.md" in find_document(stage.layout, "TASK-001").problems[0]
    assert [p.partition("has no ")[2] for p in read_document("").problems] == [
        "title",
        "objective",
        "criteria",
    ]


@case("1.5 the id in another spelling: found if it is unmistakable")
def _(stage: Stage) -> None:
    for said in ("task-001", "Task-001", "TASK001", "TASK-01", "task_1"):
        assert stage.claim(said).task_id == "TASK-001"
    stage.place.add(Task(id="TASK-1"))
    stage.refused("several tasks.*TASK-001 or TASK-1", "task1")


@case("1.6 several tasks in one sentence: none is guessed")
def _(stage: Stage) -> None:
    assert claimed_tasks("Compare TASK-001 and TASK-002, then claim the easier one") == ()


@case("2.1 no plan: the task stands on its own, no path is made of nothing")
def _(stage: Stage) -> None:
    assert read_document("# TASK-001: One\n").plan == ""


@case("2.2 no goal: likewise")
def _(stage: Stage) -> None:
    assert read_document("---\nlinked_goal: null\n---\n").goal == ""


@case("2.3 a ring: found, and nobody runs in it")
def _(stage: Stage) -> None:
    stage.layout.queue.write_text("tasks:\n- {id: A, blockedBy: [B]}\n- {id: B, blockedBy: [A]}\n")
    assert any("A waits for B waits for A" in finding.what for finding in examine(stage.place))
    assert stage.place.claim("a") is None


@case("2.4 blocked by what is not done: refused, and what it waits for is named")
def _(stage: Stage) -> None:
    stage.refused("waits for TASK-001", "TASK-004")
    stage.place.complete(stage.claim())
    assert stage.claim("TASK-004").task_id == "TASK-004"


@case("3.1 queue.yaml locked or corrupt: told, left as it is")
def _(stage: Stage) -> None:
    stage.layout.queue.write_text("tasks: [half")
    stage.refused("It was not changed", "TASK-001")
    stage.layout.queue.write_text(QUEUE)
    hasty = FileWorkspace(stage.layout, WorkspaceSettings(patience_seconds=0.05))
    with stage.place.locked(), pytest.raises(StoreError, match="has been changing the workspace"):
        hasty.claim("b", "TASK-001")


@case("3.2 a full disk: nothing half made, nothing claimed")
def _(stage: Stage) -> None:
    for at in ("staged", "run staged"):
        stage.full_disk(at)
        with pytest.raises(StoreError, match="No space left"):
            stage.place.claim("a", "TASK-001") if at == "staged" else stage.run("run-1")
        assert stage.layout.queue.read_text() == QUEUE
        assert not list(stage.root.rglob("run-1"))


@case("3.3 death in the middle: the claim is there or it is not, and a lease ends it")
def _(stage: Stage) -> None:
    stage.claim()
    stage.clock.forward(121)
    assert [task.id for task in stage.another().sweep()] == ["TASK-001"]


@case("3.4 no permission: told, nothing changed")
def _(stage: Stage) -> None:
    stage.monkeypatch.setattr("os.access", lambda *_: False)
    stage.refused("is read-only.*Nothing was changed", "TASK-001")


@case("3.5 a network disk: a file replaced by another host is seen at once")
def _(stage: Stage) -> None:
    assert stage.place.task("TASK-001")
    other = stage.layout.queue.with_name("other")
    other.write_text(QUEUE.replace("TASK-001", "TASK-011"))
    other.replace(stage.layout.queue)
    assert stage.place.task("TASK-011")


@case("3.6 folders made at once: every run has one of its own")
def _(stage: Stage) -> None:
    ids = {new_run_id(0.0, "TASK-001") for _ in range(50)}
    assert len({stage.run(run_id) for run_id in list(ids)[:5]}) == 5
    assert len(ids) > 45


@case("4.1 two at once: one gets it")
def _(stage: Stage) -> None:
    assert sorted(_race(stage, ["TASK-001", "TASK-001"]), key=str) == ["TASK-001", "refused"]


@case("4.2 moved to completed meanwhile: the transaction finds out and does nothing")
def _(stage: Stage) -> None:
    claim = stage.claim()
    there = stage.layout.task_folder("TASK-001", "completed")
    there.mkdir(parents=True)
    with stage.place.transaction("stop") as change:
        change.complete(claim)
        change.move_task("TASK-001")
    assert there.is_dir()


@case("4.3 another update meanwhile: neither is lost")
def _(stage: Stage) -> None:
    other = stage.another()
    stage.place.tasks()
    two = other.claim("b", "TASK-002")
    assert two
    stage.claim()
    other.complete(two)
    assert [t.status for t in stage.place.tasks()[:2]] == [
        TaskStatus.IN_PROGRESS,
        TaskStatus.COMPLETED,
    ]


@case("4.4 a reader that keeps the queue in memory: sees the claim the next time it looks")
def _(stage: Stage) -> None:
    reader = stage.another()
    assert reader.counts().in_progress == 0
    stage.claim()
    assert reader.counts().in_progress == 1


@case("4.5 two hooks make the run's folder: it is one folder")
def _(stage: Stage) -> None:
    assert stage.run("run-1") == stage.run("run-1")
    assert len(list(stage.root.rglob("run-1"))) == 1


@case("5.1 a session start after a claim: finds the claim and its run")
def _(stage: Stage) -> None:
    stage.claim(run_id="run-1")
    seen = stage.another().snapshot("a").claimed
    assert seen
    assert (seen.id, seen.run_id) == ("TASK-001", "run-1")


@case("5.2 claimed and gone: the sweep gives it back")
def _(stage: Stage) -> None:
    stage.claim()
    stage.clock.forward(121)
    assert stage.place.sweep()
    assert stage.place.task("TASK-001") == Task(id="TASK-001", title="One", token=1)


@case("5.3 a second task: refused until the first is done")
def _(stage: Stage) -> None:
    stage.claim()
    stage.refused("'a' is still working on TASK-001", "TASK-002", agent="a")


@case("5.4 claimed in the middle of a session: its earlier run is found by the task")
def _(stage: Stage) -> None:
    stage.run("run-20260101-000000-TASK-001")
    stage.claim(run_id="run-20260101-000000-TASK-001")
    assert [run.id for run in runs_of_task(stage.layout, "TASK-001")] == [
        "run-20260101-000000-TASK-001"
    ]


@case("5.5 mentioned, not claimed: no claim")
def _(stage: Stage) -> None:
    for said in ("Don't claim TASK-001", "What is the status of TASK-001?", "TASK-001 vs TASK-002"):
        assert claimed_tasks(said) == ()


@case("5.6 the stop knows what was claimed, and a stop of failed work completes nothing")
def _(stage: Stage) -> None:
    stage.claim()
    [claim] = stage.another().claims_of("a")
    stage.another().block(claim, "tests fail")
    assert stage.place.task("TASK-001").reason == "tests fail"  # type: ignore[union-attr]


@case("6.1 half of the templates: a run's folder is complete or not there")
def _(stage: Stage) -> None:
    stage.full_disk("run staged")
    with pytest.raises(StoreError):
        stage.run("run-1")
    stage.monkeypatch.setattr(faults, "listener", None)
    assert {"THOUGHTS.md", "RESULTS.md", "DECISIONS.md", "LEARNINGS.md", "metadata.yaml"} <= {
        path.name for path in stage.run("run-1").iterdir()
    }


@case("6.2 metadata that makes no sense: read as far as it goes, the rest is named")
def _(stage: Stage) -> None:
    odd = read_document("---\npriority: high\ntitle: [1\n---\n# X: y\n\n## Objective\nz\n")
    assert (odd.priority, odd.title, odd.objective) == ("", "y", "z")
    assert "not valid YAML" in odd.problems[0]
    assert read_document("---\npriority: high\n---\n").priority == "HIGH"


@case("6.3 the same second: other run ids")
def _(stage: Stage) -> None:
    assert len({new_run_id(0.0) for _ in range(20)}) > 18


@case("6.4 no variable set: the folder is found, and never guessed")
def _(stage: Stage) -> None:
    inside = stage.root / "tasks" / "active"
    assert find_root(inside) == stage.root
    with pytest.raises(StoreError, match="not inside a workspace"):
        open_workspace(Path("/"))


@case("6.5 text that breaks templates: written as data")
def _(stage: Stage) -> None:
    title = "{RUN_ID} '%s' \"$(id)\" \u2028 ü: # -"
    stage.place.add(Task(id="ODD", title=title))
    assert stage.another().task("ODD").title == title  # type: ignore[union-attr]
    assert yaml.safe_load(stage.layout.queue.read_text())["tasks"][-1]["title"] == title


@case("7.1 misspelled: the nearest is offered")
def _(stage: Stage) -> None:
    stage.refused("Did you mean .*TASK-001", "TASK-00I")


@case("7.2 other case: the task's own spelling is kept")
def _(stage: Stage) -> None:
    assert stage.claim("task-001").task_id == "TASK-001"


@case("7.3 success is told: who, what, until when")
def _(stage: Stage) -> None:
    claim = stage.claim(run_id="run-1")
    assert claim == Claim(
        task_id="TASK-001", agent="a", token=1, until=stage.clock() + 120, run_id="run-1"
    )
    assert stage.place.entries(1)[0].type == "started"


@case("8.1 a path for an id: refused before any file is looked at")
def _(stage: Stage) -> None:
    for name in ("TASK-../../../etc/passwd", "../x", "a/b", "/etc", "..", "a\0b"):
        stage.refused("cannot be a task id", name)
        with pytest.raises(UsageError):
            stage.run(name)


@case("8.2 a command in a task's text: it stays text")
def _(stage: Stage) -> None:
    stage.place.add(Task(id="X", title="$(touch /tmp/owned); `id`", reason="'; rm -rf / #"))
    assert stage.another().task("X") == Task(
        id="X", title="$(touch /tmp/owned); `id`", reason="'; rm -rf / #"
    )


@case("9.3.1 two agents for one task, again and again: always one")
def _(stage: Stage) -> None:
    for _ in range(5):
        got = _race(stage, ["TASK-001"] * 2)
        assert sorted(got, key=str) == ["TASK-001", "refused"]
        stage.place.reopen("TASK-001")


@case("9.3.2 a claim while another process writes: it waits its turn")
def _(stage: Stage) -> None:
    with stage.place.locked():
        thread = threading.Thread(target=lambda: stage.another().claim("b", "TASK-002"))
        thread.start()
        assert stage.place.task("TASK-002").claimed_by == ""  # type: ignore[union-attr]
    thread.join()
    assert stage.place.task("TASK-002").claimed_by == "b"  # type: ignore[union-attr]


@case("9.3.3 a full disk while a folder is made: nothing is left")
def _(stage: Stage) -> None:
    stage.full_disk("run staged")
    with pytest.raises(StoreError, match="Nothing was left behind"):
        stage.run("run-1")
    assert not list(stage.layout.runs.rglob("*run-1*"))


@case("9.3.4 no permission to the lock: told which file")
def _(stage: Stage) -> None:
    shutil.rmtree(stage.layout.private)
    stage.layout.private.write_text("in the way")
    stage.refused(re.escape(str(stage.layout.private)), "TASK-001")


@case("9.3.5 completed during the claim: the claim says so")
def _(stage: Stage) -> None:
    stage.place.tasks()
    other = stage.another()
    claim = other.claim("b", "TASK-001")
    assert claim
    other.complete(claim)
    stage.refused("is completed already by 'b'", "TASK-001")


@case("9.3.6 a death after half a folder: the next run is whole")
def _(stage: Stage) -> None:
    (stage.layout.runs / "executor" / "active" / ".run-1.99.new").mkdir(parents=True)
    assert len(list(stage.run("run-1").iterdir())) == 7


@case("9.3.7 paths as ids of agents and runs: refused")
def _(stage: Stage) -> None:
    stage.refused("cannot be the name of an agent", "TASK-001", agent="../../root")


@case("9.3.8 malformed task files: none stops a claim")
def _(stage: Stage) -> None:
    folder = stage.layout.task_folder("TASK-001")
    folder.mkdir(parents=True)
    (folder / "task.md").write_bytes(b"---\n\xff: [\n")
    stage.claim()
    assert find_document(stage.layout, "TASK-001").problems


@case("9.3.9 plan or goal that does not exist: the task can be claimed")
def _(stage: Stage) -> None:
    stage.place.add(Task(id="TASK-010", goal="IG-404"))
    stage.claim("TASK-010")


@case("9.3.10 different tasks at once: everybody gets theirs")
def _(stage: Stage) -> None:
    assert sorted(_race(stage, ["TASK-001", "TASK-002"]), key=str) == ["TASK-001", "TASK-002"]


def _race(stage: Stage, wanted: list[str]) -> list[str]:
    """Return what came of each claim, all made at once by agents of their own."""
    got: list[str] = []
    gate = threading.Barrier(len(wanted))

    def work(number: int, task_id: str) -> None:
        place = stage.another()
        gate.wait()
        try:
            claim = place.claim(f"racer-{number}", task_id)
            got.append(claim.task_id if claim else "nothing")
        except ClaimError:
            got.append("refused")

    threads = [threading.Thread(target=work, args=each) for each in enumerate(wanted)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return got


@pytest.mark.req("BB-F")
@pytest.mark.parametrize("name", CASES)
def test_a_claim_goes_right(
    name: str, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    CASES[name](Stage(tmp_path.resolve(), clock, monkeypatch))


def test_every_written_case_is_here():
    numbers = [name.split()[0] for name in CASES]

    assert len(set(numbers)) == 47
    assert [number for number in numbers if number.startswith("9.3.")] == [
        f"9.3.{n}" for n in range(1, 11)
    ]
