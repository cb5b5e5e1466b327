"""What a client of the proxy asks for: CONNECT, an HTTP request, or SOCKS.

first bytes  ->  Wanted: host, port, what to answer, what to send on
"""

import asyncio
import socket
import struct
from urllib.parse import urlsplit

from msgspec import Struct

_LONGEST_HEAD = 65_536
_REFUSAL = (
    "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {size}\r\n"
    "X-Snaphook: sandbox\r\nConnection: close\r\n\r\n{text}"
)


class Wanted(Struct, frozen=True, kw_only=True):
    """A connection that a client asks for."""

    host: str
    port: int
    granted: bytes = b""
    """What the client is told once there is a connection."""
    refused: bytes = b""
    unreachable: bytes = b""
    first: bytes = b""
    """What is sent on first."""


class BadRequest(Exception):  # noqa: N818 - the client's, not ours
    """The client speaks nothing that we understand."""


async def read_wanted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Wanted:
    """Return what the client on this connection asks for."""
    first = await reader.readexactly(1)
    if first == b"\x05":
        return await _socks5(reader, writer)
    if first == b"\x04":
        return await _socks4(reader)
    return await _http(first, reader)


def refusal(host: str, port: int) -> str:
    """Return what somebody is told who may not reach *host*."""
    return (
        f"snaphook sandbox: {host}:{port} is not allowed. A person can add '{_entry(host, port)}' to "
        f"[sandbox] allow_hosts in snaphook.toml.\n"
    )


def _entry(host: str, port: int) -> str:
    return host if port in (80, 443) else f"{host}:{port}"


async def _http(first: bytes, reader: asyncio.StreamReader) -> Wanted:
    try:
        head = first + await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError as error:
        raise BadRequest from error
    line, _, rest = head.partition(b"\r\n")
    words = line.split(b" ")
    if len(words) != 3 or len(head) > _LONGEST_HEAD:
        raise BadRequest
    method, target = words[0], words[1].decode("latin-1")
    if method == b"CONNECT":
        host, _, port = target.rpartition(":")
        return _of_http(host, port or "443", granted=b"HTTP/1.1 200 Connection established\r\n\r\n")
    url = urlsplit(target)
    if url.scheme != "http" or not url.hostname:
        raise BadRequest
    path = target.split(url.netloc, 1)[1] or "/"
    # One request a connection: the next may be for another host.
    kept = [
        part
        for part in rest.split(b"\r\n")
        if not part.lower().startswith((b"proxy-", b"connection:"))
    ]
    sent = (
        b" ".join((method, path.encode("latin-1"), words[2]))
        + b"\r\nConnection: close\r\n"
        + b"\r\n".join(kept)
    )
    return _of_http(url.hostname, str(url.port or 80), first=sent)


def _of_http(host: str, port: str, *, granted: bytes = b"", first: bytes = b"") -> Wanted:
    if not host or not port.isdecimal():
        raise BadRequest
    text = refusal(host, int(port))
    return Wanted(
        host=host,
        port=int(port),
        granted=granted,
        first=first,
        refused=_REFUSAL.format(size=len(text.encode()), text=text).encode(),
        unreachable=b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    )


async def _socks5(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Wanted:
    await reader.readexactly((await reader.readexactly(1))[0])
    writer.write(b"\x05\x00")
    await writer.drain()
    _, command, _, kind = await reader.readexactly(4)
    if command != 1:
        raise BadRequest
    if kind == 1:
        host = socket.inet_ntop(socket.AF_INET, await reader.readexactly(4))
    elif kind == 4:
        host = socket.inet_ntop(socket.AF_INET6, await reader.readexactly(16))
    elif kind == 3:
        host = (await reader.readexactly((await reader.readexactly(1))[0])).decode("latin-1")
    else:
        raise BadRequest
    (port,) = struct.unpack("!H", await reader.readexactly(2))
    tail = b"\x00\x01" + bytes(6)
    return Wanted(
        host=host,
        port=port,
        granted=b"\x05\x00" + tail,
        refused=b"\x05\x02" + tail,  # "connection not allowed by ruleset", RFC 1928
        unreachable=b"\x05\x04" + tail,
    )


async def _socks4(reader: asyncio.StreamReader) -> Wanted:
    command, port, address = struct.unpack("!BH4s", await reader.readexactly(7))
    await reader.readuntil(b"\0")
    if command != 1:
        raise BadRequest
    host = socket.inet_ntop(socket.AF_INET, address)
    if host.startswith("0.0.0."):  # 4a: the name follows
        host = (await reader.readuntil(b"\0"))[:-1].decode("latin-1")
    tail = bytes(6)
    return Wanted(
        host=host,
        port=port,
        granted=b"\0\x5a" + tail,
        refused=b"\0\x5b" + tail,
        unreachable=b"\0\x5b" + tail,
    )
