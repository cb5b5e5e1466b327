"""What a workspace does, whoever keeps it: the same suite over files and over PostgreSQL."""

import threading
from collections.abc import Callable

import pytest

from snaphook.errors import ClaimError, StoreError, UsageError
from snaphook.stores.workspace import (
    AgentRecord,
    Claim,
    Counts,
    EventEntry,
    Heartbeat,
    SkillOutcome,
    SkillUse,
    Task,
    TaskStatus,
    Workspace,
)

from .conftest import START, Clock

AGENT = "executor-1"


def fill(place: Workspace, *ids: str) -> None:
    for task_id in ids or ("A", "B", "C"):
        place.add(Task(id=task_id, title=f"Do {task_id}"))


def taken(place: Workspace, agent: str = AGENT, task_id: str = "") -> Claim:
    claim = place.claim(agent, task_id)
    assert claim is not None
    return claim


def test_tasks_come_back_as_they_were_added(place: Workspace):
    tasks = [
        Task(id="A", title="One: first", priority="HIGH", score=2.5, goal="IG-1", type="fix"),
        Task(id="B", blocked_by=("A",), status=TaskStatus.BLOCKED, reason="no: 'idea'"),
    ]
    for task in tasks:
        assert place.add(task, {"roi": {"impact": 3}}) == task

    assert place.tasks() == tasks
    assert place.tasks(TaskStatus.BLOCKED) == tasks[1:]
    assert place.task("B") == tasks[1]
    assert place.task("C") is None
    assert place.counts() == Counts(pending=1, blocked=1)


def test_an_id_is_taken_once(place: Workspace):
    fill(place, "A")
    with pytest.raises(UsageError, match="already"):
        place.add(Task(id="A"))


def test_a_claim_says_who_until_when_and_which(place: Workspace):
    fill(place)

    claim = place.claim(AGENT, "B", run_id="run-1")

    assert claim == Claim(task_id="B", agent=AGENT, token=1, until=START + 120, run_id="run-1")
    assert place.task("B") == Task(
        id="B",
        title="Do B",
        status=TaskStatus.IN_PROGRESS,
        claimed_by=AGENT,
        claimed_at="2027-01-15T08:00:00.000Z",
        lease_until="2027-01-15T08:02:00.000Z",
        token=1,
        run_id="run-1",
    )
    assert place.claims_of(AGENT) == [claim]
    assert [entry.type for entry in place.entries()] == ["started"]


def test_the_most_urgent_task_that_nothing_holds_up_goes_first(place: Workspace):
    place.add(Task(id="late", priority="LOW"))
    place.add(Task(id="waits", priority="CRITICAL", blocked_by=("late",)))
    place.add(Task(id="less", priority="HIGH", score=1))
    place.add(Task(id="more", priority="HIGH", score=5))

    order = [taken(place, f"agent-{number}").task_id for number in range(3)]

    assert order == ["more", "less", "late"]
    assert place.claim("agent-9") is None


def test_what_is_completed_frees_what_waited_for_it(place: Workspace):
    place.add(Task(id="A"))
    place.add(Task(id="B", blocked_by=("A",)))
    assert place.complete(taken(place)) is True

    assert taken(place).task_id == "B"


def test_completing_twice_changes_nothing(place: Workspace, clock: Clock):
    fill(place, "A")
    claim = taken(place)
    assert place.complete(claim) is True
    done, log = place.task("A"), place.entries(9)
    clock.forward(5)

    assert place.complete(claim) is False
    assert (place.task("A"), place.entries(9)) == (done, log)


def test_blocking_says_why_and_lets_go(place: Workspace):
    fill(place, "A")
    claim = taken(place)
    assert place.block(claim, "waits for: a key") is True
    assert place.block(claim, "again") is False

    assert place.task("A") == Task(
        id="A", title="Do A", status=TaskStatus.BLOCKED, reason="waits for: a key", token=1
    )
    assert place.claims_of(AGENT) == []
    assert place.reopen("A") == Task(id="A", title="Do A", token=1)


