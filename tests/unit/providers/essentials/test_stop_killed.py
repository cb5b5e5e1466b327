"""The work after a stop, killed with -9 at every step of its transaction: old state or new, never between."""

import os
import shutil
import signal
import warnings

import pytest
import yaml
from tests.thorough import thorough

from snaphook import canon
from snaphook.stores.outbox import Outbox, drain
from snaphook.stores.workspace import faults
from snaphook.wiring.job_handlers import handler


def state(house):
    """Return all that completing TASK-001 changes, each file read as anybody would read it."""
    place = house.workspace  # opening it puts right what the killed one left
    for path in house.root.rglob("*.yaml"):
        if ".workspace" not in path.parts:
            yaml.safe_load(path.read_text())
    (run,) = house.runs
    task = place.task("TASK-001")
    assert task is not None
    return (
        task.status.value,
        place.layout.task_folder("TASK-001").exists(),
        place.layout.task_folder("TASK-001", "completed").exists(),
        sum(entry.type == "completed" for entry in place.entries(50)),
        len(place.skills()),
        yaml.safe_load((run.folder / "metadata.yaml").read_text())["results"]["status"],
    )


OLD = ("in_progress", True, False, 0, 0, None)
NEW = ("completed", False, True, 1, 1, "COMPLETE")


def finish(house, now):
    outbox = Outbox(house.around.data_dir, clock=lambda: now)

    def ours(kind):
        return handler(kind) if kind in ("finish", "note") else lambda job, around: None

    drain(outbox, ours, house.around, clock=lambda: now)
    outbox.close()


def in_a_child(house, listener):
    """Do the work in a process that tells *listener* every place it passes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child does little, and ends
        pid = os.fork()
    if pid == 0:
        try:
            faults.listener = listener
            finish(house, house.now + 60)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


class Saved:
    """The house as it was, to be had again and again."""

    def __init__(self, house):
        self.places = (house.root, house.around.data_dir)
        self.copies = tuple(place.with_name(f"{place.name}-saved") for place in self.places)
        for place, copy in zip(self.places, self.copies, strict=True):
            shutil.copytree(place, copy)

    def restore(self):
        for place, copy in zip(self.places, self.copies, strict=True):
            shutil.rmtree(place)
            shutil.copytree(copy, place)


@pytest.mark.req("BB-ST-4")
@pytest.mark.timeout(300)
def test_killed_at_any_step_the_state_is_the_old_one_or_the_new_one(house, tmp_path):
    house.claim()
    house.begin()
    house.write("THOUGHTS.md", "# Thoughts\nTiles first.\n")
    house.work()
    house.tell(canon.Stop, last_assistant_message="PROMISE_COMPLETE")
    saved = Saved(house)
    log = tmp_path / "places"

    def tell(name):
        with log.open("a") as file:
            file.write(f"{name}\n")

    in_a_child(house, tell)
    assert state(house) == NEW
    places = log.read_text().splitlines()
    assert "intent written" in places
    assert "intent gone" in places

    seen = set()
    step = max(1, len(places) // thorough(len(places), 6))
    for number in range(0, len(places), step):
        saved.restore()
        left = [number]

        def cut(_name, left=left):
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        in_a_child(house, cut)
        found = state(house)
        assert found in (OLD, NEW), f"after a kill at '{places[number]}'"
        seen.add(found)
        finish(house, house.now + 240)
        assert state(house) == NEW, f"taken up again after a kill at '{places[number]}'"
    assert seen == {OLD, NEW}
