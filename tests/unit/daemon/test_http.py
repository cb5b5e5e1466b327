"""The door for HTTP hooks: who has the token is answered, everybody else hears no yes."""

import asyncio
import contextlib
import json

import pytest
import pytest_asyncio

from snaphook.daemon.frames import ReplyFrame
from snaphook.daemon.server import DaemonServer
from snaphook.hosts import Reply
from snaphook.hosts.http import Address, body, is_our_url, token

pytest.importorskip("h11")
from snaphook.daemon import http
from snaphook.daemon.http import HttpEndpoint

TOKEN = "t" * 43
DENIED = b'{"hookSpecificOutput": {"permissionDecision": "deny"}}'


@pytest_asyncio.fixture
async def door(unused_tcp_port):
    """A door whose handler says what it was asked; what it hears is kept."""
    heard = []

    def handle(request):
        heard.append(request)
        if request.stdin == b"fail":
            raise RuntimeError("inside")
        if request.stdin == b"slow":
            return _never()
        return ReplyFrame(stdout=DENIED if request.stdin == b"danger" else b"")

    server = DaemonServer(lambda _: handle, version="1")
    address = Address(port=unused_tcp_port, token=TOKEN)
    made = HttpEndpoint(server, address, {"HOME": "/home/ada"})
    await made.open()
    yield unused_tcp_port, heard
    made.close()
    for _ in range(3):  # what was closed is let go in the loop's next turns
        await asyncio.sleep(0)


async def _never():
    await asyncio.sleep(3600)
    return ReplyFrame()


