"""The essential hooks in the real Claude Code: what they say arrives, and what must follow happens."""

import json
import time
from pathlib import Path

import pytest
import yaml

from snaphook.stores.workspace import Task, all_runs, layout_at, make_workspace, open_workspace
from snaphook.testing import Call, Script, Turn, say

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("claude-code")]

ALONE = {"BB5_AGENT_TYPE": "executor", "BB5_AUTONOMOUS": "true", "BB5_PROJECT": "blackbox5"}
THINK = 'printf "# Thoughts\\nTiles first.\\n" > "$RALF_RUN_DIR/THOUGHTS.md" && echo agent=$BB5_AGENT_TYPE'


@pytest.fixture
def here(bench):
    """Claude Code in a workspace with one claimed task, the essentials switched on."""
    made = bench("claude-code")
    made.ruled("[essentials]\n")
    made.wired()
    project: Path = made.place.project
    make_workspace(project)
    workspace = open_workspace(project)
    workspace.add(Task(id="TASK-001", title="Repair the roof"))
    folder = workspace.layout.task_folder("TASK-001")
    folder.mkdir(parents=True)
    (folder / "task.md").write_text(
        "# TASK-001: Repair the roof\n\n**Status:** in_progress\n\n## Objective\nKeep the rain "
        "out.\n"
    )
    assert workspace.claim("executor", "TASK-001")
    workspace.close()
    return made


def until(happened, seconds=60.0):
    end = time.monotonic() + seconds
    while not (seen := happened()) and time.monotonic() < end:
        time.sleep(0.05)
    return seen


def runs(here):
    return list(all_runs(layout_at(here.place.project)))


def log(here):
    rows = yaml.safe_load(layout_at(here.place.project).events.read_text())
    return rows["events"] if isinstance(rows, dict) else rows


@pytest.mark.req("BB-SS-2", "BB-SS-4", "BB-ST-2", "BB-ST-3", "BB-ST-7", "BB-3")
def test_a_session_knows_its_task_and_completing_it_survives_its_end(here):
    here.script(say("", here.agent.runs(THINK)), say("The roof is dry.\n\nPROMISE_COMPLETE"))

    ran = here.run("mend the roof", env=ALONE)

    assert ran.exit_code == 0, ran.stderr
    first, second = here.asked[0], here.asked[1]
    assert first.heard("BB5 Session | Project: blackbox5 | Agent: executor | Mode: autonomous")
    assert first.heard("TASK-001: Repair the roof")
    assert first.heard("Keep the rain out.")
    assert "agent=executor" in second.news, "CLAUDE_ENV_FILE reached the shell"

    queue = layout_at(here.place.project).queue

    def completed():
        return yaml.safe_load(queue.read_text())["tasks"][0]["status"] == "completed"

    assert until(completed), (here.place.home / ".local/share/snaphook").exists()
    layout = layout_at(here.place.project)
    assert until(lambda: layout.task_folder("TASK-001", "completed").exists())
    assert until(lambda: "agent_stop" in [row["type"] for row in log(here)])
    kinds = [row["type"] for row in log(here)]
    assert kinds.index("agent_start") < kinds.index("completed")
    assert until(lambda: [run.state for run in runs(here)] == ["completed"])


@pytest.mark.req("BB-SA-1", "BB-SZ-1")
def test_a_subagent_without_results_is_sent_back_with_what_is_missing(here):
    child = {
        "description": "look",
        "prompt": "look at the attic",
        "subagent_type": "general-purpose",
    }
    here.place.server.script = Script(
        [
            Turn(answer=say("", Call("Agent", child)), when="ask a subagent"),
            Turn(answer=say("the attic is dry"), when="look at the attic"),
        ],
        otherwise=say("it is dry, really"),
    )

    ran = here.run("ask a subagent", env=ALONE)

    assert ran.exit_code == 0, ran.stderr
    heard = [asked for asked in here.place.server.asked if asked.heard("look at the attic")]
    assert any(
        asked.heard("BB5 Subagent | Parent: executor | Project: blackbox5") for asked in heard
    )
    refused = [
        asked
        for asked in heard
        if "[BB5] The result of general-purpose is not accepted" in asked.news
    ]
    assert refused, "the child was sent back"
    assert "no RESULTS.md was produced" in refused[0].news
    assert until(lambda: "general-purpose" in {row.get("agent_type") for row in log(here)})


@pytest.mark.req("BB-PC-1")
def test_the_reasoning_is_written_down_before_the_conversation_is_shortened(here):
    here.script(say("", here.agent.runs(THINK)), say("Tiles it is."))
    first = here.run("think about the roof", env=ALONE)
    assert first.session is not None, first.stderr
    here.script(say("a summary"))

    here.run("/compact", resume=first.session, env=ALONE)

    (backup,) = [
        run.folder / "pre-compact-backup.md" for run in runs(here) if run.agent_type == "executor"
    ]
    assert "Tiles first." in backup.read_text()
    assert "- Reason: manual" in backup.read_text()
    assert until(lambda: "compaction" in [row["type"] for row in log(here)])


def test_the_answer_carries_the_seeds_fields_and_claude_code_takes_it(here):
    here.script(say("done"))
    ran = here.run("hello", env=ALONE)

    answers = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    started = [row for row in answers if row.get("subtype") == "hook_response"]
    told = [json.loads(row["stdout"]) for row in started if row.get("hook_event") == "SessionStart"]
    inner = told[0]["hookSpecificOutput"]
    assert (inner["project"], inner["agentType"], inner["mode"]) == (
        "blackbox5",
        "executor",
        "autonomous",
    )
    assert inner["context"]["claimedTask"]["id"] == "TASK-001"
