"""Files and database brought to the same state: what goes where, and who wins."""

import itertools
from pathlib import Path

import pytest

from snaphook.errors import StoreError
from snaphook.stores.workspace import (
    AgentRecord,
    Claim,
    EventEntry,
    FileWorkspace,
    Task,
    TaskStatus,
    WorkspaceSettings,
    faults,
    journal,
    layout_at,
    make_workspace,
    steps,
)
from snaphook.stores.workspace.sync import Conflict, Side, SyncReport

from .samples import CURRENT, OLDER, SINGLE

pytestmark = pytest.mark.needs("postgres")
NUMBERS = itertools.count()


class Pair:
    """The same project in files and in a database."""

    def __init__(self, root: Path, url: str, text: str = CURRENT) -> None:
        from snaphook.stores.workspace.postgres_copy import SharedWorkspace

        make_workspace(root)
        layout = layout_at(root)
        layout.queue.write_text(text)
        settings = WorkspaceSettings(store=url, project=f"sync-{next(NUMBERS)}-{root}")
        self.files = FileWorkspace(layout, settings)
        self.shared = SharedWorkspace(layout, settings)

    def sync(self) -> SyncReport:
        from snaphook.stores.workspace.sync import Exchange

        return Exchange(self.files, self.shared).run()

    def same(self) -> bool:
        return self.files.tasks() == self.shared.tasks()


@pytest.fixture
def pair(tmp_path: Path, postgres_url: str):
    made = Pair(tmp_path, postgres_url)
    yield made
    made.shared.close()


def claimed(place: FileWorkspace, agent: str, task_id: str) -> Claim:
    claim = place.claim(agent, task_id)
    assert claim is not None
    return claim


def test_a_first_meeting_fills_the_empty_side_and_a_second_does_nothing(pair: Pair):
    first = pair.sync()

    assert first == SyncReport(to_database=3, to_files=0)
    assert pair.same()
    assert pair.shared.item("TASK-001")["roi"] == {"impact": 8.5, "effort": 45}  # type: ignore[index]
    assert pair.sync() == SyncReport(to_database=0, to_files=0)
    assert pair.files.layout.queue.read_text() == CURRENT


def test_what_changed_on_one_side_goes_to_the_other(pair: Pair):
    pair.sync()
    claimed(pair.files, "here", "TASK-002")
    pair.shared.add(Task(id="TASK-100", title="From afar"), {"roi": {"impact": 1}})

    assert pair.sync() == SyncReport(to_database=2, to_files=1)  # a task and the entry of its claim
    assert pair.same()
    assert pair.files.task("TASK-100") == Task(id="TASK-100", title="From afar")
    assert pair.shared.task("TASK-002").claimed_by == "here"  # type: ignore[union-attr]
    text = pair.files.layout.queue.read_text()
    assert all(line in text for line in CURRENT.splitlines() if line.startswith("#"))


@pytest.mark.parametrize(
    ("here", "there", "kept", "status"),
    [
        pytest.param(2, 1, Side.FILES, TaskStatus.IN_PROGRESS, id="the later claim wins"),
        pytest.param(1, 2, Side.DATABASE, TaskStatus.IN_PROGRESS, id="whichever side it is on"),
        pytest.param(
            1, 1, Side.DATABASE, TaskStatus.IN_PROGRESS, id="the database, if nothing else tells"
        ),
    ],
)
def test_where_both_changed_the_later_claim_wins(
    pair: Pair, here: int, there: int, kept: Side, status: TaskStatus
):
    pair.sync()
    for place, times, name in ((pair.files, here, "here"), (pair.shared, there, "there")):
        for _ in range(times - 1):
            place.release(place.claim(name, "TASK-002"))  # type: ignore[arg-type]
        place.claim(name, "TASK-002")

    assert pair.sync().conflicts == (Conflict(task_id="TASK-002", kept=kept),)
    assert pair.same()
    task = pair.files.task("TASK-002")
    assert task is not None
    assert (task.claimed_by, task.status) == ("here" if kept is Side.FILES else "there", status)


def test_where_the_claim_is_the_same_the_one_that_is_further_wins(pair: Pair):
    claim = claimed(pair.files, "agent", "TASK-002")
    pair.sync()
    pair.files.complete(claim)
    pair.shared.block(claim, "something")

    assert pair.sync().conflicts == (Conflict(task_id="TASK-002", kept=Side.FILES),)
    assert pair.shared.task("TASK-002").status is TaskStatus.COMPLETED  # type: ignore[union-attr]


