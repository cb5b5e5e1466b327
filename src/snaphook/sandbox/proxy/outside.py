"""Connections from outside, through the machine's own proxy where it has one.

host, port  ->  streams
"""

import asyncio
import base64
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]

SECONDS = 30.0
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connect(host: str, port: int, proxies: Mapping[str, str] | None = None) -> Streams:
    """Return a connection to *host*; OSError where there is none to be had."""
    known = getproxies_environment() if proxies is None else proxies
    upstream = known.get("https") or known.get("all") or known.get("http", "")
    direct = proxy_bypass_environment(host, known)
    async with asyncio.timeout(SECONDS):
        if host == "localhost":
            return await _local(port)
        if direct or not upstream.startswith("http"):
            return await asyncio.open_connection(host, port)
        return await _through(upstream, host, port)


async def _local(port: int) -> Streams:
    """Return a connection to this machine, whose name not every machine knows."""
    try:
        return await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return await asyncio.open_connection("::1", port)


async def _through(upstream: str, host: str, port: int) -> Streams:
    url = urlsplit(upstream)
    secured = url.scheme == "https"
    reader, writer = await asyncio.open_connection(
        url.hostname, url.port or (443 if secured else 80), ssl=True if secured else None
    )
    login = ""
    if url.username:
        pair = f"{unquote(url.username)}:{unquote(url.password or '')}".encode()
        login = f"Proxy-Authorization: Basic {base64.b64encode(pair).decode()}\r\n"
    writer.write(f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n{login}\r\n".encode())
    await writer.drain()
    head = await reader.readuntil(b"\r\n\r\n")
    if head.split(b" ", 2)[1:2] != [b"200"]:
        writer.close()
        raise ConnectionRefusedError(f"{url.hostname}: {head.splitlines()[0].decode('latin-1')}")
    return reader, writer