async def say(port, raw):
    """Send *raw* and return the status and the body of what comes back; 0 where nothing does."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(raw)
    told = b""
    with contextlib.suppress(ConnectionResetError):
        told = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    with contextlib.suppress(ConnectionResetError):
        await writer.wait_closed()
    head, _, said = told.partition(b"\r\n\r\n")
    return (int(head.split()[1]) if head else 0), said


def asking(port, wire=b"{}", **changed):
    """Return a right request, but for what is *changed*; ``None`` leaves a header out."""
    headers: dict[str, str | None] = {
        "host": f"127.0.0.1:{port}",
        "authorization": f"Bearer {TOKEN}",
        "content-type": "application/json",
        "content-length": str(len(wire)),
    }
    line = changed.pop("line", "POST /snaphook/claude-code/PreToolUse HTTP/1.1")
    headers |= {name.replace("_", "-"): value for name, value in changed.items()}
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([line, *lines, "", ""]).encode() + wire


async def test_who_has_the_token_is_answered_in_the_body(door):
    port, heard = door

    assert await say(port, asking(port, b"danger")) == (200, DENIED)
    assert await say(port, asking(port, b"{}")) == (200, b"{}")
    assert heard[0].args == ("claude-code", "PreToolUse")
    assert heard[0].env == {"HOME": "/home/ada"}


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        pytest.param({"authorization": None}, 401, id="no token"),
        pytest.param({"authorization": f"Bearer {TOKEN}x"}, 401, id="a token that is longer"),
        pytest.param({"authorization": f"Bearer {TOKEN[:-1]}"}, 401, id="a token cut short"),
        pytest.param({"authorization": TOKEN}, 401, id="the token without its word"),
        pytest.param({"authorization": "Bearer \xff"}, 401, id="a token of odd bytes"),
        pytest.param({"host": "evil.example"}, 403, id="another name (DNS rebinding)"),
        pytest.param({"host": "127.0.0.1:1"}, 403, id="another port"),
        pytest.param({"origin": "http://evil.example"}, 403, id="from a web page"),
        pytest.param({"origin": "null"}, 403, id="from a web page without a name"),
        pytest.param({"sec_fetch_site": "cross-site"}, 403, id="from a browser"),
        pytest.param({"line": "GET /snaphook/claude-code/PreToolUse HTTP/1.1"}, 405, id="a GET"),
        pytest.param({"line": "POST / HTTP/1.1"}, 404, id="another path"),
        pytest.param({"line": "POST /snaphook/nobody/PreToolUse HTTP/1.1"}, 404, id="no host"),
        pytest.param({"line": "POST /snaphook/codex/PreToolUse HTTP/1.1"}, 404, id="no HTTP host"),
        pytest.param({"line": "POST /snaphook/claude-code/X HTTP/1.1"}, 404, id="no event"),
        pytest.param({"line": "POST /snaphook/../../etc HTTP/1.1"}, 404, id="a path that climbs"),
        pytest.param({"content_length": "99999999999"}, 413, id="a body too large"),
        pytest.param({"content_length": "-1"}, 400, id="a length below zero"),
        pytest.param({"content_length": "2, 3"}, 400, id="two lengths"),
        pytest.param(
            {"wire": b"", "expect": "100-continue", "content_length": "9"}, 417, id="asks before"
        ),
    ],
)
async def test_whoever_may_not_ask_is_turned_away_before_the_body_is_read(changed, status, door):
    port, heard = door

    assert (await say(port, asking(port, **changed)))[0] == status
    assert heard == []


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"SNAP\1\0\0\0\0", id="our own frames"),
        pytest.param(b"\x16\x03\x01\x02\0\1\0\1\xfc\x03\x03" + b"\0" * 99, id="TLS"),
        pytest.param(b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000 + b"\r\n\r\n", id="a long head"),
        pytest.param(b"POST / HTTP/1.1\r\n\r\n", id="no Host at all"),
        pytest.param(b"\r\n\r\n\r\n", id="nothing"),
    ],
)
async def test_what_is_no_http_is_answered_with_no_yes(raw, door):
    port, heard = door

    assert 400 <= (await say(port, raw))[0] < 500
    assert heard == []
    assert (await say(port, asking(port)))[0] == 200


async def test_a_visitor_who_never_finishes_is_sent_away(door, monkeypatch):
    monkeypatch.setattr(http, "READ_SECONDS", 0.05)
    port, heard = door

    assert (await say(port, asking(port, b"", content_length="5")))[0] == 408
    assert heard == []


async def test_chunks_are_read_up_to_the_most(door, monkeypatch):
    monkeypatch.setattr(http, "MOST_BODY", 10)
    port, heard = door
    chunked = {"content_length": None, "transfer_encoding": "chunked"}
    head = asking(port, b"", **chunked)

    assert (await say(port, head + b"6\r\ndanger\r\n0\r\n\r\n")) == (200, DENIED)
    assert (await say(port, head + b"b\r\n01234567890\r\n0\r\n\r\n"))[0] == 413
    assert len(heard) == 1


@pytest.mark.parametrize("wire", [b"fail", b"slow"])
async def test_a_failure_of_ours_is_said_as_a_no(wire, door, monkeypatch):
    monkeypatch.setattr(http, "time_limit", lambda _host, _call: 0.05)
    status, said = await say(door[0], asking(door[0], wire))

    assert status == 200
    assert json.loads(said)["hookSpecificOutput"]["permissionDecision"] == "deny"


async def test_too_many_visitors_at_once_are_turned_away_and_the_rest_answered(door, monkeypatch):
    monkeypatch.setattr(http, "VISITORS", 2)
    port, _ = door
    waiting = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
    await asyncio.sleep(0)

    assert (await say(port, asking(port)))[0] == 0
    for _, writer in waiting:
        writer.close()
        await writer.wait_closed()
    until = asyncio.get_running_loop().time() + 5
    while (await say(port, asking(port)))[0] != 200:
        assert asyncio.get_running_loop().time() < until


def test_a_token_is_made_once_and_only_its_owner_can_read_it(tmp_path):
    made = token(tmp_path / "data")

    assert token(tmp_path / "data") == made
    assert len(made) >= 40
    assert (tmp_path / "data" / "http-token").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("event", "reply", "said"),
    [
        ("PreToolUse", Reply(), {}),
        ("PreToolUse", Reply(stdout=b'{"a": 1}'), {"a": 1}),
        (
            "PreToolUse",
            Reply(stderr=b"no\n", exit_code=2),
            {
                "decision": "block",
                "reason": "no",
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": "deny",
                    "permissionDecisionReason": "no",
                },
            },
        ),
        ("Stop", Reply(stderr=b"no", exit_code=2), {"decision": "block", "reason": "no"}),
        (
            "PermissionRequest",
            Reply(stderr=b"no", exit_code=2),
            {
                "hookSpecificOutput": {
                    "hookEventName": "PermissionRequest",
                    "decision": {"behavior": "deny", "message": "no"},
                }
            },
        ),
        (
            "PreCompact",
            Reply(stdout=b"keep the plan"),
            {
                "hookSpecificOutput": {
                    "hookEventName": "PreCompact",
                    "additionalContext": "keep the plan",
                }
            },
        ),
    ],
)
def test_a_reply_is_said_in_the_body_for_a_status_never_blocks(event, reply, said):
    assert json.loads(body(event, reply)) == said


@pytest.mark.parametrize(
    ("url", "ours"),
    [
        (Address(port=4577, token="t").url("claude-code", "Stop"), True),
        ("http://127.0.0.1:9/snaphook/claude-code/Stop", True),
        ("http://127.0.0.1:9/snaphook/qwen-code/Stop", False),
        ("http://evil.example/http://127.0.0.1:9/snaphook/claude-code/Stop", False),
        (None, False),
    ],
)
def test_an_address_of_ours_is_known_by_its_path(url, ours):
    assert is_our_url(url, "claude-code") is ours


async def test_more_headers_than_any_host_sends_are_turned_away_whole_or_in_pieces(door):
    port, heard = door
    head = (
        f"POST /snaphook/claude-code/PreToolUse HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Authorization: Bearer {TOKEN}\r\nContent-Length: 2\r\nX-Long: {'x' * 40_000}\r\n\r\n{{}}"
    )

    status, _ = await say(port, head.encode())

    assert status == 431
    assert heard == []
