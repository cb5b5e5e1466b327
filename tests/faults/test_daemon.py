"""Whatever happens to the daemon, every call gets the right answer and no promise is broken."""

import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.faults.nursery import ALLOWED, DENIED, Nursery
from tests.thorough import thorough

from snaphook.daemon import frames
from snaphook.daemon.ask import request_bytes
from snaphook.daemon.control import ask_status
from snaphook.stores.eventlog import verify
from snaphook.stores.eventlog.read import records

pytestmark = [
    pytest.mark.needs("cc", "native-client"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]
KILLS = thorough(200, 25)


@pytest.fixture
def nursery():
    made = Nursery()
    yield made
    made.close()


def expect(nursery, session):
    """Make one call that must be denied and one that must not."""
    assert nursery.call(DENIED, session=session) == "deny"
    assert nursery.call(ALLOWED, session=session) == "silence"


@pytest.mark.timeout(400)
def test_a_daemon_killed_again_and_again_under_load_breaks_no_promise(nursery):
    """kill -9 at random moments: the answers stay right, and every stop that was told is kept."""
    told: list[str] = []
    over = threading.Event()

    def keep_asking(worker):
        number = 0
        while not over.is_set():
            number += 1
            session = f"{worker}-{number}"
            assert nursery.call(DENIED, session=session) == "deny"
            told.append(session)
            assert nursery.call(ALLOWED, session=session) == "silence"

    chance = random.Random(8)
    with ThreadPoolExecutor(2) as pool:
        asking = [pool.submit(keep_asking, worker) for worker in range(2)]
        try:
            for _ in range(KILLS):
                pid = nursery.start()
                time.sleep(chance.random() * 0.05)
                nursery.kill(pid)
        finally:
            nursery.start()
            over.set()
        for each in asking:
            each.result()
    expect(nursery, "last")
    nursery.close_gently()

    kept = {record.session for record in records(nursery.record) if record.verdict == "deny"}
    assert set(told) <= kept
    assert {report.bad for report in verify(nursery.record)} == {None}


def test_of_many_daemons_started_at_once_one_stays(nursery):
    started = {nursery.start(wait=False) for _ in range(8)}
    found = nursery.status()
    until = time.monotonic() + 10
    while len(nursery.daemons()) > 1 and time.monotonic() < until:
        time.sleep(0.02)

    assert found.pid in started
    assert nursery.daemons() == [found.pid]
    expect(nursery, "s")


def test_five_hundred_first_calls_start_one_daemon(nursery):
    """Each of them finds nobody at the socket and would start a daemon for the next."""
    script = (
        "import os\n"
        "from snaphook.cli.afterwards import start_daemon\n"
        "from snaphook.daemon import control, resident\n"
        "for _ in range(500):\n"
        "    if not os.fork():\n"
        "        start_daemon()\n"
        "        os._exit(0)\n"
        "for _ in range(500):\n"
        "    os.wait()\n"
    )
    env = {name: value for name, value in nursery.env.items() if name != "SNAPHOOK_NO_DAEMON"}
    subprocess.run([sys.executable, "-c", script], env=env, check=True, timeout=100)
    found = nursery.status()

    assert nursery.daemons() == [found.pid]
    log = (nursery.home / ".cache/snaphook/daemon.log").read_text()
    assert log.count("listens at") == 1


def test_a_socket_folder_that_vanishes_is_made_anew(nursery):
    first = nursery.start()
    shutil.rmtree(nursery.runtime / "snaphook")
    expect(nursery, "without")
    second = nursery.start()

    assert nursery.status().pid == second
    until = time.monotonic() + 15
    while first in nursery.daemons() and time.monotonic() < until:
        time.sleep(0.05)
    assert nursery.daemons() == [second]
    expect(nursery, "again")


def test_a_disk_that_is_full_changes_no_answer_and_breaks_no_chain(nursery):
    nursery.start(file_size=8192)
    for n in range(20):
        expect(nursery, f"s{n}")
    nursery.close_gently()

    [report] = verify(nursery.record)
    assert report.bad is None
    assert report.records > 0
    assert "File too large" in (nursery.runtime / "daemon.log").read_text()


def test_a_home_that_cannot_be_written_changes_no_answer():
    nursery = Nursery(home=Path("/proc/self/nowhere"))
    try:
        expect(nursery, "without a daemon")
        nursery.start()
        expect(nursery, "with one")
    finally:
        nursery.close()


def test_another_version_takes_over_and_no_request_is_lost(nursery):
    old = nursery.start()
    with socket.socket(socket.AF_UNIX) as newer:
        newer.connect(str(nursery.runtime / "snaphook/daemon.sock"))
        newer.sendall(request_bytes("99.0", "/", ["claude-code", "PreToolUse"], {}, b"{}"))
        assert newer.recv(100) == frames.ASK_ELSEWHERE
    expect(nursery, "while it leaves")
    until = time.monotonic() + 10
    while old in nursery.daemons() and time.monotonic() < until:
        time.sleep(0.02)

    assert ask_status(nursery.env) is None
    assert nursery.start() == nursery.status().pid


def test_settings_that_change_count_at_once_and_only_in_their_project(nursery):
    nursery.start()
    other = nursery.folder / "other"
    (other / ".git").mkdir(parents=True)
    command = "git commit -m x"
    assert nursery.call(command) == "silence"
    (other / "snaphook.toml").write_text(
        "[[hooks.PreToolUse]]\ncommand = 'echo not here >&2; exit 2'\n"
    )
    trusted = subprocess.run(
        [sys.executable, "-m", "snaphook", "trust", "--yes"],
        cwd=other,
        env=nursery.env,
        capture_output=True,
        text=True,
    )
    assert trusted.returncode == 0, trusted.stderr

    assert nursery.call(command, cwd=other) == "deny"
    assert nursery.call(command) == "silence"
    (other / "snaphook.toml").unlink()
    assert nursery.call(command, cwd=other) == "silence"
