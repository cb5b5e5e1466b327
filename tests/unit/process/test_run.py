"""Real processes that misbehave in every way we could think of; each is data, none is a crash."""

import asyncio
import gc
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.thorough import only_thoroughly, thorough

from snaphook.process import (
    CapturedStream,
    Command,
    Completed,
    run,
    run_all,
    run_all_async,
    run_async,
)
from snaphook.process import running as running_module


def ending(completed: Completed) -> tuple[int | None, int | None, bool, str | None]:
    return completed.exit_code, completed.signal, completed.timed_out, completed.failure


def alive(pid: int) -> bool:
    """Say whether *pid* still runs; a zombie that nobody reaps does not."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return state.stdout.strip()[:1] not in ("", "Z")


def all_gone(pids: Path) -> bool:
    """Say whether the processes listed in *pids* end; the kernel may take a moment over it."""
    for _ in range(500):
        if not any(alive(int(pid)) for pid in pids.read_text().split()):
            return True
        time.sleep(0.01)
    return False


async def face(line, **options) -> Completed:
    return await run_async(line, **options)


def core(line, **options) -> Completed:
    return run(line, **options)


@pytest.fixture(params=[core, lambda line, **options: asyncio.run(face(line, **options))])
def either(request):
    """The blocking face and the asynchronous one, which must agree."""
    return request.param


@pytest.mark.req("WX-E")
@pytest.mark.parametrize(
    ("line", "code", "out", "err"),
    [
        pytest.param("true", 0, "", "", id="no output at all"),
        pytest.param("echo out; echo err >&2", 0, "out\n", "err\n", id="both streams"),
        pytest.param("echo why >&2; exit 7", 7, "", "why\n", id="it fails"),
        pytest.param(("printf", "%s", "a b|c"), 0, "a b|c", "", id="exec form needs no quoting"),
        pytest.param(r"printf 'a\377b'", 0, "a�b", "", id="bytes that are not UTF-8"),
        pytest.param(r"printf 'a\000b'", 0, "a\0b", "", id="a NUL byte"),
        pytest.param("exit 300", 44, "", "", id="an exit code as the shell cuts it"),
    ],
)
def test_a_command_that_ends_by_itself_tells_its_code_and_its_output(either, line, code, out, err):
    completed = either(line)

    assert ending(completed) == (code, None, False, None)
    assert (completed.stdout.text, completed.stderr.text) == (out, err)


@pytest.mark.req("WS-E1")
def test_w4_death_by_signal_is_told_and_is_no_exit_code(either):
    completed = either("echo last words; kill -9 $$")

    assert ending(completed) == (None, 9, False, None)
    assert (completed.ok, completed.status) == (False, 137)
    assert completed.stdout.text == "last words\n"


@pytest.mark.req("WS-E1", "WX-E")
def test_w1_a_timeout_ends_the_whole_group(either, tmp_path):
    """Defect W1 of Wave: only the shell was killed, and its children were waited for."""
    pids = tmp_path / "pids"

    completed = either(f"sleep 60 & echo $! $$ > {pids}; sleep 60", timeout=0.3)

    assert ending(completed) == (None, None, True, None)
    assert completed.status == 124
    assert all_gone(pids)


@pytest.mark.req("WX-E")
def test_w2_a_command_that_refuses_to_end_is_killed(either, tmp_path):
    """Defect W2 of Wave: the second signal was never sent."""
    pids = tmp_path / "pids"
    stubborn = f"trap '' TERM; (trap '' TERM; exec sleep 60) & echo $! $$ > {pids}; sleep 60"

    completed = either(stubborn, timeout=0.2)

    assert ending(completed) == (None, None, True, None)
    assert all_gone(pids)


def test_w3_a_command_that_exits_0_when_told_to_end_has_timed_out_all_the_same(either):
    """Defect W3 of Wave: a timed-out hook counted as a success."""
    completed = either("trap 'exit 0' TERM; sleep 60 & wait", timeout=0.2)

    assert ending(completed) == (None, None, True, None)


def test_w1_a_child_that_holds_the_pipe_does_not_hold_us(either, tmp_path):
    pids = tmp_path / "pids"

    completed = either(f"echo before; sleep 60 & echo $! > {pids}", timeout=30)

    pid = int(pids.read_text())
    assert ending(completed) == (0, None, False, None)
    assert (completed.stdout.text, completed.left_running) == ("before\n", True)
    assert alive(pid), "a daemon that a command starts is the command's own business"
    os.kill(pid, signal.SIGKILL)


def test_a_daemon_that_closed_its_pipes_is_not_noticed(either, tmp_path):
    pids = tmp_path / "pids"

    completed = either(f"sleep 60 >/dev/null 2>&1 & echo $! > {pids}")

    assert (completed.ok, completed.left_running) == (True, False)
    os.kill(int(pids.read_text()), signal.SIGKILL)


def test_a_child_that_floods_the_pipe_for_ever_does_not_hold_us(either):
    completed = either("yes & exit 3", timeout=30)

    assert (completed.exit_code, completed.left_running) == (3, True)


@pytest.mark.req("WX-E")
def test_a_hundred_megabytes_are_read_and_one_mebibyte_is_kept(either):
    completed = either("echo begin; head -c 100000000 /dev/zero; echo end")

    assert completed.ok
    stream = completed.stdout
    assert len(stream.head) + len(stream.tail) == 1024 * 1024
    assert stream.dropped == 100_000_010 - 1024 * 1024
    assert stream.text.startswith("begin\n")
    assert stream.text.endswith("end\n")
    assert f"[… {stream.dropped:,} bytes left out …]" in stream.text


def test_a_large_stdin_and_a_large_stdout_do_not_wait_for_each_other(either):
    told = bytes(range(256)) * 8192

    completed = either("cat", stdin=told, keep=len(told))

    assert completed.stdout == CapturedStream(told[: len(told) // 2], told[len(told) // 2 :])


@pytest.mark.parametrize("line", ["true", "exec 0<&-; sleep 0.05", "head -c 1 >/dev/null"])
def test_a_command_need_not_read_what_it_is_told(either, line):
    assert either(line, stdin=b"x" * 5_000_000).ok


def test_stdin_is_empty_when_there_is_nothing_to_tell(either):
    assert either("wc -c").stdout.text.strip() == "0"


@pytest.mark.req("WS-E1")
@pytest.mark.parametrize(
    ("line", "options", "said"),
    [
        pytest.param(("no-such-program",), {}, "no-such-program", id="missing program"),
        pytest.param("true", {"cwd": "/no/such/dir"}, "/no/such/dir", id="missing directory"),
        pytest.param("true", {"cwd": "/dev/null"}, "/dev/null", id="a file for a directory"),
        pytest.param(("/etc/passwd",), {}, "Permission denied", id="not executable"),
        pytest.param("a\0b", {}, "null byte", id="a NUL byte in the command"),
        pytest.param("x" * 3_000_000, {}, "too long", id="longer than the system takes"),
    ],
)
def test_what_cannot_be_started_says_why(either, line, options, said):
    completed = either(line, **options)

    assert completed.failure is not None
    assert said in completed.failure
    assert (completed.exit_code, completed.ok, completed.status) == (None, False, 127)


def test_the_environment_is_the_given_one_and_the_directory_too(either, tmp_path):
    completed = either('echo "$A:$B"; pwd', env={"A": "1"}, cwd=str(tmp_path))

    assert completed.stdout.text == f"1:\n{tmp_path}\n"


def test_commands_run_side_by_side_and_answer_in_order(tmp_path):
    """Each waits for the other's file: one after the other they would never end."""
    meet = "touch $A; until [ -e $B ]; do sleep 0.01; done; echo $A"

    def commands(place: Path) -> list[Command]:
        place.mkdir()
        return [
            Command(
                line=meet,
                cwd=str(place),
                env={"A": a, "B": b, "PATH": os.environ["PATH"]},
                timeout=20,
            )
            for a, b in (("one", "two"), ("two", "one"))
        ]

    for completed in (
        run_all(commands(tmp_path / "blocking")),
        asyncio.run(run_all_async(commands(tmp_path / "async"))),
    ):
        assert [one.stdout.text for one in completed] == ["one\n", "two\n"]