def test_logs_are_exchanged_once(pair: Pair):
    pair.files.log(EventEntry(type="here", timestamp="2026-01-01T00:00:00Z"))
    pair.shared.log(EventEntry(type="there", timestamp="2026-01-01T00:00:01Z"))
    pair.sync()
    pair.files.log(EventEntry(type="here again", timestamp="2026-01-01T00:00:02Z"))
    for _ in range(3):
        pair.sync()

    assert [entry.type for entry in pair.files.entries(9)] == ["here", "there", "here again"]
    assert sorted(e.type for e in pair.shared.entries(9)) == ["here", "here again", "there"]


def test_the_later_word_on_an_agent_counts(pair: Pair):
    pair.files.set_agent(AgentRecord(id="a", started_at="2026-01-01T00:00:00Z"))
    pair.shared.set_agent(
        AgentRecord(
            id="a",
            status="idle",
            started_at="2026-01-01T00:00:00Z",
            stopped_at="2026-01-02T00:00:00Z",
        )
    )
    pair.files.beat("a")
    pair.sync()

    assert pair.files.agents() == pair.shared.agents()
    assert pair.files.agents()["a"].status == "idle"
    assert pair.files.heartbeats() == pair.shared.heartbeats()


def test_an_older_queue_keeps_its_spelling(tmp_path: Path, postgres_url: str):
    pair = Pair(tmp_path, postgres_url, OLDER)
    pair.sync()
    pair.shared.add(Task(id="TASK-100", title="New"))
    pair.sync()

    assert "task_id: TASK-100" in pair.files.layout.queue.read_text()
    pair.shared.close()


def test_a_queue_of_one_is_not_shared(tmp_path: Path, postgres_url: str):
    pair = Pair(tmp_path, postgres_url, SINGLE)
    with pytest.raises(StoreError, match="cannot be synced"):
        pair.sync()

    assert pair.files.layout.queue.read_text() == SINGLE
    pair.shared.close()


class Cut(BaseException):
    """The process dies here."""


@pytest.mark.req("BB-ST-4")
@pytest.mark.parametrize(
    ("place", "happens"),
    [
        pytest.param("intent written", False, id="before the database has spoken"),
        pytest.param("decided elsewhere", True, id="after it has"),
        pytest.param("step 0", True, id="after the first step"),
        pytest.param("made to last", True, id="after the last"),
    ],
)
def test_a_death_between_database_and_folders_is_put_right_by_what_the_database_says(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, place: str, happens: bool
):
    pair.sync()
    claim = pair.shared.claim("agent", "TASK-002")
    assert claim is not None
    folder = pair.files.layout.task_folder("TASK-002")
    folder.mkdir(parents=True)

    def stop() -> None:
        with pair.shared.transaction("stop", once="run-1") as change:
            change.complete(claim)
            change.move_task("TASK-002")

    def die(name: str) -> None:
        if name == place:
            raise Cut

    with monkeypatch.context() as patch:
        patch.setattr(faults, "listener", die)
        patch.setattr(journal, "shutil", None)  # the dead do not clean up
        with pytest.raises((Cut, AttributeError)):
            stop()
    again = type(pair.shared)(pair.files.layout, pair.shared.settings)

    done = again.task("TASK-002").status is TaskStatus.COMPLETED  # type: ignore[union-attr]
    moved = pair.files.layout.task_folder("TASK-002", "completed").is_dir()
    assert (done, moved, folder.exists()) == (happens, happens, not happens)
    assert again.journal.pending() == []
    again.close()


def test_folders_that_cannot_be_moved_yet_are_moved_by_whoever_comes_next(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
):
    pair.sync()
    claim = pair.shared.claim("agent", "TASK-002")
    assert claim is not None
    pair.files.layout.task_folder("TASK-002").mkdir(parents=True)

    def stop() -> None:
        with pair.shared.transaction("stop") as change:
            change.complete(claim)
            change.move_task("TASK-002")

    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(target))

    with monkeypatch.context() as patch:
        patch.setattr(steps, "_rename", full)
        with pytest.raises(StoreError, match=r"in the database.*next time the workspace is opened"):
            stop()
    type(pair.shared)(pair.files.layout, pair.shared.settings).close()

    assert pair.files.layout.task_folder("TASK-002", "completed").is_dir()
