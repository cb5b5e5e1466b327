"""A queue to watch: three agents, five tasks, a death in the middle, and nothing done twice.

Run it: ``python examples/demo_workspace.py``. No key, no network: the agents are processes of this machine,
one of them is killed with SIGKILL, and the files they share are real.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console

from snaphook.cli.main import main as snaphook
from snaphook.cli.workspace.place import tasks_table
from snaphook.stores.workspace import (
    EventEntry,
    TaskStatus,
    Workspace,
    WorkspaceSettings,
    make_workspace,
    open_workspace,
)

QUEUE = """\
# What the planner wants, most urgent first.
schema:
  version: 1.0.1
tasks:
- id: TASK-001
  title: Draw the gate
  status: pending  # by the planner
  priority: HIGH
- id: TASK-002
  title: Forge the hinges
  status: pending
  priority: CRITICAL
- id: TASK-003
  title: Hang it
  status: pending
  blockedBy: [TASK-001, TASK-002]
- id: TASK-004
  title: Oil it
  status: pending
  priority: LOW
- id: TASK-005
  title: Open it
  status: pending
  blockedBy: [TASK-003]
"""
SETTINGS = WorkspaceSettings(lease_seconds=1.5, heartbeat_seconds=0.3)


def agent(root: Path, name: str) -> None:
    """Take tasks and do them until there are none; the one called 'mortal' never gets that far."""
    place = open_workspace(root, SETTINGS)
    while any(
        task.status in {TaskStatus.PENDING, TaskStatus.IN_PROGRESS} for task in place.tasks()
    ):
        place.sweep()
        claim = place.claim(name)
        if claim is None:
            place.wait(0.2)
            continue
        place.beat(name)
        time.sleep(60 if name == "mortal" else 0.3)
        with place.transaction(f"finish {claim.task_id}") as change:
            change.complete(claim)
            change.move_task(claim.task_id)
            change.log(EventEntry(type="completed", task_id=claim.task_id, agent=name))


def show(place: Workspace, console: Console, title: str) -> None:
    """Print the queue as it is now."""
    console.print(f"\n[bold]{title}[/]")
    console.print(tasks_table(place.tasks(), time.time()))


def main() -> int:
    """Let three agents work on five tasks, and kill one of them."""
    console = Console(highlight=False)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_workspace(root)
        place = open_workspace(root, SETTINGS)
        place.layout.queue.write_text(QUEUE)
        for task in place.tasks():
            place.layout.task_folder(task.id).mkdir(parents=True)
        show(place, console, "Five tasks, and who waits for whom")
        mortal = _started(root, "mortal")
        while not place.entries():
            time.sleep(0.05)
        others = [_started(root, name) for name in ("ada", "grace")]
        mortal.send_signal(signal.SIGKILL)
        mortal.wait()
        show(place, console, "'mortal' was killed; its task is released when the lease expires")
        for other in others:
            other.wait(timeout=60)
        show(place, console, "All done, each task once")
        console.print()
        for line in place.layout.events.read_text().splitlines():
            if line.startswith("- {"):
                event = json.loads(line.removeprefix("- "))
                what = f"{event['timestamp'][11:23]}  {event['type']:<10} {event['task_id']}"
                console.print(f"  {what}  {event['agent']}", style="dim", highlight=False)
        text = place.layout.queue.read_text()
        assert "# What the planner wants" in text
        assert "# by the planner" in text
        assert {task.status for task in place.tasks()} == {TaskStatus.COMPLETED}
        os.chdir(root)
        return snaphook(["workspace", "doctor"])


def _started(root: Path, name: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, __file__, str(root), name])


if __name__ == "__main__":
    if len(sys.argv) == 3:
        agent(Path(sys.argv[1]), sys.argv[2])
        sys.exit(0)
    sys.exit(main())