async def test_a_cancelled_await_ends_the_whole_group(tmp_path):
    pids = tmp_path / "pids"
    task = asyncio.create_task(run_async(f"sleep 60 & echo $! $$ > {pids}; sleep 60"))
    await run_async(f"until [ -s {pids} ]; do sleep 0.01; done", timeout=20)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert all_gone(pids)


async def test_the_event_loop_goes_on_while_a_command_runs():
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await run_async("sleep 0.3")
    ticking.cancel()

    assert ticks > 3


def test_without_a_loop_the_coroutine_never_suspends():
    coroutine = run_async("echo hi")

    with pytest.raises(StopIteration) as returned:
        coroutine.send(None)

    assert returned.value.value.stdout.text == "hi\n"


def test_where_nothing_announces_the_end_we_look_from_time_to_time(either, monkeypatch):
    monkeypatch.setattr(running_module, "notice", lambda pid: None)

    assert either("echo hi; exit 4").exit_code == 4
    assert either("sleep 60 & sleep 60", timeout=0.2).timed_out
    assert either("sleep 2 & exit 5").exit_code == 5


def test_an_interrupt_leaves_no_process_behind(tmp_path):
    """What Ctrl-C does to us, it does to what we started, though that has a group of its own."""
    pids = tmp_path / "pids"
    program = (
        "import os, signal, threading, time\n"
        "from pathlib import Path\n"
        "from snaphook.process import run\n"
        "def interrupt():\n"
        f"    while not (Path({str(pids)!r}).exists() and Path({str(pids)!r}).read_text()):\n"
        "        time.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored, if we are in the back\n"
        "threading.Thread(target=interrupt).start()\n"
        f"run('sleep 60 & echo $! $$ > {pids}; sleep 60', timeout=30)\n"
    )

    completed = run((sys.executable, "-c", program), timeout=60)

    assert "KeyboardInterrupt" in completed.stderr.text
    assert all_gone(pids)


