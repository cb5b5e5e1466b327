"""Stop answers at once; what follows happens in the background, together or not at all, and once."""

import json
import shutil
import subprocess

import pytest
import yaml

from snaphook import canon
from snaphook.providers.essentials import EssentialsSettings
from snaphook.providers.essentials.stop_notice import spelled
from snaphook.stores.outbox import JobState
from snaphook.stores.workspace import TaskStatus

DONE = "All is dry now.\n\nPROMISE_COMPLETE"


def stop(house, message=DONE, **about):
    return house.tell(canon.Stop, about=about, last_assistant_message=message)


@pytest.fixture
def working(house):
    """A house with an executor at work on TASK-001, its thoughts written down."""
    house.claim()
    house.begin()
    house.write("THOUGHTS.md", "# Thoughts\nTiles first.\n")
    house.now += 3720
    house.tell(
        canon.PostToolUse, tool_name="Write", tool_args={"file_path": "roof.py", "content": "x"}
    )
    house.tell(canon.PostToolUse, tool_name="Skill", tool_args={"skill": "roofing"})
    house.work()
    house.heard.clear()
    return house


def tree(house):
    """Return every file of the workspace but our own bookkeeping, with what it holds."""
    return {
        path.relative_to(house.root): path.read_bytes()
        for path in sorted(house.root.rglob("*"))
        if path.is_file() and ".workspace" not in path.parts
    }


@pytest.mark.req("BB-ST-7", "BB-1")
def test_stop_says_nothing_blocks_nothing_and_changes_nothing_by_itself(working):
    before = tree(working)

    assert stop(working) is None

    assert tree(working) == before
    outbox = working.outbox()
    assert [job.kind for job in outbox.jobs(JobState.WAITING)] == ["finish"]
    outbox.close()


@pytest.mark.req("BB-ST-3", "BB-ST-6")
def test_a_promise_completes_the_task_everywhere(working):
    stop(working)
    assert working.work()["dead"] == 0

    place = working.workspace
    task = place.task("TASK-001")
    assert task is not None
    assert (task.status, task.completed_by) == (TaskStatus.COMPLETED, "executor")
    moved = place.layout.task_folder("TASK-001", "completed") / "task.md"
    assert "**Status:** completed" in moved.read_text()
    assert not place.layout.task_folder("TASK-001").exists()
    entry = place.entries()[-1]
    assert (entry.type, entry.task_id) == ("completed", "TASK-001")
    assert entry.data["success"] is True
    assert [row["task_id"] for row in place.skills()] == ["TASK-001"]
    assert place.skills()[0]["skill_used"] == "roofing"
    (run,) = working.runs
    meta = yaml.safe_load((run.folder / "metadata.yaml").read_text())
    assert meta["run"]["duration_seconds"] == 3720
    assert meta["state"]["files_modified"] == [str(working.root / "roof.py")]
    assert meta["results"]["tasks_completed"] == ["TASK-001"]


@pytest.mark.req("BB-ST-1")
def test_people_hear_who_where_how_long_and_what_came_of_it(working):
    stop(working)
    working.work()

    (job,) = [job for job in working.heard if job.kind == "notify"]
    (run,) = working.runs
    assert job.payload["facts"] == {
        "": {"Agent": "executor", "Project": "blackbox5", "Run": run.id},
        "Session": {
            "Duration": "1h 2m",
            "Tokens": "",
            "Task": "TASK-001: Repair the roof",
            "Status": "COMPLETE",
            "Blocker": "",
        },
        "Progress": {"Files modified": "1", "Documentation": "1/5 files"},
    }
    assert job.payload["links"] == [run.folder.as_uri()]


@pytest.mark.req("BB-ST-3", "BB-ST-5")
def test_the_runs_documents_are_handed_to_the_memory(working):
    stop(working)
    working.work()

    (job,) = [job for job in working.heard if job.kind == "retain"]
    (run,) = working.runs
    assert job.payload == {
        "paths": [str(run.folder)],
        "project": str(working.root),
        "run": run.id,
        "session": "s1",
        "agent": "executor",
        "transcripts": [],
        "settings": {},
    }


