"""The daemon at work for hooks that wait, and behind their backs."""

import json
import subprocess
import time

import pytest
from tests.faults.nursery import CLIENT, Nursery
from tests.until import until

from snaphook.stores.eventlog.read import records
from snaphook.stores.outbox import JobState, Outbox
from snaphook.stores.workspace import make_workspace

pytestmark = pytest.mark.needs("native-client")


@pytest.fixture
def nursery():
    made = Nursery()
    yield made
    made.close()


def ruled(nursery, text):
    file = nursery.home / ".config/snaphook/snaphook.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def hook(nursery, event, **fields):
    wire = {"hook_event_name": event, "session_id": "s", "cwd": str(nursery.project), **fields}
    done = subprocess.run(
        [CLIENT, "claude-code", event],
        input=json.dumps(wire).encode(),
        capture_output=True,
        env=nursery.env,
        cwd=nursery.folder,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout) if done.stdout else None


def test_a_command_hook_is_run_by_the_daemon_and_once(nursery):
    ruled(nursery, '[[hooks.SessionStart]]\ncommand = "echo heard; echo x >> $HOME/runs"\n')
    nursery.start()
    before = nursery.status().served

    said = hook(nursery, "SessionStart")

    assert said["hookSpecificOutput"]["additionalContext"] == "heard"
    assert (nursery.home / "runs").read_text() == "x\n"
    assert nursery.status().served - before == 2, "the hook and our question; nobody sent elsewhere"


@pytest.mark.req("BB-ST-7")
def test_a_stop_is_answered_and_the_daemon_goes_on_working(nursery):
    ruled(nursery, "[essentials]\n")
    make_workspace(nursery.project)
    nursery.start()
    before = nursery.status().served

    started = hook(nursery, "SessionStart", source="startup")
    assert hook(nursery, "Stop", last_assistant_message="hello") is None

    assert started["hookSpecificOutput"]["agentType"] == "developer"
    assert nursery.status().served - before == 3
    outbox = Outbox(nursery.home / ".local/share/snaphook", patience=5)
    end = time.monotonic() + 30
    while outbox.counts()[JobState.WAITING] and time.monotonic() < end:
        time.sleep(0.02)
    kinds = {job.kind for job in outbox.jobs(JobState.DONE)}
    assert kinds == {"note", "finish", "notify"}
    assert outbox.counts()[JobState.DEAD] == 0
    outbox.close()


def test_work_that_a_killed_daemon_left_is_taken_up_by_the_next(nursery):
    ruled(nursery, "[essentials]\n")
    outbox = Outbox(nursery.home / ".local/share/snaphook", patience=5)
    outbox.put("alert", {"id": "1", "kind": "x", "error": "y"})
    nursery.start()

    end = time.monotonic() + 30
    while outbox.counts()[JobState.DONE] < 2 and time.monotonic() < end:
        time.sleep(0.02)
    assert {job.kind for job in outbox.jobs(JobState.DONE)} == {"alert", "notify"}
    outbox.close()


def test_the_end_of_an_async_hook_is_recorded_though_its_daemon_was_killed(nursery):
    ruled(
        nursery,
        '[[hooks.PostToolUse]]\nname = "slow"\nasync = true\n'
        'command = "touch $HOME/began; until [ -e $HOME/go ]; do sleep 0.05; done; exit 5"\n',
    )
    daemon = nursery.start()
    hook(nursery, "PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={})
    until((nursery.home / "began").exists)
    nursery.kill(daemon)
    nursery.start()
    (nursery.home / "go").touch()

    (end,) = until(lambda: [one for one in records(nursery.record) if one.event == "HookEnded"])

    (run,) = end.hooks
    assert (run.hook, run.exit_code, end.session) == ("slow", 5, "s")
    begun = [run for one in records(nursery.record) for run in one.hooks if run.background]
    assert [one.run for one in begun] == [run.run]


def test_a_daemon_records_what_the_client_had_to_answer_by_itself(nursery):
    folder = nursery.home / ".local/share/snaphook/refused"
    folder.mkdir(parents=True, mode=0o700)
    call = ["1", f"{time.time()}", "claude-code", "PreToolUse", str(nursery.project), "x", "y", "1"]
    (folder / "1-1.call").write_bytes("\0".join([*call, '{"session_id":"s"}']).encode())
    (folder / "2-2.taken-999999999").write_bytes("\0".join([*call, "{}"]).encode())
    nursery.start()

    found = until(lambda: kept if len(kept := list(records(nursery.record))) == 2 else [])

    assert {(one.event, one.verdict, one.reason) for one in found} == {
        ("PreToolUse", "deny", "x (y)")
    }
    until(lambda: not list(folder.iterdir()))