@only_thoroughly
@pytest.mark.req("WS-9")
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts descriptors in /proc")
def test_thousands_of_commands_leak_no_descriptor_and_no_zombie():
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    def children() -> set[str]:
        return {
            pid
            for listed in Path("/proc/self/task").glob("*/children")
            for pid in listed.read_text().split()
        }

    true = Command(line=("true",), stdin=b"{}")
    run_all([true])
    gc.collect()  # what earlier tests left open closes now, not while we count
    before, running = descriptors(), children()

    for _ in range(thorough(60, 20)):
        assert all(completed.ok for completed in run_all([true] * 50))

    assert descriptors() == before
    assert children() <= running  # nobody is left to wait for


IGNORING = """
import signal, threading
from snaphook.process import run
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
thread = threading.Thread(target=lambda: print(run("exit 0").failure))
thread.start()
thread.join()
print(run("exit 2").exit_code)
"""


def test_where_children_are_ignored_an_exit_code_is_never_taken_for_zero():
    """A host may hand down an ignored SIGCHLD; Python then reports every exit as 0."""
    completed = run((sys.executable, "-c", IGNORING))

    assert completed.stdout.text == f"{running_module.LOST}\n2\n"


def test_a_process_out_of_descriptors_is_told_so_and_lives_on():
    """Whichever descriptor is the one too many, the answer is data and nothing is leaked."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.dup(0)
    os.close(lowest)
    try:
        for spare in range(14):
            resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + spare, hard))
            completed = run("echo hi", stdin=b"{}")
            assert completed.ok or "Too many open files" in (completed.failure or "")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert os.dup(0) == lowest
    os.close(lowest)


def test_time_is_measured():
    began = time.monotonic()
    completed = run("sleep 0.1")

    assert 0 < completed.duration <= time.monotonic() - began
