"""The proxy connects clients to allowed hosts, whatever they speak, and refuses the others by name."""

import asyncio
import socket
import struct

import pytest

from snaphook.sandbox.proxy.hosts import HostList
from snaphook.sandbox.proxy.outside import connect
from snaphook.sandbox.proxy.server import Proxy


async def echo(reader, writer):
    writer.write(b"echo " + await reader.readuntil(b"\n"))
    await writer.drain()
    await reader.read()
    writer.close()
    await writer.wait_closed()


async def closed(*open_ones):
    for one in open_ones:
        one.close()
        await one.wait_closed()
    others = asyncio.all_tasks() - {asyncio.current_task()}  # what serves the other end
    if others:
        await asyncio.wait(others, timeout=10)


def served(said, *, allowed=("good.example", "good.example:7", "localhost:1")):
    """Return what the proxy answers to *said*, what was connected to, and what was reported."""
    connected, reported = [], []

    async def main():
        target = await asyncio.start_server(echo, "127.0.0.1", 0)
        at = target.sockets[0].getsockname()[1]

        async def outside(host, wanted):
            connected.append((host, wanted))
            return await asyncio.open_connection("127.0.0.1", at)

        proxy = Proxy(HostList(allowed), lambda *one: reported.append(one), connects=outside)
        listener = await asyncio.start_server(proxy.greet, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*listener.sockets[0].getsockname())
        got = b""
        for piece, size in said:
            writer.write(piece)
            got += await reader.readexactly(size) if size else b""
        writer.write_eof()
        got += await reader.read()
        await closed(writer, listener, target)
        return got

    return asyncio.run(main()), connected, reported


NAME = b"good.example"
SOCKS5 = b"\x05\x01\x00\x03" + bytes([len(NAME)]) + NAME + struct.pack("!H", 443)


@pytest.mark.parametrize(
    ("said", "got", "port"),
    [
        pytest.param([(b"CONNECT good.example:443 HTTP/1.1\r\nHost: x\r\n\r\n", 39), (b"hi\n", 0)],
                     b"HTTP/1.1 200 Connection established\r\n\r\necho hi\n", 443, id="CONNECT"),
        pytest.param([(b"GET http://good.example/a HTTP/1.1\r\nProxy-Connection: x\r\n\r\n", 0)],
                     b"echo GET /a HTTP/1.1\r\n", 80, id="HTTP"),
        pytest.param([(b"\x05\x01\x00", 2), (SOCKS5, 10), (b"hi\n", 0)],
                     b"\x05\x00\x05\x00\x00\x01" + bytes(6) + b"echo hi\n", 443, id="SOCKS 5"),
        pytest.param([(b"\x04\x01\0\x07\0\0\0\x01me\0good.example\0", 8), (b"hi\n", 0)],
                     b"\0\x5a" + bytes(6) + b"echo hi\n", 7, id="SOCKS 4a"),
    ],
)  # fmt: skip
def test_an_allowed_host_is_connected_to(said, got, port):
    assert served(said) == (got, [("good.example", port)], [])


@pytest.mark.parametrize(
    ("said", "port", "start"),
    [
        pytest.param(b"CONNECT evil.test:443 HTTP/1.1\r\n\r\n", 443, b"HTTP/1.1 403", id="CONNECT"),
        pytest.param(
            b"POST http://evil.test/?s=1 HTTP/1.1\r\n\r\n", 80, b"HTTP/1.1 403", id="HTTP"
        ),
        pytest.param(
            b"CONNECT good.example:22 HTTP/1.1\r\n\r\n", 22, b"HTTP/1.1 403", id="another port"
        ),
        pytest.param(b"\x04\x01\x00\x50\x01\x02\x03\x04me\0", 80, b"\0\x5b", id="SOCKS 4"),
    ],
)
def test_another_host_is_refused_by_name_and_reported(said, port, start):
    got, connected, reported = served([(said, 0)])

    assert got.startswith(start)
    assert connected == []
    assert [one[1] for one in reported] == [port]
    if start.startswith(b"HTTP"):
        assert f"{reported[0][0]}:{port} is not allowed".encode() in got


@pytest.mark.parametrize(
    "said",
    [
        b"\x05\x01\x00",
        b"SSH-2.0-x\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"CONNECT x HTTP/1.1\r\n\r\n",
        b"\x04\x02" + bytes(9),
    ],
)
def test_what_nobody_understands_is_hung_up_on(said):
    async def main():
        proxy = Proxy(HostList([]), lambda *_: None)
        listener = await asyncio.start_server(proxy.greet, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*listener.sockets[0].getsockname())
        writer.write(said)
        writer.write_eof()
        got = await reader.read()
        await closed(writer, listener)
        return got

    assert asyncio.run(main()) in (b"", b"\x05\x00")


def test_a_client_that_knows_no_proxy_is_led_by_the_name():
    async def main():
        proxy = Proxy(HostList(["good.example"]), lambda *_: None)
        asked = struct.pack("!HHHHHH", 1, 0x0100, 1, 0, 0, 0) + b"\x04good\x07example\0\0\x01\0\x01"
        raw = proxy.resolve(asked)
        assert raw is not None
        address = socket.inet_ntoa(raw[-4:])
        return address, proxy.addresses.name(address)

    assert asyncio.run(main()) == ("127.77.0.1", "good.example")


def test_the_machines_own_proxy_is_used():
    async def main():
        seen = []

        async def upstream(reader, writer):
            seen.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(b"HTTP/1.1 200 OK\r\n\r\nthrough")
            await writer.drain()
            writer.close()
            await writer.wait_closed()

        server = await asyncio.start_server(upstream, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        reader, writer = await connect(
            "good.example", 443, {"https": f"http://ada:pw@127.0.0.1:{port}"}
        )
        got = await reader.read()
        await closed(writer, server)
        return got, seen[0]

    got, head = asyncio.run(main())
    assert got == b"through"
    assert head.startswith(b"CONNECT good.example:443 HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic YWRhOnB3\r\n" in head
