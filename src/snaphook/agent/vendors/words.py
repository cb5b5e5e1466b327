"""Our words and pydantic-ai's, each way.

ModelRequest  ->  its messages and parameters        its events  ->  our chunks

Imported only where a real model is asked.
"""

import base64
from contextlib import suppress
from typing import Any

import msgspec
from pydantic_ai import messages as pm
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from snaphook.agent.model import (
    ApiMessage,
    CallPart,
    Chunk,
    Finish,
    ImagePart,
    ModelRequest,
    Part,
    ReasoningDelta,
    ReasoningPart,
    ResultPart,
    TextDelta,
    TextPart,
    ToolCall,
    Usage,
)

REPLAYED = {"anthropic"}
"""Vendors that want their thoughts back; the others' answers stand without them."""


def messages(request: ModelRequest) -> list[pm.ModelMessage]:
    """Return the conversation of *request*."""
    told: list[pm.ModelMessage] = []
    for message in request.messages:
        if message.role == "user":
            parts = [_user_part(part) for part in message.parts]
            told.append(pm.ModelRequest(parts=parts, instructions=request.system or None))
        else:
            told.append(_response(message))
    return told


def _user_part(part: Part) -> pm.ModelRequestPart:
    match part:
        case TextPart(text):
            return pm.UserPromptPart(text)
        case ImagePart(media_type, data):
            return pm.UserPromptPart(
                [pm.BinaryContent(base64.b64decode(data), media_type=media_type)]
            )
        case ResultPart(id, name, text, success):
            outcome = "success" if success else "failed"
            return pm.ToolReturnPart(name, text, id, outcome=outcome)  # type: ignore[arg-type]
        case _:
            raise AssertionError(f"a user cannot say {part}")


def _response(message: ApiMessage) -> pm.ModelResponse:
    parts: list[pm.ModelResponsePart] = []
    for part in message.parts:
        match part:
            case TextPart(text):
                parts.append(pm.TextPart(text))
            case ReasoningPart(text, signature, source, mark) if source in REPLAYED:
                parts.append(
                    pm.ThinkingPart(
                        text, id=mark or None, signature=signature, provider_name=source
                    )
                )
            case ReasoningPart():
                continue
            case CallPart(id, name, parameters):
                parts.append(pm.ToolCallPart(name, parameters, id))
            case _:
                raise AssertionError(f"an assistant cannot say {part}")
    return pm.ModelResponse(parts=parts)


def settings(request: ModelRequest) -> ModelSettings:
    """Return how long the answer may be, and what its vendor should keep in its cache."""
    if request.model.startswith("anthropic:"):
        from pydantic_ai.models.anthropic import AnthropicModelSettings

        return AnthropicModelSettings(
            max_tokens=request.max_tokens,
            anthropic_cache_tool_definitions=True,
            anthropic_cache_instructions=True,
            anthropic_cache_messages=True,
        )
    return ModelSettings(max_tokens=request.max_tokens)


def parameters(request: ModelRequest) -> ModelRequestParameters:
    """Return the tools of *request*."""
    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.schema,
            strict=False,
        )
        for tool in request.tools
    ]
    return ModelRequestParameters(function_tools=tools)


def chunks(event: object) -> list[Chunk]:
    """Return what *event* of a stream says."""
    match event:
        case pm.PartStartEvent(part=pm.TextPart(content=text)) if text:
            return [TextDelta(text)]
        case pm.PartStartEvent(part=pm.ThinkingPart() as thought) if thought.content:
            return [ReasoningDelta(thought.content)]
        case pm.PartDeltaEvent(delta=pm.TextPartDelta(content_delta=text)) if text:
            return [TextDelta(text)]
        case pm.PartDeltaEvent(delta=pm.ThinkingPartDelta(content_delta=text)) if text:
            return [ReasoningDelta(text)]
        case pm.PartEndEvent(part=pm.ThinkingPart() as thought) if thought.signature:
            source, mark = thought.provider_name or "", thought.id or ""
            return [ReasoningDelta("", thought.signature, source, mark)]
        case _:
            return []


def calls(response: pm.ModelResponse) -> list[ToolCall]:
    """Return the tool calls of a whole answer."""
    return [_call(part) for part in response.parts if isinstance(part, pm.ToolCallPart)]


def _call(part: pm.ToolCallPart) -> ToolCall:
    given: Any = part.args
    if isinstance(given, str):
        with suppress(msgspec.DecodeError):
            given = msgspec.json.decode(given or "{}")
    if given is None:
        given = {}
    if isinstance(given, dict):
        return ToolCall(id=part.tool_call_id, name=part.tool_name, parameters=given)
    return ToolCall(id=part.tool_call_id, name=part.tool_name, unreadable=str(part.args))


def finish(response: pm.ModelResponse) -> Finish:
    """Return how an answer ended."""
    used = response.usage
    usage = Usage(
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cache_read_tokens=used.cache_read_tokens,
        cache_write_tokens=used.cache_write_tokens,
    )
    return Finish(
        usage=usage, model=response.model_name or "", cut_short=response.finish_reason == "length"
    )