def test_memories_are_kept_as_the_settings_say_or_not_at_all(working):
    config = working.around.config_dir / "snaphook.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[memory]\nenabled = false\n")
    stop(working)
    working.work()

    assert [job for job in working.heard if job.kind == "retain"] == []


@pytest.mark.req("BB-ST-2", "BB-ST-6")
def test_the_transcript_is_read_where_the_host_gives_no_last_message(working, tmp_path):
    transcript = tmp_path / "t.jsonl"
    usage = {"input_tokens": 1200, "output_tokens": 34}
    content = [{"type": "text", "text": "PROMISE_COMPLETE"}]
    message = {"id": "m", "model": "claude-sonnet-5", "content": content, "usage": usage}
    transcript.write_text(json.dumps({"type": "assistant", "sessionId": "s", "message": message}))
    stop(working, None, transcript_path=str(transcript))
    working.work()

    assert working.workspace.entries()[-1].data["tokens"] == 1234


@pytest.mark.req("BB-ST-3")
def test_a_blocked_task_is_blocked_with_its_reason(working):
    stop(working, "Status: BLOCKED\nBlocker: no ladder")
    working.work()

    task = working.workspace.task("TASK-001")
    assert task is not None
    assert (task.status, task.reason) == (TaskStatus.BLOCKED, "no ladder")


@pytest.mark.parametrize("message", ["Status: PARTIAL", "what shall I do next?"])
def test_what_is_not_complete_stays_with_its_agent(working, message):
    stop(working, message)
    working.work()

    task = working.workspace.task("TASK-001")
    assert task is not None
    assert (task.status, task.claimed_by) == (TaskStatus.IN_PROGRESS, "executor")


def test_a_task_that_is_only_mentioned_is_nobodys(house):
    house.claim("somebody-else")
    house.begin()
    house.write("THOUGHTS.md", "thought\n")
    stop(house, "Task: TASK-001\nPROMISE_COMPLETE")
    house.work()

    task = house.workspace.task("TASK-001")
    assert task is not None
    assert task.status is TaskStatus.IN_PROGRESS


@pytest.mark.req("BB-ST-4")
def test_a_second_stop_changes_nothing(working):
    stop(working)
    working.work()
    before = tree(working)
    working.now += 5
    stop(working)
    working.work()

    after = tree(working)
    metadata = {path for path in before if path.name == "metadata.yaml"}
    assert {path: text for path, text in after.items() if path not in metadata} == {
        path: text for path, text in before.items() if path not in metadata
    }
    assert working.dead() == []


@pytest.mark.req("BB-ST-4")
def test_the_same_stop_heard_twice_is_one_job(working):
    stop(working, turn_id="t1")
    working.now += 1
    stop(working, turn_id="t1")

    outbox = working.outbox()
    assert len(outbox.jobs(JobState.WAITING)) == 1
    outbox.close()


@pytest.mark.req("BB-ST-3")
@pytest.mark.parametrize(
    ("remove", "why"),
    [
        ("THOUGHTS.md", "THOUGHTS.md says nothing"),
        (".", "does not exist"),
    ],
)
def test_where_a_condition_fails_the_task_is_left_and_a_dead_letter_says_why(working, remove, why):
    (run,) = working.runs
    if remove == ".":
        shutil.move(run.folder, working.root / "elsewhere")
    else:
        (run.folder / remove).unlink()
    stop(working)
    working.work()

    (said,) = working.dead()
    assert why in said
    task = working.workspace.task("TASK-001")
    assert task is not None
    assert task.status is TaskStatus.IN_PROGRESS
    alerts = [job for job in working.heard if job.kind == "alert"]
    assert [job.payload["kind"] for job in alerts] == ["finish"]


@pytest.mark.req("BB-ST-4")
def test_a_task_that_somebody_else_claimed_meanwhile_is_theirs(working):
    stop(working)
    place = working.workspace
    place.reopen("TASK-001")
    assert place.claim("another", "TASK-001")
    working.work()

    task = working.workspace.task("TASK-001")
    assert task is not None
    assert (task.status, task.claimed_by) == (TaskStatus.IN_PROGRESS, "another")


