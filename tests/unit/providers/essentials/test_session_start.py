"""A session is told where it is, what it holds and what is missing, whatever it finds."""

from pathlib import Path

import pytest

from snaphook import canon
from snaphook.stores.workspace import EventEntry, Heartbeat, Task, layout_at


def parts(output):
    return output.additional_context.split("\n\n")


@pytest.mark.req("BB-SS-6")
def test_the_answer_has_the_seeds_fields(house):
    house.claim()
    output = house.begin(BB5_PROJECT="blackbox5", BB5_AUTONOMOUS="true")

    assert parts(output)[0] == (
        "BB5 Session | Project: blackbox5 | Agent: executor | Mode: autonomous"
    )
    assert {name: output.details[name] for name in ("project", "agentType", "mode")} == {
        "project": "blackbox5",
        "agentType": "executor",
        "mode": "autonomous",
    }
    assert output.details["runId"].startswith("run-")
    assert output.details["context"] == {
        "queueStats": {"pending": 0, "completed": 0},
        "claimedTask": {"id": "TASK-001", "title": "Repair the roof", "status": "in_progress"},
        "acceptanceCriteria": ["No drop comes in", "The tiles are red"],
    }


@pytest.mark.req("BB-SS-4")
def test_the_environment_is_the_seeds(house):
    output = house.begin("planner", RALF_RUN_DIR=str(house.root / "runs/planner/run-1"))

    assert output.environment == {
        "BB5_PROJECT": "blackbox5",
        "BB5_AGENT_TYPE": "planner",
        "BB5_AGENT_NAME": "planner-run-1",
        "BB5_MODE": "autonomous",
        "BB5_CONTEXT_LOADED": "true",
        "BB5_HOOK_VERSION": "1.0.0",
        "RALF_RUN_ID": "run-1",
        "RALF_AGENT_TYPE": "planner",
        "RALF_PROJECT_ROOT": str(house.root),
        "RALF_RUN_DIR": str(house.root / "runs/planner/run-1"),
    }


def test_a_manual_session_has_no_run_dir_in_its_environment(house):
    assert "RALF_RUN_DIR" not in house.begin("developer").environment


@pytest.mark.req("BB-SS-2")
def test_an_executor_hears_its_task_with_objective_criteria_and_earlier_runs(house):
    house.claim()
    earlier = house.root / "runs/executor/completed/run-20260101-000000-TASK-001"
    earlier.mkdir(parents=True)
    (earlier / "RESULTS.md").write_text("# Results\nStatus: PARTIAL\nThe north side leaks.\n")

    text = house.begin().additional_context

    assert "## Your task\nTASK-001: Repair the roof (in_progress, MEDIUM)" in text
    assert "## Objective\nKeep the rain out." in text
    assert "- [ ] No drop comes in\n- [x] The tiles are red" in text
    assert "run-20260101-000000-TASK-001: Status: PARTIAL The north side leaks." in text


def test_a_task_whose_document_has_no_headings_is_told_by_its_title(house):
    house.claim()
    (house.workspace.layout.task_folder("TASK-001") / "task.md").write_text("just do something\n")

    assert "TASK-001: Repair the roof" in house.begin().additional_context


@pytest.mark.req("BB-SS-2")
def test_an_executor_without_a_task_hears_what_is_next(house):
    house.workspace.add(Task(id="TASK-007", title="Sweep"))

    text = house.begin().additional_context

    assert "None claimed. Next in the queue: TASK-007: Sweep." in text


@pytest.mark.req("BB-SS-2")
def test_a_planner_hears_counts_events_the_executor_and_the_loop(house):
    for number in range(7):
        house.workspace.add(Task(id=f"TASK-{number}"))
        house.workspace.log(
            EventEntry(type="progress", task_id=f"TASK-{number}", notes=f"n{number}")
        )
    house.workspace.beat("executor", Heartbeat(status="running", current_action="tests"))
    loop = house.workspace.layout.loop
    loop.parent.mkdir(parents=True, exist_ok=True)
    loop.write_text("loop: {number: 9}\nstate: {queue_depth: 7}\nnext_steps: [plan more]\n")

    text = house.begin("planner").additional_context

    assert "7 pending, 0 in progress, 0 completed, 0 blocked" in text
    assert [f"n{n}" in text for n in range(7)] == [False, False, True, True, True, True, True]
    assert "## Executor\nrunning, last seen 0 s ago, doing: tests" in text
    assert "## Loop\n- number: 9\n- queue_depth: 7\n- next: plan more" in text


