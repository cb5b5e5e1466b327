"""Four agents end their work at once, with no daemon: every task is closed and everybody is notified."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.thorough import thorough
from tests.until import until

from snaphook.config import Environment
from snaphook.storage import sqlite
from snaphook.stores.outbox import JobState, Outbox
from snaphook.stores.workspace import FileWorkspace, TaskStatus, all_runs, layout_at, make_workspace
from snaphook.stores.workspace.task import Task

AGENTS = ("one", "two", "three", "four")
SETTINGS = """
[essentials]

[notify]
min_seconds = 0
events = ["stop"]

[notify.channels.list]
type = "command"
command = "cat >> {notices}; echo >> {notices}"
"""


class Team:
    """A project with a task for each agent, in a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.home, self.root, self.notices = folder / "home", folder / "project", folder / "notices"
        settings = self.home / ".config/snaphook/snaphook.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(SETTINGS.format(notices=self.notices))
        self.root.mkdir()
        self.notices.touch()
        make_workspace(self.root)
        self.env = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "SNAPHOOK_DIRECT": "1",
            "SNAPHOOK_NO_DAEMON": "1",
        }
        self.data = Environment(
            cwd=self.root, home=self.home, env=self.env, managed=folder / "managed"
        ).data_dir
        place = FileWorkspace(layout_at(self.root))
        for name in AGENTS:
            place.add(Task(id=f"TASK-{name}", title=name))
            place.layout.task_folder(f"TASK-{name}").mkdir(parents=True)
            assert place.claim(name, f"TASK-{name}")
        place.close()

    def hook(self, agent: str, event: str, **more: str) -> "subprocess.Popen[bytes]":
        """Start a hook as a host does."""
        wire = {"hook_event_name": event, "session_id": agent, "cwd": str(self.root), **more}
        process = subprocess.Popen(
            [sys.executable, "-I", "-m", "snaphook", "hook", "claude-code", event],
            env={**self.env, "BB5_AGENT_TYPE": "executor", "BB5_AGENT_NAME": agent},
            cwd=self.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(wire).encode())
        process.stdin.close()
        return process

    def everywhere(self, event: str, **more: str) -> None:
        """Have every agent call the hook for *event* at the same time."""
        started = [self.hook(agent, event, **more) for agent in AGENTS]
        assert [each.wait(120) for each in started] == [0] * len(AGENTS)

    def left(self) -> list[str]:
        """Return the kinds of the jobs that are not done."""
        outbox = Outbox(self.data, patience=10.0)
        found = [job.kind for job in outbox.jobs(JobState.WAITING)] + [
            path.name for path in outbox.spool.glob("*.json")
        ]
        outbox.close()
        return found


@pytest.mark.timeout(400)
@pytest.mark.parametrize("run", range(thorough(6, 1)))
def test_four_agents_that_end_at_once_without_a_daemon_lose_nothing(tmp_path, run):
    team = Team(tmp_path)
    team.everywhere("SessionStart")
    for made in all_runs(layout_at(team.root)):
        (made.folder / "THOUGHTS.md").write_text("# Thoughts\nIt works.\n")

    team.everywhere("Stop", last_assistant_message="Done.\n\nPROMISE_COMPLETE")

    until(lambda: not team.left(), within=180)
    outbox = Outbox(team.data, patience=10.0)
    assert [job.error for job in outbox.jobs(JobState.DEAD)] == []
    kinds = sorted(job.kind for job in outbox.jobs() if job.kind in ("finish", "notify", "deliver"))
    assert kinds == ["deliver"] * 4 + ["finish"] * 4 + ["notify"] * 4
    outbox.close()
    place = FileWorkspace(layout_at(team.root))
    assert {task.id: task.status for task in place.tasks()} == {
        f"TASK-{name}": TaskStatus.COMPLETED for name in AGENTS
    }
    notices = [json.loads(line) for line in team.notices.read_text().splitlines() if line]
    assert len(notices) == len(AGENTS)
    for database in team.data.rglob("*.sqlite"):
        assert sqlite.problems(database) == [], database
