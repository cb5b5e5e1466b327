"""Hooks in front of any MCP server.

client on stdin and stdout  <->  Proxy  <->  a server that we start, or one at a URL

What ``snaphook mcp-proxy`` does, for those who would do it in Python with providers of their own:
``await serve(started(["npx", "some-server"]), [MyProvider()], server="some")``.
"""

import asyncio
import signal
from contextlib import AbstractAsyncContextManager
from typing import Any

from .mcp.call import McpCalls
from .mcp.ends import ClientEnd, End, started
from .mcp.proxy import Proxy
from .session import Hooks

__all__ = ["serve", "started"]

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


async def serve(server: AbstractAsyncContextManager[End], hooks: Hooks, **options: Any) -> int:
    """Put *hooks* before *server* until its client leaves; return the exit status.

    *server* is ``started(argv)``, or ``connected(url, headers)`` of ``bridges.mcp.http``; *options*
    are those of ``McpCalls``. The status is 0, or 128 and the signal that ended us. Raises
    ``HostError`` where the server fails first.
    """
    caught: list[int] = []
    loop = asyncio.get_running_loop()
    work = asyncio.create_task(_served(server, McpCalls(hooks, **options)))

    def stop(number: int) -> None:
        caught.append(number)
        work.cancel()

    for number in SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        await work
    except asyncio.CancelledError:
        if not caught:
            raise
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
    return 128 + caught[0] if caught else 0


async def _served(server: AbstractAsyncContextManager[End], calls: McpCalls) -> None:
    client = ClientEnd.on_stdio()
    async with server as end:
        await Proxy(client, end, calls).run()