@pytest.mark.req("BB-SS-2")
def test_a_scout_hears_its_parameters_and_earlier_reports(house):
    house.claim("scout")
    report = house.root / "runs/scout/run-1/scout-report.md"
    report.parent.mkdir(parents=True)
    report.write_text("# Scout\nThe attic is dry.\n")

    text = house.begin("scout").additional_context

    assert "## Scout parameters\n- task_id: TASK-001" in text
    assert "- depth: two levels" in text
    assert f"## Earlier scout reports\n- {report}: The attic is dry." in text


@pytest.mark.req("BB-SS-2")
def test_a_verifier_hears_its_target_and_the_criteria(house):
    house.claim("verifier")

    text = house.begin("verifier").additional_context

    assert "## Verification target\n- task_id: TASK-001" in text
    assert "## Acceptance criteria\n- [ ] No drop comes in" in text


@pytest.mark.req("BB-SS-2")
def test_an_architect_hears_the_goals_and_recent_decisions(house):
    (house.root / "goals").mkdir()
    (house.root / "goals/INDEX.yaml").write_text("by_priority: {high: [IG-001, IG-002]}\n")
    (house.root / "decisions").mkdir()
    (house.root / "decisions/D-1.md").write_text("# D-1\nTiles, not thatch.\n")

    text = house.begin("architect").additional_context

    assert "## Goals\n- high: IG-001, IG-002" in text
    assert "D-1.md: Tiles, not thatch." in text


@pytest.mark.req("BB-SS-2")
def test_a_developer_hears_of_the_project_and_its_timeline(house):
    (house.root / "README.md").write_text("# House\n\nA house with a roof.\n")
    (house.root / ".git").mkdir()
    (house.root / ".git/HEAD").write_text("ref: refs/heads/roof\n")
    house.workspace.log(EventEntry(type="discovery", notes="a leak"))

    text = house.begin("developer").additional_context

    assert f"Folder: {house.root}\nBranch: roof\nA house with a roof." in text
    assert "## Recent timeline" in text
    assert "discovery a leak" in text


def test_a_run_folder_is_made_once_and_kept_when_the_session_goes_on(house):
    house.begin()
    (run,) = house.runs
    house.now += 60
    house.tell(canon.SessionStart, source=canon.SessionSource.RESUME)

    assert [each.id for each in house.runs] == [run.id]
    assert run.folder.parent == house.root / "runs/executor/active"
    assert (run.folder / "THOUGHTS.md").exists()


def test_a_session_that_is_resumed_finds_its_run_where_it_was_put_away(house):
    house.begin()
    house.tell(canon.SessionEnd)
    house.work()
    house.now += 60
    output = house.tell(canon.SessionStart, source=canon.SessionSource.RESUME)

    (run,) = house.runs
    assert run.state == "completed"
    assert f"Run folder: {run.folder}" in output.additional_context


@pytest.mark.req("BB-SS-1")
def test_a_run_under_way_keeps_its_name(house):
    folder = house.root / "runs/executor/run-20260206-101010"
    folder.mkdir(parents=True)

    output = house.begin(RALF_RUN_DIR=str(folder))

    assert output.details["runId"] == "run-20260206-101010"
    assert f"Run folder: {folder}" in output.additional_context


@pytest.mark.req("BB-SS-5", "BB-F")
@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (lambda w: w.layout.events.unlink(), "events.yaml: does not exist"),
        (lambda w: w.layout.queue.write_text("tasks: [\n"), "queue.yaml"),
        (lambda w: w.layout.queue.write_text("tasks: []\n"), "has no schema version"),
        (
            lambda w: w.layout.queue.write_text("schema: {version: 9.9}\ntasks: []\n"),
            "schema version 9.9 is not supported",
        ),
        (lambda w: w.layout.heartbeat.write_bytes(b"\xff\xfe\x00"), "heartbeat.yaml"),
    ],
)
def test_what_is_missing_is_told_and_the_session_begins(house, caplog, break_it, told):
    """SessionStart: context load fails. Mitigation: continue with basic info."""
    break_it(house.workspace)

    output = house.begin("planner")

    assert parts(output)[0].startswith("BB5 Session | Project: blackbox5 | Agent: planner")
    assert told in output.additional_context
    assert any(told in problem for problem in output.details["errors"])
    assert any(told in record.message for record in caplog.records)


@pytest.mark.req("BB-SS-5", "BB-F")
def test_a_project_that_cannot_be_told_is_the_default_one_and_that_is_logged(house, caplog):
    """SessionStart: detection fails. Mitigation: default to blackbox5, log the error."""
    (house.root / ".bb5-project").mkdir(mode=0o700)
    output = house.begin(BB5_PROJECT="../../etc")

    assert output.details["project"] == "blackbox5"
    assert "invalid name '../../etc'" in caplog.text


