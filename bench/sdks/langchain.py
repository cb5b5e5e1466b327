"""LangChain: waited for, and not."""

import asyncio
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.messages import AIMessage
from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatGeneration, ChatResult

from bench.sdks import CALLS, Pair, work
from snaphook.bridges.langchain import SnaphookMiddleware

GO: Any = {"messages": ["go"]}


def pair(hooks: Any) -> Pair:
    bare, hooked = _agents(hooks)
    return (lambda: bare.ainvoke(GO)), (lambda: hooked.ainvoke(GO))


def beside_an_idle_one(hooks: Any) -> Pair:
    idle = create_agent(Scripted(), [work], middleware=[Idle()])
    _, hooked = _agents(hooks)
    return (lambda: idle.ainvoke(GO)), (lambda: hooked.ainvoke(GO))


def not_waited_for(hooks: Any) -> Pair:
    bare, hooked = _agents(hooks)
    return (
        lambda: asyncio.to_thread(bare.invoke, GO),
        lambda: asyncio.to_thread(hooked.invoke, GO),
    )


def _agents(hooks: Any) -> tuple[Any, Any]:
    bare = create_agent(Scripted(), [work])
    return bare, create_agent(Scripted(), [work], middleware=[SnaphookMiddleware(hooks)])


class Idle(AgentMiddleware[Any, Any, Any]):
    """Is asked wherever ours is, and does nothing."""

    async def abefore_agent(self, state: Any, runtime: Any) -> None:
        return None

    async def abefore_model(self, state: Any, runtime: Any) -> None:
        return None

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        return await handler(request)

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        return await handler(request)

    async def aafter_agent(self, state: Any, runtime: Any) -> None:
        return None


class Scripted(BaseChatModel):
    """Calls the tool so many times, then says so."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **named: Any) -> Any:
        return self

    def _generate(self, messages: Any, *given: Any, **named: Any) -> ChatResult:
        step = sum(message.type == "tool" for message in messages)
        call: Any = {"name": "work", "args": {"step": step}, "id": f"{step}", "type": "tool_call"}
        said = AIMessage("", tool_calls=[call]) if step < CALLS else AIMessage("done")
        return ChatResult(generations=[ChatGeneration(message=said)])
