"""The end of an ``async`` hook is recorded: without a daemon, after a kill, with what it printed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from time import time

import pytest
from tests.until import until

from snaphook import HookContext, PostToolUse
from snaphook.canon.hook_runs import HOOK_ENDED, RecordedRun
from snaphook.process import CapturedStream, Command, Completed
from snaphook.providers.telemetry.measures import Measures
from snaphook.providers.telemetry.spans import Traces
from snaphook.stores.eventlog import LogSettings, Record
from snaphook.stores.eventlog.audit import verify
from snaphook.stores.eventlog.host_activity import host_activity
from snaphook.stores.eventlog.read import records
from snaphook.stores.eventlog.stats import stats
from snaphook.stores.eventlog.tally import session_counts, tallies
from snaphook.wiring.background_hooks import (
    LOG,
    BackgroundHooks,
    HookOrigin,
    WatchedHook,
    packed,
    unpacked,
)
from snaphook.wiring.hook_watcher import keep_end

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
EVENT = PostToolUse(
    context=HookContext(session_id="s", cwd="/", host="claude-code"),
    tool_name="Bash",
    tool_args={"command": "ls"},
    tool_use_id="call-1",
)
ENDED = Record(
    id="0" * 31 + "2",
    time=1_700_000_005.0,
    event=HOOK_ENDED,
    session="s",
    host="claude-code",
    tool="Bash",
    input={"event": "PostToolUse"},
    hooks=(RecordedRun(hook="slow", exit_code=3, duration_ms=2000.0, run="r"),),
)


def watched(tmp_path, command, **log):
    return WatchedHook(
        command=command,
        hook="slow",
        run="r1",
        origin=HookOrigin.of(EVENT),
        data_dir=str(tmp_path),
        log=LogSettings(**log),
    )


def test_the_record_of_an_end_names_the_run_and_the_call(tmp_path):
    completed = Completed(
        exit_code=3,
        stdout=CapturedStream(b"out\n"),
        stderr=CapturedStream(f"token {SECRET}\n".encode()),
        duration=2.0,
    )

    keep_end(watched(tmp_path, Command(line="x")), completed, now=time())

    (record,) = records(tmp_path / "log")
    (run,) = record.hooks
    assert (record.event, record.session, record.host, record.tool) == (
        HOOK_ENDED,
        "s",
        "claude-code",
        "Bash",
    )
    assert record.input == {"event": "PostToolUse", "tool_use_id": "call-1"}
    assert (run.hook, run.run, run.exit_code, run.duration_ms) == ("slow", "r1", 3, 2000.0)
    assert run.stdout == "out\n"
    assert SECRET not in run.stderr
    text = (tmp_path / LOG).read_text()
    assert "hook 'slow' on PostToolUse: exit 3, 2000 ms\nout\ntoken [REDACTED" in text
    assert (tmp_path / LOG).stat().st_mode & 0o777 == 0o600


def test_where_nothing_is_recorded_the_text_log_alone_has_it(tmp_path):
    keep_end(watched(tmp_path, Command(line="x"), enabled=False), Completed(exit_code=0), now=1.0)

    assert not (tmp_path / "log").exists()
    assert "exit 0" in (tmp_path / LOG).read_text()


def test_a_record_that_cannot_be_written_is_told_in_the_text_log(tmp_path):
    (tmp_path / "log").write_text("a file in the way")

    keep_end(watched(tmp_path, Command(line="x")), Completed(exit_code=0), now=1.0)

    assert "The end was not recorded: " in (tmp_path / LOG).read_text()


def test_a_variable_that_is_not_utf8_reaches_the_hook(tmp_path):
    odd = os.fsdecode(b"\xff\xfe")
    given = watched(tmp_path, Command(line=("a", "b"), env={"ODD": odd}, stdin=b"\xff"))

    assert unpacked(packed(given)) == given


@pytest.mark.parametrize(
    ("line", "ended"),
    [
        ("exit 4", "exit 4"),
        ("kill -9 $$", "killed by signal 9"),
        ("sleep 60", "timed out"),
    ],
)
def test_each_end_is_recorded_by_the_watcher(tmp_path, line, ended):
    start = BackgroundHooks(LogSettings(), tmp_path)

    assert start(Command(line=line, timeout=1.0), "slow", EVENT, "r1") is None

    (record,) = until(
        lambda: list(records(tmp_path / "log")) if (tmp_path / "log").exists() else []
    )
    assert [run.ended for run in record.hooks] == [ended]


def test_what_cannot_be_started_ends_so(tmp_path):
    start = BackgroundHooks(LogSettings(), tmp_path)

    assert start(Command(line="true", cwd=str(tmp_path / "gone")), "slow", EVENT, "r1") is None

    (record,) = until(
        lambda: list(records(tmp_path / "log")) if (tmp_path / "log").exists() else []
    )
    assert record.hooks[0].ended == "not started"
    assert "gone" in (record.hooks[0].failure or "")


def hook_called(tmp_path, command, **options):
    """Answer one call without a daemon, with *command* as an async hook; return the client's process."""
    settings = tmp_path / ".config/snaphook/snaphook.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f'[[hooks.PostToolUse]]\nname = "slow"\nasync = true\ncommand = {json.dumps(command)}\n'
    )
    wire = {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "cwd": str(tmp_path),
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_response": {},
    }
    env = {
        "HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "SNAPHOOK_DIRECT": "1",
        "SNAPHOOK_NO_DAEMON": "1",
    }
    client = subprocess.Popen(
        [sys.executable, "-I", "-m", "snaphook", "hook", "claude-code", "PostToolUse"],
        env=env,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        **options,
    )
    assert client.stdin is not None
    client.stdin.write(json.dumps(wire).encode())
    client.stdin.close()
    return client, env