@pytest.mark.req("BB-F")
def test_even_our_own_mistake_leaves_a_session_that_can_work(house, monkeypatch):
    from snaphook.providers.essentials import session_start

    monkeypatch.setattr(session_start, "brief", None)

    output = house.begin()

    assert output.additional_context == "BB5 Session Initialized (with errors) | Check logs"
    assert output.details["agentType"] == "unknown"


def test_a_folder_without_a_workspace_is_no_error(house, tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    house.root = bare

    output = house.begin("developer")

    assert "## Missing" not in output.additional_context
    assert "errors" not in output.details
    assert not list(bare.iterdir())
    assert house.work() == {"waiting": 0, "done": 0, "dead": 0}


@pytest.mark.req("BB-SA-1")
def test_the_log_and_the_agents_file_hear_of_it_in_the_background(house):
    house.claim()
    output = house.begin()
    house.work()

    run_id = output.details["runId"]
    (agent,) = house.workspace.agents().values()
    assert (agent.id, agent.status, agent.task) == (f"executor-{run_id}", "active", "TASK-001")
    assert house.workspace.entries()[-1].type == "agent_start"


def test_a_session_that_holds_a_task_gives_signs_of_life(house):
    house.claim()
    house.begin()
    house.work()
    before = house.workspace.heartbeats().get("executor")
    for seconds in (1, 40, 41):
        house.now += seconds
        house.tell(canon.PostToolUse, tool_name="Bash", tool_args={"command": "ls"})
    house.work()

    outbox = house.outbox()
    beats = [job for job in outbox.jobs() if job.kind == "beat"]
    outbox.close()
    assert len(beats) == 2
    assert before is None or before.last_seen
    assert house.workspace.heartbeats()["executor"].current_action == "Bash"


def test_a_task_claimed_in_the_middle_of_a_session_is_held_like_any_other(house):
    output = house.begin()
    name = output.environment["BB5_AGENT_NAME"]
    house.claim(name)
    command = f"snaphook queue claim --agent {name}"
    house.tell(canon.PostToolUse, tool_name="Bash", tool_args={"command": command})
    house.now += 60
    house.tell(canon.PostToolUse, tool_name="Bash", tool_args={"command": "ls"})
    house.work()

    assert house.notebook.read().task == "TASK-001"
    assert house.workspace.heartbeats()[name].status == "active"


def test_what_was_noted_lies_in_the_users_own_folder(house):
    house.begin()

    assert house.notebook.path.is_relative_to(house.around.data_dir)
    assert house.notebook.path.stat().st_mode & 0o077 == 0
    assert Path(house.notebook.read().identity.run_dir).is_dir()


@pytest.mark.req("BB-SS-2")
@pytest.mark.parametrize(
    ("agent", "section", "words"),
    [
        ("scout", "## Scout Parameters\n- depth: three levels\n", "depth: three levels"),
        ("scout", "## Search Scope\nOnly `src/`.\n", "Only `src/`"),
        ("verifier", "## Verification Target\nThe release of May.\n", "The release of May"),
        ("verifier", "## Verification Criteria\n1. It starts\n2. It stops\n", "[ ] It stops"),
    ],
)
def test_an_assignment_is_read_from_the_body_of_the_task(house, agent, section, words):
    house.claim(agent)
    folder = layout_at(house.root).task_folder("TASK-001")
    (folder / "task.md").write_text(f"# TASK-001: Look\n\n## Objective\nLook.\n\n{section}")

    assert words in house.begin(agent).additional_context


@pytest.mark.req("BB-SS-2")
@pytest.mark.parametrize(
    "text",
    [
        "events:\n- {date: 2026-01-02, type: milestone, title: The roof is on}\n",
        "- {timestamp: 2026-01-02T10:00:00Z, event: The roof is on}\n",
        "milestones:\n- {id: M1, name: The roof is on, date: 2026-01-02}\n",
    ],
)
def test_a_developer_is_told_the_latest_of_the_timeline(house, text):
    (house.root / "timeline.yaml").write_text(text)

    context = house.begin("developer").additional_context
    assert "## Recent timeline\n- 2026-01-02" in context
    assert "The roof is on" in context


@pytest.mark.req("BB-SS-5")
def test_a_claimed_task_without_a_document_is_reported(house):
    house.claim()
    (layout_at(house.root).task_folder("TASK-001") / "task.md").unlink()
    begun = house.begin()

    assert "task.md: missing, though TASK-001 is claimed" in begun.additional_context
    assert any("task.md: missing" in each for each in begun.details["errors"])
