"""What the bridge adds to a tool call inside an agent SDK: a run with it over a run without."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from bench.sdks import (
    CALLS,
    Go,
    agent_hooks,
    claude_agent_sdk,
    langchain,
    openai_agents,
    pydantic_ai,
)
from bench.table import per_call, row, section
from snaphook import HooksProvider
from snaphook.bridges import Bridge, SdkToolCall
from snaphook.bridges.mcp.call import McpCalls
from snaphook.bridges.mcp.proxy import Proxy
from snaphook.bridges.recorded import Recorded
from snaphook.bridges.table import PYDANTIC_AI
from snaphook.config import Environment

ROUNDS = 15
CALLED = 500
"""Tool calls through one proxy."""
CALL = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"x","arguments":{"a":1}}}'
RESULT = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"done"}]}}'


class Silent(HooksProvider):
    """Hears every call and every result, and has no opinion."""

    async def on_pre_tool_use(self, event: Any, context: Any) -> None:
        return None

    async def on_post_tool_use(self, event: Any, context: Any) -> None:
        return None


def main() -> None:
    section("bridges: a provider inside an agent SDK")
    loop = asyncio.new_event_loop()
    _bridge(loop)
    for name, pair in (
        ("LangChain", langchain.pair),
        ("LangChain, not waited for", langchain.not_waited_for),
        ("openai-agents", openai_agents.pair),
        ("pydantic-ai", pydantic_ai.pair),
    ):
        without, within = _seconds(loop, *pair([Silent()]))
        row(f"{name}, a run of {CALLS} calls, hooked / bare", within / without, "×", 2)
        row(f"{name}, added per tool call", (within - without) / CALLS * 1e6, "µs")
    idle, within = _seconds(loop, *langchain.beside_an_idle_one([Silent()]))
    row("LangChain, hooked / a middleware that does nothing", within / idle, "×", 2)
    for name, run in (
        ("AGENT-HOOKS, an interceptor's two points", agent_hooks.run),
        ("claude-agent-sdk, its two callbacks", claude_agent_sdk.run),
    ):
        [answered] = _seconds(loop, run([Silent()]))
        row(f"{name}, per tool call", answered / CALLS * 1e6, "µs")
    proxied = per_call(lambda: loop.run_until_complete(_through_a_proxy()), calls=1) / CALLED
    row("an MCP proxy between two queues, per tool call", proxied * 1e6, "µs")
    loop.close()


def _bridge(loop: asyncio.AbstractEventLoop) -> None:
    """Measure the bridge without any SDK."""
    session = Bridge([Silent()], sdk="bench", can=PYDANTIC_AI.can).session()
    call = SdkToolCall(name="work", args={"step": 1}, id="1")

    def through() -> None:
        loop.run_until_complete(session.run_tool(call, _work))

    def straight() -> None:
        loop.run_until_complete(_work(call.args))

    alone = per_call(through, calls=500) - per_call(straight, calls=500)
    row("the bridge itself, per tool call", alone * 1e6, "µs")
    with TemporaryDirectory() as home:
        hooks = Recorded(Environment.here(Path(home), {"HOME": home}))
        kept = Bridge(hooks, sdk="bench", can=PYDANTIC_AI.can).session()

        def recorded() -> None:
            loop.run_until_complete(kept.run_tool(call, _work))

        within_settings = per_call(recorded, calls=100)
        loop.run_until_complete(hooks.settled())
    row("the same with from_settings(), recorded", within_settings * 1e6, "µs")


def _seconds(loop: asyncio.AbstractEventLoop, *runs: Go) -> list[float]:
    """Return the least processor time of each of *runs*; they take turns, so all have the same neighbours."""

    async def timed(go: Go) -> float:
        started = process_time()
        await go()
        return process_time() - started

    rounds = [[loop.run_until_complete(timed(go)) for go in runs] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


class End:
    """One end of a proxy: a queue in, a queue out."""

    def __init__(self) -> None:
        self.says: asyncio.Queue[bytes] = asyncio.Queue()
        self.hears: asyncio.Queue[bytes] = asyncio.Queue()

    async def messages(self) -> AsyncIterator[bytes]:
        while message := await self.says.get():
            yield message

    async def send(self, message: bytes) -> None:
        self.hears.put_nowait(message)


async def _through_a_proxy() -> None:
    """Have many calls made, one after the other, and answered at once."""
    client, server = End(), End()
    proxy = asyncio.create_task(Proxy(client, server, McpCalls([Silent()], name="bench")).run())
    for number in range(CALLED):
        client.says.put_nowait(CALL % number)
        await server.hears.get()
        server.says.put_nowait(RESULT % number)
        await client.hears.get()
    client.says.put_nowait(b"")
    await proxy


async def _work(args: dict[str, Any]) -> str:
    return f"did {args['step']}"
