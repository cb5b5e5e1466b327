"""pydantic-ai."""

from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from bench.sdks import CALLS, Pair, work
from snaphook.bridges.pydantic_ai import SnaphookCapability


def pair(hooks: Any) -> Pair:
    bare = Agent(FunctionModel(_scripted), tools=[work])
    hooked = Agent(FunctionModel(_scripted), tools=[work], capabilities=[SnaphookCapability(hooks)])
    return (lambda: bare.run("go")), (lambda: hooked.run("go"))


def _scripted(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    parts = [part for message in messages for part in message.parts]
    step = sum(isinstance(part, ToolReturnPart) for part in parts)
    if step < CALLS:
        return ModelResponse(parts=[ToolCallPart("work", {"step": step})])
    return ModelResponse(parts=[TextPart("done")])