def test_a_task_given_back_is_free_and_its_old_claim_is_worth_nothing(place: Workspace):
    fill(place, "A")
    old = taken(place)
    assert place.release(old) is True
    assert place.release(old) is False
    new = taken(place, "executor-2")

    assert new.token == 2
    for write in (place.complete, place.release, lambda claim: place.block(claim, "x")):
        with pytest.raises(ClaimError, match=r"claim 2, yours was 1"):
            write(old)
    assert place.task("A").claimed_by == "executor-2"  # type: ignore[union-attr]


def test_what_a_silent_agent_held_goes_back_and_its_late_word_is_refused(
    place: Workspace, clock: Clock
):
    fill(place, "A", "B")
    silent, lively = taken(place, "silent"), taken(place, "lively")
    clock.forward(100)
    place.beat("lively", Heartbeat(status="working"))
    assert place.sweep() == []
    clock.forward(21)

    assert [task.id for task in place.sweep()] == [silent.task_id]
    assert place.sweep() == []
    with pytest.raises(ClaimError, match="not held"):
        place.complete(silent)
    assert place.complete(lively) is True
    assert taken(place, "other").token == 2


def test_a_claim_that_ran_out_can_be_taken_over_by_name(place: Workspace, clock: Clock):
    fill(place, "A")
    old = taken(place, "silent")
    with pytest.raises(ClaimError, match="is held by 'silent'"):
        place.claim("other", "A")
    clock.forward(121)

    assert taken(place, "other", "A").token == old.token + 1


def test_the_same_agent_gets_the_same_claim_and_a_longer_lease(place: Workspace, clock: Clock):
    fill(place)
    first = taken(place)
    clock.forward(60)
    again = taken(place)

    assert (again.task_id, again.token, again.until) == (first.task_id, first.token, START + 180)
    assert [entry.type for entry in place.entries(9)] == ["started"]


def test_an_agent_may_hold_several_if_it_says_so(place: Workspace):
    fill(place)
    taken(place)
    with pytest.raises(ClaimError, match="still working on A"):
        place.claim(AGENT, "B")

    assert place.claim(AGENT, several=True).task_id == "B"  # type: ignore[union-attr]


def test_signs_of_life_add_up(place: Workspace, clock: Clock):
    place.beat("planner", Heartbeat(status="planning", loop_number=3))
    clock.forward(1)
    place.beat("planner")

    assert place.heartbeats() == {
        "planner": Heartbeat(last_seen="2027-01-15T08:00:01.000Z", status="planning", loop_number=3)
    }
    assert place.heartbeats()["planner"].age(START + 31) == 30


def test_the_log_keeps_everything_in_order(place: Workspace):
    entries = [
        EventEntry(type=f"t{n}", timestamp="2026-01-01T00:00:00Z", data={"n": n}) for n in range(7)
    ]
    for entry in entries:
        place.log(entry)

    assert place.entries(5) == entries[2:]
    assert place.entries(0) == []


def test_agents_know_their_parents(place: Workspace):
    parent = AgentRecord(id="main", type="executor", task="A", started_at="2026-01-01T00:00:00Z")
    child = AgentRecord(
        id="sub", type="researcher", parent="main", status="idle", stopped_at="2026-01-01T00:01:00Z"
    )
    for agent in (parent, child):
        place.set_agent(agent)

    assert place.agents() == {"main": parent, "sub": child}


def test_a_second_report_on_a_task_replaces_the_first(place: Workspace):
    place.record_skill(SkillUse(task_id="A", outcome=SkillOutcome.PARTIAL))
    place.record_skill(
        SkillUse(task_id="A", outcome=SkillOutcome.SUCCESS, skill_used="no", quality_rating=4)
    )

    [row] = place.skills()
    assert (row["outcome"], row["skill_used"], row["quality_rating"]) == ("success", "no", 4)
    assert row["timestamp"] == "2027-01-15T08:00:00.000Z"


@pytest.mark.req("BB-SS-2")
def test_a_snapshot_tells_what_a_session_needs(place: Workspace):
    fill(place)
    claim = taken(place)
    place.beat(AGENT)

    seen = place.snapshot(AGENT)

    assert seen.counts == Counts(pending=2, in_progress=1)
    assert seen.claimed == place.task(claim.task_id)
    assert seen.next == place.task("B")
    assert [entry.type for entry in seen.entries] == ["started"]
    assert list(seen.heartbeats) == [AGENT]
    assert (seen.fresh, seen.problems, seen.schema) == (True, (), "1.0.1")
    assert place.snapshot("somebody").claimed is None


