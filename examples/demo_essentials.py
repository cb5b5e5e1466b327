"""A part of ``make demo``: a session that knows its task, stops, and has it completed behind its back.

Everything runs in a folder of its own with a home of its own; the hooks are called as Claude Code calls them.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from snaphook.stores.workspace import Task, make_workspace, open_workspace

BOLD, DIM, END = ("\033[1m", "\033[2m", "\033[0m") if sys.stdout.isatty() else ("", "", "")
SETTINGS = """\
[essentials]

[notify]
min_seconds = 0

[notify.channels.terminal]
type = "command"
command = 'printf "%s\\n" "$SNAPHOOK_NOTICE" >> notices.txt'
"""


def main() -> None:
    """Show one task from its claim to its end."""
    with tempfile.TemporaryDirectory(prefix="snaphook-demo-", ignore_cleanup_errors=True) as folder:
        home, project = Path(folder) / "home", Path(folder) / "project"
        settings = home / ".config/snaphook/snaphook.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(SETTINGS)
        project.mkdir()
        make_workspace(project)
        workspace = open_workspace(project)
        workspace.add(Task(id="TASK-001", title="Repair the roof"))
        workspace.claim("executor", "TASK-001")
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "SNAPHOOK_NO_DAEMON": "1"}
        env |= {"BB5_AGENT_TYPE": "executor", "BB5_AUTONOMOUS": "true"}

        show("A session starts: it is told what it is and what it holds")
        told = hook("SessionStart", project, env, source="startup")["hookSpecificOutput"]
        print(told["additionalContext"].replace(str(project), "."))
        run = next((project / "runs").glob("executor/active/*"))
        (run / "THOUGHTS.md").write_text("# Thoughts\nTiles first.\n")

        show("It stops with a promise: the hook answers at once and says nothing")
        print(hook("Stop", project, env, last_assistant_message="Dry.\n\nPROMISE_COMPLETE"))

        show("Behind its back: the queue, the log, the notice")
        notices = project / "notices.txt"
        until = time.monotonic() + 60
        while not notices.exists() and time.monotonic() < until:
            time.sleep(0.05)
        for task in workspace.tasks():
            print(f"{task.id}  {task.status}  by {task.completed_by}")
        for entry in workspace.entries():
            print(f"{DIM}{entry.type}  {entry.task_id}  {entry.agent}{END}")
        print(notices.read_text().strip().replace(str(project), "."))
        workspace.close()


def hook(
    event: str, project: Path, env: dict[str, str], **fields: str
) -> dict[str, dict[str, str]]:
    """Call our hook as an agent does, and return what the agent would read."""
    wire = {"hook_event_name": event, "session_id": "demo", "cwd": str(project), **fields}
    done = subprocess.run(
        [sys.executable, "-I", "-m", "snaphook", "hook", "claude-code", event],
        input=json.dumps(wire).encode(),
        capture_output=True,
        env=env,
        cwd=project,
        check=True,
    )
    said: dict[str, dict[str, str]] = json.loads(done.stdout or "{}")
    return said


def show(text: str) -> None:
    """Print a heading."""
    print(f"\n{BOLD}{text}{END}")


if __name__ == "__main__":
    main()
