"""The server: everyone is answered, nobody disturbs anybody."""

import asyncio
import random
from contextlib import asynccontextmanager

import pytest
from tests.thorough import thorough

from snaphook.daemon import frames
from snaphook.daemon.frames import ReplyFrame, RequestFrame
from snaphook.daemon.server import DaemonServer, listen

VERSION = "1.0"


async def echo(request):
    return ReplyFrame(status=len(request.args), stdout=request.stdin)


@asynccontextmanager
async def running(path, handle=echo, **options):
    server = DaemonServer(lambda _: handle, version=VERSION, **options)
    serving = asyncio.create_task(server.serve(listen(path)))
    try:
        yield server
    finally:
        server.stop()
        await asyncio.wait_for(serving, 5)


async def ask(path, wire):
    """Return everything the server says to *wire* until it hangs up."""
    reader, writer = await asyncio.open_unix_connection(str(path))
    try:
        writer.write(wire)
        await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def request(stdin=b"{}", version=VERSION, args=("claude-code",)):
    return frames.encode_request(
        RequestFrame(version=version, cwd="/", args=args, env={"A": "b"}, stdin=stdin)
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.sock"


async def test_a_request_is_answered(path):
    async with running(path):
        assert await ask(path, request(b"hello")) == frames.encode_answer(
            ReplyFrame(status=1, stdout=b"hello")
        )


async def test_a_request_of_many_megabytes_is_answered(path):
    body = b"x" * (thorough(50, 12) << 20)
    async with running(path):
        assert (await ask(path, request(body)))[-20:] == body[-20:]


async def test_a_thousand_clients_at_once_are_all_answered(path):
    async with running(path):
        said = await asyncio.gather(*(ask(path, request(str(n).encode())) for n in range(1000)))

    assert said == [
        frames.encode_answer(ReplyFrame(status=1, stdout=str(n).encode())) for n in range(1000)
    ]


async def test_another_version_is_sent_elsewhere_and_the_daemon_makes_room(path):
    server = DaemonServer(lambda _: echo, version=VERSION)
    serving = asyncio.create_task(server.serve(listen(path)))
    await asyncio.sleep(0)

    assert await ask(path, request(version="2.0")) == frames.ASK_ELSEWHERE
    await asyncio.wait_for(serving, 5)


async def test_a_handler_that_fails_sends_the_client_elsewhere_and_the_next_is_answered(path):
    async def fails(request):
        if request.stdin == b"bad":
            raise ValueError("oops")
        return ReplyFrame()

    async with running(path, fails):
        assert await ask(path, request(b"bad")) == frames.ASK_ELSEWHERE
        assert await ask(path, request(b"good")) == frames.encode_answer(ReplyFrame())


async def test_a_long_thought_gives_signs_of_life(path, monkeypatch):
    monkeypatch.setattr("snaphook.daemon.connection.HEARTBEAT", 0.01)

    async def slow(request):
        await asyncio.sleep(0.1)
        return ReplyFrame()

    async with running(path, slow):
        said = await ask(path, request())

    assert said.startswith(frames.STILL_WORKING)
    assert said.endswith(frames.encode_answer(ReplyFrame()))


async def test_a_client_that_hangs_up_in_mid_request_disturbs_nobody(path):
    async with running(path):
        for cut in range(0, len(request()), 3):
            assert await ask(path, request()[:cut]) == b""
        assert await ask(path, request()) != b""


async def test_a_client_that_says_nothing_does_not_hold_up_the_others(path):
    async with running(path):
        _, silent = await asyncio.open_unix_connection(str(path))
        assert await ask(path, request()) != b""
        silent.close()


async def test_hostile_frames_get_no_answer_that_was_not_given(path):
    """Mutated and random frames: the server lives, and says nothing but what a frame can be."""
    chance = random.Random(8)
    plain = request(b'{"tool_name": "Bash"}')
    legal = (b"", frames.ASK_ELSEWHERE, frames.MAGIC + bytes([frames.ANSWER]))
    async with running(path) as server:
        for _ in range(2000):
            wire = bytearray(plain)
            for _ in range(chance.randrange(1, 6)):
                wire[chance.randrange(len(wire))] = chance.randrange(256)
            said = await ask(path, bytes(wire[: chance.randrange(1, len(wire) + 1)]))
            assert said[:5] in legal
            if server._stop.is_set():  # a mutated version made it leave, as it should
                break
    async with running(path):
        assert await ask(path, plain) != b""


async def test_an_idle_daemon_leaves(path):
    server = DaemonServer(lambda _: echo, version=VERSION, idle_seconds=0.05)
    await asyncio.wait_for(server.serve(listen(path)), 5)


async def test_a_stopped_daemon_finishes_what_it_has_begun(path):
    began = asyncio.Event()

    async def slow(request):
        began.set()
        await asyncio.sleep(0.2)
        return ReplyFrame(stdout=b"done")

    async with running(path, slow) as server:
        asked = asyncio.create_task(ask(path, request()))
        await began.wait()
        server.stop()
        assert (await asked).endswith(b"done")


def test_a_socket_left_behind_is_taken_over(path):
    listen(path).close()
    again = listen(path)
    again.close()

    assert path.exists()