def test_a_transaction_happens_as_a_whole(place: Workspace):
    fill(place, "A")
    claim = taken(place)
    folder = place.layout.task_folder("A")
    folder.mkdir(parents=True)
    note = place.layout.root / "note.md"
    with place.transaction("stop") as change:
        change.complete(claim)
        change.move_task("A")
        change.write(note, "done\n")
        change.record_skill(SkillUse(task_id="A", outcome=SkillOutcome.SUCCESS))
        change.set_agent(AgentRecord(id=AGENT, status="idle"))
        change.log(EventEntry(type="completed", task_id="A"))
        assert place.task("A").status is TaskStatus.IN_PROGRESS  # type: ignore[union-attr]

    assert place.task("A").status is TaskStatus.COMPLETED  # type: ignore[union-attr]
    assert (folder.exists(), place.layout.task_folder("A", "completed").is_dir()) == (False, True)
    assert note.read_text() == "done\n"
    assert [entry.type for entry in place.entries()] == ["started", "completed"]
    assert place.agents()[AGENT].status == "idle"
    assert len(place.skills()) == 1


@pytest.mark.req("BB-ST-4")
def test_a_transaction_that_cannot_happen_leaves_everything(place: Workspace):
    fill(place, "A")
    old = taken(place)
    place.release(old)
    taken(place, "other")
    before = (place.tasks(), place.entries(9))
    note = place.layout.root / "note.md"

    def late() -> None:
        with place.transaction("late") as change:
            change.write(note, "late\n")
            change.log(EventEntry(type="late"))
            change.complete(old)

    def broken() -> None:
        with place.transaction("broken") as change:
            change.log(EventEntry(type="broken"))
            raise ZeroDivisionError

    def nothing() -> None:
        with place.transaction("nothing") as change:
            change.log(EventEntry(type="nothing"))
            change.move(place.layout.root / "nowhere", place.layout.root / "there")

    for deed, error in ((late, ClaimError), (broken, ZeroDivisionError), (nothing, StoreError)):
        with pytest.raises(error):
            deed()

    assert (place.tasks(), place.entries(9)) == before
    assert not note.exists()
    journal = place.layout.private / "journal"
    assert not journal.exists() or not any(journal.iterdir())


@pytest.mark.req("BB-ST-4")
def test_a_transaction_with_a_key_happens_once(opener: Callable[[], Workspace]):
    for place in (opener(), opener(), opener()):
        with place.transaction("stop", once="run-1") as change:
            change.log(EventEntry(type="stopped"))

    place = opener()
    assert [entry.type for entry in place.entries(9)] == ["stopped"]
    with place.transaction("stop", once="run-1") as change:
        assert change.done_before
    with place.transaction("stop", once="run-2") as change:
        assert not change.done_before


def test_nothing_outside_the_workspace_is_touched(place: Workspace):
    with pytest.raises(StoreError, match="outside"), place.transaction("away") as change:
        change.write(place.layout.root / ".." / "away.md", "x")
    for name in ("../../etc/passwd", "a/b", "", ".hidden", "x" * 200, "a\nb"):
        with pytest.raises(UsageError, match="cannot be"):
            place.add(Task(id=name))
        with pytest.raises(UsageError, match="cannot be"):
            place.beat(name)


def test_many_at_once_never_get_the_same_task(opener: Callable[[], Workspace]):
    first = opener()
    fill(first, *(f"T-{n:02d}" for n in range(12)))
    got: list[tuple[str, int]] = []

    def work(name: str) -> None:
        place = opener()
        while (claim := place.claim(name)) is not None:
            got.append((claim.task_id, claim.token))
            place.complete(claim)

    threads = [threading.Thread(target=work, args=(f"agent-{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(got) == [(f"T-{n:02d}", 1) for n in range(12)]
    assert first.counts() == Counts(completed=12)


def test_whoever_waits_is_woken_by_a_change(opener: Callable[[], Workspace]):
    place, other = opener(), opener()
    assert place.wait(0.01) is False
    timer = threading.Timer(0.05, lambda: other.log(EventEntry(type="hello")))
    timer.start()

    assert place.wait(20) is True
    timer.join()
