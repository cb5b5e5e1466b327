"""What the bridge adds to a tool call inside an agent SDK: a run with it over a run without."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from bench.table import per_call, row, section
from snaphook import HooksProvider
from snaphook.bridges import Bridge, ToolCall
from snaphook.bridges.mcp.call import Calls
from snaphook.bridges.mcp.proxy import Proxy
from snaphook.bridges.pydantic_ai import SnaphookCapability
from snaphook.bridges.table import PYDANTIC_AI

CALLS = 20
"""Tool calls of one run."""
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
    bare, hooked = _agent(), _agent(SnaphookCapability([Silent()]))
    without = per_call(lambda: loop.run_until_complete(bare.run("go")), calls=3)
    within = per_call(lambda: loop.run_until_complete(hooked.run("go")), calls=3)
    session = Bridge([Silent()], sdk="bench", can=PYDANTIC_AI.can).session()
    call = ToolCall(name="work", args={"step": 1}, id="1")

    def through() -> None:
        loop.run_until_complete(session.run_tool(call, _work))

    def straight() -> None:
        loop.run_until_complete(_work(call.args))

    alone = per_call(through, calls=500) - per_call(straight, calls=500)
    proxied = per_call(lambda: loop.run_until_complete(_through_a_proxy()), calls=1) / CALLED
    loop.close()
    row("the bridge itself, per tool call", alone * 1e6, "µs")
    row(f"pydantic-ai, a run of {CALLS} calls, hooked / bare", within / without, "×", 2)
    row("pydantic-ai, added per tool call", (within - without) / CALLS * 1e6, "µs")
    row("an MCP proxy between two queues, per tool call", proxied * 1e6, "µs")


def _agent(*capabilities: Any) -> Agent[None, str]:
    agent = Agent(FunctionModel(_scripted), capabilities=capabilities)

    @agent.tool_plain
    def work(step: int) -> str:
        return f"did {step}"

    return agent


def _scripted(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """Call the tool so many times, then say so."""
    parts = [part for message in messages for part in message.parts]
    step = sum(isinstance(part, ToolReturnPart) for part in parts)
    if step < CALLS:
        return ModelResponse(parts=[ToolCallPart("work", {"step": step})])
    return ModelResponse(parts=[TextPart("done")])


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
    proxy = asyncio.create_task(Proxy(client, server, Calls([Silent()], name="bench")).run())
    for number in range(CALLED):
        client.says.put_nowait(CALL % number)
        await server.hears.get()
        server.says.put_nowait(RESULT % number)
        await client.hears.get()
    client.says.put_nowait(b"")
    await proxy


async def _work(args: dict[str, Any]) -> str:
    return f"did {args['step']}"
