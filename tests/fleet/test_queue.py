"""One queue for many machines: a task goes to one of them, and comes back from one that died."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from tests.thorough import only_thoroughly, thorough

from snaphook.stores.workspace import (
    Task,
    TaskStatus,
    WorkspaceSettings,
    make_workspace,
    open_workspace,
)

pytestmark = pytest.mark.needs("postgres")
MACHINES = 4
TASKS = thorough(400, 60)
WORKS = """
import json, sys, time
from pathlib import Path
from snaphook.stores.workspace import WorkspaceSettings, open_workspace

url, name, until = json.loads(sys.argv[1])
place = open_workspace(Path.cwd(), WorkspaceSettings(store=url, project="shop"))
print("ready", flush=True)
sys.stdin.readline()
while claim := place.claim(name):
    print(claim.task_id, flush=True)
    if until == "claimed":
        time.sleep(600)
    place.complete(claim)
"""


class Worker:
    """An agent on a machine with a home and a checkout of its own; nothing is shared but the address."""

    def __init__(self, folder, url, name, until="done"):
        self.name = name
        self.home = folder / name
        project = self.home / "shop"
        make_workspace(project)
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "SNAPHOOK_NO_DAEMON": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKS, json.dumps([url, name, until])],
            env=env,
            cwd=project,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.line() == "ready"

    def line(self):
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def go(self):
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def kill(self):
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def taken(self):
        said, _ = self._process.communicate(timeout=60)
        assert self._process.returncode == 0
        return said.split()


def workspace(root, url, **more):
    make_workspace(root)
    return open_workspace(root, WorkspaceSettings(store=url, project="shop"), **more)


@only_thoroughly
def test_four_machines_take_each_task_once_and_get_back_what_a_killed_one_held(tmp_path, fleet_url):
    place = workspace(tmp_path / "owner", fleet_url)
    for number in range(TASKS):
        place.add(Task(id=f"T-{number:04}", title="one of many"))
    doomed = Worker(tmp_path, fleet_url, "doomed", until="claimed")
    doomed.go()
    lost = doomed.line()
    doomed.kill()

    workers = [Worker(tmp_path, fleet_url, f"machine-{n}") for n in range(MACHINES)]
    for worker in workers:
        worker.go()
    taken = {worker.name: worker.taken() for worker in workers}

    everything = Counter(task for tasks in taken.values() for task in tasks)
    assert everything == Counter({task.id: 1 for task in place.tasks() if task.id != lost})
    held = place.task(lost)
    assert held is not None
    assert (held.status, held.claimed_by) == (TaskStatus.IN_PROGRESS, "doomed")

    lease = place.settings.lease_seconds
    later = workspace(tmp_path / "late", fleet_url, clock=lambda: time.time() + lease + 1)
    claim = later.claim("machine-1")
    assert claim is not None
    assert (claim.task_id, claim.token) == (lost, held.token + 1)
    assert later.complete(claim)
    done = place.counts()
    assert (done.completed, done.in_progress, done.pending) == (TASKS, 0, 0)
    later.close()
    place.close()
