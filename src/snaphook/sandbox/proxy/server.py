"""The proxy at work.

listeners + HostList  ->  connections outside, refusals in a report
"""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from typing import cast

from .greetings import BadRequest, Wanted, read_wanted
from .hosts import LOCAL, HostList
from .names import Addresses, answer, read_question
from .outside import Streams, connect

_PIECE = 65_536
_REVERSE = (".in-addr.arpa", ".ip6.arpa")
"""Lookups of the name of an address: programs make them for their logs, and want nothing of anybody."""
Connect = Callable[[str, int], Awaitable[Streams]]
Report = Callable[[str, int], None]


class Proxy:
    """Lets through what is on the list."""

    def __init__(self, hosts: HostList, report: Report, *, connects: Connect = connect) -> None:
        self._hosts = hosts
        self._report = report
        self._connect = connects
        self.addresses = Addresses()

    async def serve(
        self, names: socket.socket, proxy: socket.socket, ports: list[socket.socket]
    ) -> None:
        """Serve on the given listeners: for names, for clients that know us, for those that do not."""
        loop = asyncio.get_running_loop()
        await loop.create_datagram_endpoint(lambda: NameServer(self), sock=names)
        await asyncio.start_server(self.greet, sock=proxy)
        for one in ports:
            await asyncio.start_server(self.guess, sock=one)

    def resolve(self, raw: bytes) -> bytes | None:
        """Return the answer to a name lookup."""
        question = read_question(raw)
        if question is None:
            return None
        if question.name == LOCAL:
            return answer(question, "127.0.0.1")
        if not self._hosts.knows(question.name):
            if not question.name.endswith(_REVERSE):
                self._report(question.name, 0)
            return answer(question, "")
        return answer(question, self.addresses.address(question.name))

    async def greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client that says where it wants to go."""
        try:
            wanted = await read_wanted(reader, writer)
        except (BadRequest, asyncio.IncompleteReadError, OSError, ValueError):
            await _end(writer)
        else:
            await self._serve(wanted, reader, writer)

    async def guess(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client that went to an address of ours: it tells the name."""
        address, port = writer.get_extra_info("sockname")[:2]
        host = LOCAL if address == "127.0.0.1" else self.addresses.name(address)
        if host:
            await self._serve(Wanted(host=host, port=port), reader, writer)
        else:
            await _end(writer)

    async def _serve(
        self, wanted: Wanted, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        host = self.addresses.name(wanted.host) or wanted.host
        if not self._hosts.allows(host, wanted.port):
            self._report(host, wanted.port)
            await _end(writer, wanted.refused)
            return
        try:
            far_reader, far_writer = await self._connect(host, wanted.port)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            await _end(writer, wanted.unreachable)
            return
        writer.write(wanted.granted)
        far_writer.write(wanted.first)
        await asyncio.gather(_pass_on(reader, far_writer), _pass_on(far_reader, writer))
        await asyncio.gather(_end(far_writer), _end(writer))


class NameServer(asyncio.DatagramProtocol):
    """Answers name lookups."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what answers are sent by."""
        self._transport = cast("asyncio.DatagramTransport", transport)  # its class does not say so

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answer one lookup."""
        if self._transport is not None and (said := self._proxy.resolve(data)) is not None:
            self._transport.sendto(said, addr)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what comes until it ends; then say so, while the other direction goes on."""
    try:
        while piece := await reader.read(_PIECE):
            writer.write(piece)
            await writer.drain()
        with contextlib.suppress(OSError, RuntimeError):
            writer.write_eof()
    except OSError:
        writer.close()


async def _end(writer: asyncio.StreamWriter, last: bytes = b"") -> None:
    if last:
        with contextlib.suppress(OSError):
            writer.write(last)
            await writer.drain()
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
