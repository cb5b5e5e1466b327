"""A crowd at one workspace, some of it killed: nothing is done twice, nothing is lost, all of it readable.

The promised size is fifty processes for a minute; at a desk it is a few for a moment.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.thorough import only_thoroughly, thorough

from snaphook.errors import ClaimError
from snaphook.stores.workspace import (
    EventEntry,
    FileWorkspace,
    Heartbeat,
    Layout,
    TaskStatus,
    WorkspaceSettings,
    layout_at,
    make_workspace,
)

SETTINGS = WorkspaceSettings(lease_seconds=2, heartbeat_seconds=0.5, patience_seconds=60)
NURSERY = """
import json, os, signal, sys
sys.path[:0] = json.loads(sys.argv[1])
import ruamel.yaml
from tests.faults.test_workspace_crowd import work

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print("ready", flush=True)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        try:
            work(*json.loads(line))
        finally:
            os._exit(0)
    print(child, flush=True)
"""


def work(root: str, name: str, until: float) -> None:
    """Claim, log, give signs of life and finish, until time is up or death comes."""
    place = FileWorkspace(layout_at(Path(root)), SETTINGS)
    dice = random.Random(name)
    while time.time() < until:
        claim = place.claim(name)
        if claim is None:
            place.sweep()
            time.sleep(0.05)
            continue
        told: Any = {"task_id": claim.task_id, "agent": name}
        place.log(EventEntry(type="working", **told))
        time.sleep(dice.uniform(0, 0.05))
        if dice.random() < 0.2:
            place.beat(name, Heartbeat(status="working"))
        try:
            with place.transaction("finish", once=f"{claim.task_id}-{claim.token}") as change:
                change.complete(claim)
                change.move_task(claim.task_id)
                change.log(EventEntry(type="finished", **told))
        except ClaimError:
            place.log(EventEntry(type="too late", **told))


class Nursery:
    """A process that has loaded everything and forks workers."""

    def __init__(self, root: Path, seconds: float) -> None:
        self._root = str(root)
        self._born = 0
        paths = json.dumps([str(Path(__file__).parents[2])])
        words = [sys.executable, "-c", NURSERY, paths]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        assert self._process.stdout.readline() == "ready\n"
        self.until = time.time() + seconds

    def worker(self) -> int:
        """Start a worker and return its pid."""
        assert self._process.stdin
        assert self._process.stdout
        self._born += 1
        order = json.dumps([self._root, f"w-{self._born}", self.until])
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """Take no more orders."""
        self._process.communicate(timeout=60)


def crowd(root: Path, *, size: int, seconds: float, tasks: int) -> int:
    """Let *size* processes work for *seconds*, kill some and start others; return how often all was read."""
    layout = layout_at(root)
    layout.communications.mkdir(parents=True)
    items = "".join(
        f"# about {n}\n- id: T-{n:04d}\n  status: pending  # comment {n}\n  title: Do {n}\n"
        for n in range(tasks)
    )
    layout.queue.write_text(f"# the head\ntasks:\n{items}# the end\n")
    layout.events.parent.mkdir(parents=True, exist_ok=True)
    layout.events.write_text("# the log\n- type: first\n")
    make_workspace(root)
    for n in range(tasks):
        layout.task_folder(f"T-{n:04d}").mkdir(parents=True)
    with contextlib.closing(Nursery(root, seconds)) as nursery:
        return _watch(nursery, layout, size)


def _watch(nursery: Nursery, layout: Layout, size: int) -> int:
    workers = [nursery.worker() for _ in range(size)]
    reads, killed, dice = 0, 0, random.Random(7)
    next_death = time.time() + 0.3
    while time.time() < nursery.until:
        for path in (layout.queue, layout.events, layout.heartbeat):
            yaml.load(path.read_bytes(), yaml.CSafeLoader)
        reads += 1
        if time.time() >= next_death:
            next_death += 0.2
            at = dice.randrange(size)
            with contextlib.suppress(ProcessLookupError):
                os.kill(workers[at], signal.SIGKILL)
                killed += 1
            workers[at] = nursery.worker()
    while any(map(_lives, workers)):
        time.sleep(0.02)
    assert killed > 0
    return reads


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def verify(root: Path, tasks: int) -> int:
    """Look that all of it is there, done once if at all; return how much was done."""
    place = FileWorkspace(layout_at(root), SETTINGS)
    text = place.layout.queue.read_text()

    found = place.tasks()
    assert [task.id for task in found] == [f"T-{n:04d}" for n in range(tasks)]
    finished = Counter(entry.task_id for entry in place.entries(10**6) if entry.type == "finished")
    done = {task.id for task in found if task.status is TaskStatus.COMPLETED}
    assert set(finished) == done
    assert set(finished.values()) <= {1}
    assert done
    for task in found:
        where = "completed" if task.id in done else "active"
        assert place.layout.task_folder(task.id, where).is_dir()
    assert all(f"# about {n}\n" in text and f"# comment {n}\n" in text for n in range(tasks))
    assert text.startswith("# the head\n")
    assert text.endswith("# the end\n")
    assert place.layout.events.read_text().startswith("# the log\n")
    return len(done)


@only_thoroughly
@pytest.mark.timeout(300)
@pytest.mark.req("BB-ST-4", "BB-F")
def test_a_crowd_does_every_task_once_and_loses_none(tmp_path: Path):
    tasks = thorough(400, 40)
    reads = crowd(tmp_path, size=thorough(16, 4), seconds=thorough(10, 2), tasks=tasks)

    assert reads > 3
    verify(tmp_path, tasks)
