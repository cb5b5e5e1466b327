"""A session is on disk before the agent goes on, and comes back exactly, whatever happened."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from snaphook.agent import Agent, SessionFolder, Stage, TurnStatus, Usage
from snaphook.agent.session import INTERRUPTED, MessagesErased, SessionStarted
from snaphook.canon import PreCompactOutput, SessionStart, UserPromptOutput, Verdict
from snaphook.errors import StoreError, UsageError
from snaphook.testing import Failure, Recorder, ScriptedModel, ScriptedProvider, say

from .conftest import EVERYTHING, shown


@pytest.fixture
def sessions(tmp_path):
    return SessionFolder(tmp_path / "home", "/project")


async def resumed(make, sessions, agent, script="turn\n  say ok", *providers) -> Agent:
    await agent.close()
    again: Agent = make(script, *providers, sessions=sessions, resume=agent.session_id)
    return again


async def test_a_session_is_resumed_exactly(make, sessions):
    agent = make(EVERYTHING, sessions=sessions)
    await agent.send_message("go")

    recorder = Recorder()
    again = await resumed(make, sessions, agent, "turn\n  say ok", recorder)

    assert again.messages == agent.messages
    assert again.ledger.usage == Usage(input_tokens=300, output_tokens=60)
    assert again.ledger.micro_dollars == 1200, "the child's own session holds the child's share"
    await again.send_message("on")
    assert [str(event.source) for event in recorder.of(SessionStart)] == ["resume"]
    assert [message.id for message in again.messages] == [
        *(message.id for message in agent.messages),
        "m5",
        "m6",
    ]


async def test_what_was_shortened_cleared_and_exported_comes_back_so(make, sessions):
    keep = PreCompactOutput(preserve_context=("keep",), export_state={"task": "T-1"})
    agent = make(
        "turn\n say a\nturn\n say short\nturn\n say b",
        ScriptedProvider("on_pre_compact", keep),
        sessions=sessions,
    )
    await agent.send_message("one")
    await agent.compact()
    await agent.send_message("two")

    again = await resumed(make, sessions, agent)
    assert again.messages == agent.messages
    assert again.state == {"task": "T-1"}

    await again.clear()
    cleared = await resumed(make, sessions, again)
    assert cleared.messages == []


async def test_an_erased_prompt_was_never_on_disk(make, sessions):
    deny = UserPromptOutput(decision=Verdict.DENY, reason="no")
    agent = make(
        "turn\n say ok", ScriptedProvider("on_user_prompt_submitted", deny), sessions=sessions
    )

    await agent.send_message("password: hunter2")

    assert b"hunter2" not in sessions.path(agent.session_id).read_bytes()
    again = await resumed(make, sessions, agent)
    assert shown(again.messages) == [("assistant", "ErrorBlock", "no")]


async def test_a_torn_last_line_is_cut_off(make, sessions):
    agent = make("turn\n say hi", sessions=sessions)
    await agent.send_message("hello")
    path = sessions.path(agent.session_id)
    whole = path.read_bytes()
    await agent.close()
    path.write_bytes(whole + b'{"type":"message","message":{"id":"m3","ro')

    again = await resumed(make, sessions, agent)

    assert again.messages == agent.messages
    assert path.read_bytes() == whole


async def test_a_line_that_is_not_ours_is_named(make, sessions):
    agent = make("turn\n say hi", sessions=sessions)
    await agent.send_message("hello")
    path = sessions.path(agent.session_id)
    lines = path.read_bytes().splitlines(keepends=True)
    await agent.close()
    path.write_bytes(b"".join([lines[0], b"what?\n", *lines[1:]]))

    with pytest.raises(StoreError, match=r":2: this line is not a valid session record"):
        make("turn", sessions=sessions, resume=agent.session_id)


async def test_a_session_is_used_by_one_process_at_a_time(make, sessions):
    agent = make("turn\n say hi", sessions=sessions)

    with pytest.raises(StoreError, match="another process is using this session"):
        make("turn", sessions=sessions, resume=agent.session_id)


def test_a_session_that_is_not_there_is_told_so(sessions):
    with pytest.raises(UsageError, match="there is none in"):
        sessions.resume("s-none")
    with pytest.raises(UsageError, match="this project has no session yet"):
        sessions.latest()
    assert sessions.path("../../etc/passwd").parent == sessions.folder


async def test_the_latest_session_is_the_one_last_written_to_by_a_person(make, sessions):
    first = make("turn\n say a", sessions=sessions)
    second = make(EVERYTHING, sessions=sessions)
    await second.send_message("go")
    assert len(list(sessions.folder.glob("*.jsonl"))) == 3, "the subagent has a session too"
    assert sessions.latest() == second.session_id

    os.utime(sessions.path(second.session_id), (0, 0))  # a clock may stand still between the two
    await first.send_message("hello")
    assert sessions.latest() == first.session_id


def test_a_full_disk_is_told_in_one_line(sessions, tmp_path):
    session = sessions.create(SessionStarted(session_id="s", cwd="/project"))
    session.sync()
    os.dup2(os.open("/dev/full", os.O_WRONLY), session._file._fd)

    with pytest.raises(StoreError, match=r"cannot be written \(No space left on device\)"):
        session.append(MessagesErased(id="m1"))
    session.close()


async def test_a_failed_turn_resumes(make, sessions):
    agent = make([Failure(status=401, message="bad key")], sessions=sessions)
    assert (await agent.send_message("hello")).status is TurnStatus.FAILED
    model = ScriptedModel([say("Hello.")])

    again = await resumed(make, sessions, agent, model)

    assert (await again.send_message("now?")).text == "Hello."
    assert [line.text for line in model.asked[0].lines] == ["hello", "now?"]


KILLED = """
import asyncio, sys
from pathlib import Path
from snaphook.agent import Agent, AgentOptions, Mode, Permissions, SessionFolder
from snaphook.testing import Call, ScriptedModel, say

