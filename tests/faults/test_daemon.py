"""Whatever happens to the daemon, every call gets the right answer and no promise is broken."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.faults.nursery import ALLOWED, CLIENT, DENIED, Nursery
from tests.thorough import thorough

from snaphook.daemon import frames
from snaphook.daemon.client import request_bytes
from snaphook.daemon.control import ask_status
from snaphook.daemon.socket_path import hangs, note_that_it_hangs, socket_name
from snaphook.stores.eventlog import verify
from snaphook.stores.eventlog.read import records

pytestmark = [
    pytest.mark.needs("cc", "native-client"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]
KILLS = thorough(200, 12)
SECRET = b"ghp_" + b"A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
FIRST_CALLS = thorough(500, 12)


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

    assert found.pid in started
    assert nursery.those_that_stay() == [found.pid]
    expect(nursery, "s")


def test_five_hundred_first_calls_are_all_answered_and_start_one_daemon(nursery):
    """Each of them finds nobody at the socket, is answered by Python, and would start a daemon."""
    nursery.env.pop("SNAPHOOK_NO_DAEMON")
    with ThreadPoolExecutor(FIRST_CALLS) as pool:
        said = list(pool.map(lambda n: nursery.call(DENIED, session=f"s{n}"), range(FIRST_CALLS)))
    found = nursery.status()

    assert said == ["deny"] * FIRST_CALLS
    assert nursery.those_that_stay() == [found.pid]
    log = (nursery.home / ".cache/snaphook/daemon.log").read_text()
    assert log.count("listens at") == 1
    kept = {record.session for record in records(nursery.record) if record.verdict == "deny"}
    assert kept == {f"s{n}" for n in range(FIRST_CALLS)}


def test_a_daemon_that_hangs_costs_one_call_and_is_replaced(nursery):
    """Stopped, it takes calls and says nothing; only the first caller waits to find that out."""
    stopped = nursery.start()
    os.kill(stopped, signal.SIGSTOP)
    expect(nursery, "passes it by")
    noted = Path(f"{socket_name(nursery.env)}.hung")
    assert noted.exists()

    before = noted.stat().st_mtime_ns
    expect(nursery, "knows already")
    assert noted.stat().st_mtime_ns == before  # nobody waited for it again

    nursery.env.pop("SNAPHOOK_NO_DAEMON")
    expect(nursery, "has it replaced")
    found = nursery.status()
    assert found.pid != stopped
    assert stopped not in nursery.daemons()
    assert not noted.exists()
    expect(nursery, "asks the new one")
    assert nursery.status().served > found.served


def test_a_daemon_that_was_only_slow_is_asked_again(nursery):
    slow = nursery.start()
    note_that_it_hangs(socket_name(nursery.env))
    nursery.env.pop("SNAPHOOK_NO_DAEMON")
    expect(nursery, "passed by")
    until = time.monotonic() + 10
    while hangs(socket_name(nursery.env)) and time.monotonic() < until:
        time.sleep(0.02)

    assert not hangs(socket_name(nursery.env))
    assert nursery.daemons() == [slow]


def test_a_clock_that_goes_backwards_changes_no_answer_and_breaks_no_chain(nursery):
    """Three daemons, one after the other: the second lives an hour before the first."""
    shifts = (0, -3600, 7200)
    for shift in shifts:
        nursery.start(clock=shift)
        expect(nursery, f"{shift}")
        nursery.close_gently()

    written = {int(record.session): record.time for record in records(nursery.record)}
    assert written[-3600] < written[0] < written[7200]
    assert [(report.records, report.bad) for report in verify(nursery.record)] == [(6, None)]


def test_a_message_that_nobody_can_read_is_refused_and_recorded(nursery):
    for daemon in (False, True):
        if daemon:
            nursery.start()
        said = subprocess.run(
            [CLIENT, "claude-code", "PreToolUse"],
            input=b'{"hook_event_name": "PreToolUse", "token": "' + SECRET + b'"',
            capture_output=True,
            env=nursery.env,
            check=False,
        )
        assert b'"deny"' in said.stdout
    nursery.close_gently()

    kept = list(records(nursery.record))
    assert [(one.event, one.host, one.verdict, one.by) for one in kept] == [
        ("PreToolUse", "claude-code", "deny", "snaphook")
    ] * 2
    assert all("hook_event_name" in one.input["wire"] for one in kept)
    assert SECRET.decode() not in str(kept)


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
        newer.connect(socket_name(nursery.env))
        newer.sendall(request_bytes("99.0", "/", ["claude-code", "PreToolUse"], {}, b"{}"))
        assert newer.recv(100) == frames.ASK_ELSEWHERE
    expect(nursery, "while it leaves")
    until = time.monotonic() + 10
    while old in nursery.daemons() and time.monotonic() < until:
        time.sleep(0.02)

    assert ask_status(nursery.env) is None
    assert nursery.start() == nursery.status().pid


def test_settings_that_change_count_with_the_next_look_and_only_in_their_project(nursery):
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
    until = time.monotonic() + 5
    while (said := nursery.call(command, cwd=other)) != "silence" and time.monotonic() < until:
        pass
    assert said == "silence"
