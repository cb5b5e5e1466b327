"""The outbox while several processes and several connections of one process use it: no job is lost."""

import subprocess
import sys

import pytest
from tests.thorough import thorough

from snaphook.storage import sqlite
from snaphook.stores.outbox import Outbox

WRITER = """
import sys
from pathlib import Path
from snaphook.stores.outbox import Outbox

for number in range(int(sys.argv[3])):
    outbox = Outbox(Path(sys.argv[1]), patience=10.0)
    outbox.put("say", {}, key=f"{sys.argv[2]}-{number}")
    outbox.close()
"""


def writer(data, name, jobs):
    return subprocess.Popen([sys.executable, "-c", WRITER, str(data), name, str(jobs)])


@pytest.mark.parametrize("run", range(thorough(6, 2)))
def test_two_connections_of_one_process_and_two_writers_lose_no_job(tmp_path, run):
    first = Outbox(tmp_path, patience=10.0)
    wanted = {"first"}
    first.put("say", {}, key="first")
    writers = [writer(tmp_path, name, 60) for name in ("a", "b")]
    wanted |= {f"{name}-{number}" for name in ("a", "b") for number in range(60)}
    number = 0
    while number < 30 or any(each.poll() is None for each in writers):
        # The worker's own connection stays open while a handler opens and closes a second one.
        second = Outbox(tmp_path, patience=10.0)
        second.put("say", {}, key=f"second-{number}")
        second.close()
        first.put("say", {}, key=f"first-{number}")
        wanted |= {f"first-{number}", f"second-{number}"}
        number += 1
    assert [each.returncode for each in writers] == [0, 0]
    first.absorb()

    assert {job.key for job in first.jobs()} == wanted
    first.close()
    assert sqlite.problems(first.path) == []