def test_the_end_is_recorded_when_the_hook_outlives_the_call_and_its_process_group(tmp_path):
    go = tmp_path / "go"
    client, env = hook_called(
        tmp_path,
        f"touch {tmp_path}/began; until [ -e {go} ]; do sleep 0.05; done; echo late; exit 7",
    )
    data = tmp_path / ".local/share/snaphook"
    assert until((tmp_path / "began").exists)
    client.wait(60)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(client.pid, signal.SIGKILL)  # as hosts do that end what a hook left behind
    go.touch()

    ends = until(lambda: [one for one in records(data / "log") if one.event == HOOK_ENDED])

    (call,) = (one for one in records(data / "log") if one.event == "PostToolUse")
    (begun,), (ended,) = call.hooks, ends[0].hooks
    assert (begun.background, begun.run) == (True, ended.run)
    assert (ended.exit_code, ended.stdout, ended.background) == (7, "late\n", False)
    assert not any(report.bad for report in verify(data / "log"))
    shown = subprocess.run(
        [sys.executable, "-I", "-m", "snaphook", "log"],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    assert "started on PostToolUse" in shown
    assert "hook 'slow': exit 7, " in shown


def test_telemetry_counts_the_end_and_no_event():
    measures, traces = Measures(), Traces()

    measures.take(ENDED)
    (span,) = traces.take(ENDED)

    assert set(measures.numbers) == {"snaphook.hook.runs"}
    assert measures.spreads.keys() == {"snaphook.hook.run.duration"}
    assert (span.name, span.end - span.start, span.error) == (
        "hook slow",
        2.0,
        "hook 'slow': exit 3",
    )
    assert not traces.kept.sessions  # the session may be over: its trace is not opened again


def test_an_end_is_no_call_in_counts_and_no_word_from_its_host(tmp_path):
    assert not tallies([ENDED])
    assert not session_counts([ENDED])
    assert stats([ENDED]).latency.count == 0
    keep_end(watched(tmp_path, Command(line="x")), Completed(exit_code=0), now=1.0)
    assert not host_activity(tmp_path / "log")
