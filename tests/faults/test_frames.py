"""A hundred thousand hostile frames: no crash, and no answer milder than it should be."""

import json
import random
import re

import pytest
from tests.thorough import thorough

from snaphook.cli.hook import respond
from snaphook.daemon.client import request_bytes
from snaphook.daemon.frames import Gathering, ReplyFrame
from snaphook.daemon.handle import Handler
from snaphook.errors import WireError
from snaphook.hosts import HostCall, host_named

FRAMES = thorough(100_000, 25_000)
WIRE = json.dumps(
    {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "tool_name": "Bash",
        "tool_input": {"command": "git push --force origin main"},
    }
).encode()

_ALLOW = re.compile(rb"allow [^-]*?--once")


class Idle:
    """A server that only counts."""

    served = 0

    def on_look(self, do):
        pass

    def on_leaving(self, do):
        self.leave = do


@pytest.fixture
def plain(tmp_path):
    """The frame of a call that must be denied; nothing is recorded, so that it goes fast."""
    settings = tmp_path / ".config/snaphook/snaphook.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[log]\nenabled = false\n")
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin"}
    return request_bytes("1", str(tmp_path), ["claude-code", "PreToolUse"], env, WIRE)


def mutated(plain, chance):
    """Return *plain* with a few bytes of its envelope changed, moved, dropped or doubled."""
    wire = bytearray(plain)
    envelope = len(plain) - len(WIRE)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(envelope)
        match chance.randrange(5):
            case 0 | 1:
                wire[at] = chance.randrange(256)
            case 2:
                del wire[at : at + chance.randrange(1, 5)]
            case 3:
                wire[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 5)))
            case _:
                wire[at] = chance.choice(b"\x00\xff=/0123456789")
    return bytes(wire)


def gathered(wire, chance):
    """Return the request in *wire*, sent in one piece or several."""
    gathering = Gathering()
    cut = chance.randrange(len(wire))
    try:
        for piece in (wire[:cut], wire[cut:]) if cut % 3 == 0 else (wire,):
            if (request := gathering.add(piece)) is not None:
                return request
    except WireError:
        return None
    return None


def directly(request):
    """Return what the Python path says to the same words."""
    _, event, *given = (*request.args, "")[: max(2, len(request.args))]
    call = HostCall(event=event, env=request.env, cwd=request.cwd)
    reply = respond(host_named("claude-code"), call, given[0].encode() if given else request.stdin)
    return ReplyFrame(status=reply.exit_code, stdout=reply.stdout, stderr=reply.stderr)


def told(answer):
    """Return *answer* without the number that only a daemon can give to what it stopped."""
    stdout, stderr = (_ALLOW.sub(b"allow --once", text) for text in (answer.stdout, answer.stderr))
    return answer.status, stdout, stderr


async def test_hostile_frames_are_never_answered_more_mildly(plain):
    chance = random.Random(8)
    server = Idle()
    handler = Handler(server)  # type: ignore[arg-type]
    where = gathered(plain, chance).cwd
    asked: set[tuple[object, ...]] = set()
    understood = 0
    for _ in range(FRAMES):
        request = gathered(mutated(plain, chance), chance)
        if request is None:
            continue
        understood += 1
        key = (request.args, request.cwd, request.env.get("HOME"), request.stdin)
        if key in asked or request.cwd != where or request.env.get("HOME") != where:
            continue
        asked.add(key)
        answer = handler(request) if request.args[:1] == ("claude-code",) else None
        if answer is None:
            continue  # an unknown host is an exception, and the server sends its client to Python
        if not isinstance(answer, ReplyFrame):
            answer = await answer
        if request.args == ("claude-code", "PreToolUse"):
            assert answer.status == 2 or b'"deny"' in answer.stdout, request
        else:
            assert told(answer) == told(directly(request))
    server.leave()

    assert understood > FRAMES / 20
    assert len(asked) > 100