@pytest.mark.req("BB-F")
def test_an_auto_action_that_fails_is_rolled_back_tried_again_and_told(working):
    """Stop: auto-action fails. Inconsistent state. Mitigation: transaction rollback, alert."""
    target = working.workspace.layout.task_folder("TASK-001", "completed")
    target.mkdir(parents=True)
    (target / "left over").touch()
    stop(working)
    before = tree(working)
    moment = working.now + 10
    while working.work(now=moment)["waiting"]:
        moment += 4000
        assert tree(working) == before, "rolled back, whole"

    (said,) = working.dead()
    assert "is there already" in said
    assert [job.payload["kind"] for job in working.heard if job.kind == "alert"] == ["finish"]


def git(house, *words):
    return subprocess.run(
        ["git", "-C", str(house.root), *words], check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.req("BB-ST-3")
def test_a_completed_task_is_committed_where_that_is_wanted(working):
    for words in (
        ["init", "-q", "-b", "topic"],
        ["config", "user.email", "bot@example.org"],
        ["config", "user.name", "bot"],
        ["commit", "-q", "--allow-empty", "-m", "start"],
    ):
        git(working, *words)
    (working.root / "unrelated.txt").write_text("not ours")
    config = working.around.config_dir / "snaphook.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[essentials]\nauto_commit = true\n")
    stop(working)
    working.work()

    assert working.dead() == []
    assert git(working, "log", "-1", "--format=%B").strip() == (
        "chore(workspace): TASK-001 is complete\n\nTask: TASK-001"
    )
    committed = git(working, "show", "--name-only", "--format=").split()
    assert "tasks/completed/TASK-001/task.md" in committed
    assert "unrelated.txt" not in committed
    git(working, "checkout", "-q", "-b", "main")
    outbox = working.outbox()
    outbox.put("commit", {"task_id": "TASK-001", "title": "", "status": "COMPLETE"})
    outbox.close()
    queue = working.workspace.layout.queue
    queue.write_text(f"{queue.read_text()}# changed\n")
    working.work()
    assert working.dead() == [
        "'main' is protected, so nothing was committed. Work on another branch."
    ]


def test_nothing_is_completed_where_that_is_switched_off(working):
    config = working.around.config_dir / "snaphook.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[essentials]\nauto_complete = false\n")
    stop(working)
    working.work()

    task = working.workspace.task("TASK-001")
    assert task is not None
    assert task.status is TaskStatus.IN_PROGRESS


def test_a_session_without_a_workspace_is_told_of_all_the_same(house, tmp_path):
    house.root = tmp_path / "bare"
    house.root.mkdir()
    house.begin("developer")
    stop(house)
    house.work()

    assert [job.kind for job in house.heard] == ["notify"]
    assert house.dead() == []


@pytest.mark.parametrize(
    ("seconds", "words"), [(5, "5s"), (65, "1m 5s"), (3600, "1h 0m"), (7325, "2h 2m")]
)
def test_how_long_something_took(seconds, words):
    assert spelled(seconds) == words


def test_the_settings_can_be_made_without_a_file():
    assert EssentialsSettings().auto_commit is False


@pytest.mark.req("BB-ST-3")
def test_a_blocked_task_says_so_in_its_own_document(working):
    stop(working, "Status: BLOCKED\nBlocker: no ladder\n")
    assert working.work()["dead"] == 0

    document = working.workspace.layout.task_folder("TASK-001") / "task.md"
    assert "**Status:** blocked" in document.read_text()
    assert "status: blocked" in document.read_text()


@pytest.mark.req("BB-ST-3")
def test_the_skill_is_the_one_the_thoughts_name_where_no_tool_was_one(house):
    house.claim()
    house.begin()
    thoughts = "# Thoughts\nTiles.\n\n## Skill Usage for This Task\nSkill invoked: roofing-pro\n"
    house.write("THOUGHTS.md", thoughts)
    stop(house)
    house.work()

    assert house.workspace.skills()[0]["skill_used"] == "roofing-pro"


@pytest.mark.req("BB-ST-6")
def test_the_length_of_a_session_is_what_its_host_says(working):
    working.tell(canon.Stop, last_assistant_message=DONE, duration_seconds=90.0)
    working.work()

    (run,) = working.runs
    meta = yaml.safe_load((run.folder / "metadata.yaml").read_text())
    assert meta["run"]["duration_seconds"] == 90