async def main(home, cwd):
    calls = [
        Call("Write", {"file_path": "a", "content": "x"}),
        Call("Bash", {"command": "touch started; sleep 20"}),
    ]
    agent = Agent(
        model=ScriptedModel([say("One."), say("Two.", *calls)]),
        options=AgentOptions(cwd=cwd),
        permissions=Permissions(mode=Mode.ALLOW_ALL),
        sessions=SessionFolder(Path(home), "/project"),
        session_id="s-killed",
    )
    await agent.send_message("first")
    await agent.send_message("second")

asyncio.run(main(*sys.argv[1:]))
"""


def kill_when_there(command: list[str], sign: Path) -> None:
    process = subprocess.Popen(command, start_new_session=True)
    while not sign.exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()


async def test_kill_9_in_the_middle_of_a_turn_loses_nothing(make, tmp_path):
    """The process dies while a command runs; what it said and did is all there."""
    sessions = SessionFolder(tmp_path / "home", "/project")
    work = tmp_path / "work"
    work.mkdir()
    command = [sys.executable, "-c", KILLED, str(tmp_path / "home"), str(work)]
    await asyncio.to_thread(kill_when_there, command, work / "started")

    model = ScriptedModel([say("Three.")])
    agent = make(model, sessions=sessions, resume="s-killed")

    assert shown(agent.messages)[:4] == [
        ("user", "TextBlock", "first"),
        ("assistant", "TextBlock", "One."),
        ("user", "TextBlock", "second"),
        ("assistant", "TextBlock", "Two."),
    ]
    assert [(tool.stage, tool.error, tool.result) for tool in agent.messages[3].tools] == [
        (Stage.END, "", "Created a (1 line)."),
        (Stage.END, "interrupted", INTERRUPTED),
    ]
    assert (await agent.send_message("go on")).text == "Three."
    assert model.asked[0].heard(INTERRUPTED)
