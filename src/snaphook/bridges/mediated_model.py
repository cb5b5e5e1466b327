"""A model whose every request and answer is put to interceptors first.

ModelRequest  ->  pre_model_call  ->  model  ->  post_model_call  ->  output  ->  chunks

The answer is held until its verdicts are in, so nothing of one that is refused was ever seen. An
answer that is changed is passed on as changed and without the thinking behind it.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from snaphook.agent import Model, ModelRequest
from snaphook.agent.failures import ErrorClass, failure
from snaphook.agent.model import (
    ApiMessage,
    Chunk,
    Finish,
    Part,
    ReasoningDelta,
    TextDelta,
    TextPart,
    ToolCall,
)
from snaphook.errors import MissingExtra

from .plain import as_text, plain
from .table import AGENT_HOOKS as SDK

try:
    from agent_hooks import AgentContextBuilder, InterceptionBlocked, InterceptionEmitter
except ModuleNotFoundError as missing:
    raise MissingExtra.named(SDK.extra, wanted_by=__name__) from missing

SYSTEM = "system"


class MediatedModel:
    """Asks *model*; what it answers to *session_id* itself, and not to a tool, is the output."""

    def __init__(
        self,
        model: Model,
        emitter: InterceptionEmitter,
        builder: AgentContextBuilder,
        session_id: str,
    ) -> None:
        self._model = model
        self._emitter = emitter
        self._builder = builder
        self._session_id = session_id

    async def stream(self, request: ModelRequest) -> AsyncIterator[Chunk]:
        """Yield the answer once all of it may be seen."""
        try:
            request = await self._asked(request)
            made = [chunk async for chunk in self._model.stream(request)]
            chunks = await self._answered(request, made)
            if request.session_id == self._session_id:
                chunks = await self._let_out(chunks)
        except InterceptionBlocked as blocked:
            raise failure(request.model, ErrorClass.REFUSED, why(blocked)) from None
        for chunk in chunks:
            yield chunk

    async def _asked(self, request: ModelRequest) -> ModelRequest:
        messages = to_wire(request)
        call = self._builder.pre_model_call(
            model_id=request.model, messages=messages, tools=plain(request.tools)
        )
        wanted = (await self._emitter.emit(call)).target
        return request if wanted == to_wire(request) else from_wire(request, wanted)

    async def _answered(self, request: ModelRequest, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        answer = response(chunks)
        call = self._builder.post_model_call(model_id=request.model, **answer, usage=_usage(chunks))
        if thought := "".join(chunk.text for chunk in chunks if isinstance(chunk, ReasoningDelta)):
            call["extensions"] = {"snaphook": {"reasoning": thought}}
        wanted = (await self._emitter.emit(call)).target
        if wanted == response(chunks):
            return chunks
        said = [TextDelta(as_text(wanted["content"]))] if wanted["content"] is not None else []
        calls = [
            ToolCall(id=call.get("id", ""), name=call["name"], parameters=call["args"])
            for call in wanted["tool_calls"]
        ]
        return [*said, *calls, *_ends(chunks)]

    async def _let_out(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """Return the final answer of a turn as it may be returned to the caller."""
        answer = response(chunks)
        if answer["tool_calls"] or answer["content"] is None:
            return chunks
        told = self._builder.output(content=answer["content"])
        wanted = as_text((await self._emitter.emit(told)).target["content"])
        return chunks if wanted == answer["content"] else [TextDelta(wanted), *_ends(chunks)]


def why(blocked: InterceptionBlocked) -> str:
    """Return what a person or a model should hear of a refusal."""
    verdict = blocked.result.verdict
    told = [text for text in (verdict.reason, verdict.message) if text]
    if len(told) == 2 and told[1] in told[0]:
        told.pop()
    return ": ".join(told) or f"an interceptor refused it at {blocked.interception_point.value}"


def to_wire(request: ModelRequest) -> list[dict[str, Any]]:
    """Return what *request* tells the model, instructions first, as the contract spells messages."""
    told = [{"role": SYSTEM, "content": request.system}] if request.system else []
    return [*told, *({"role": m.role, "content": _content(m.parts)} for m in request.messages)]


def from_wire(request: ModelRequest, messages: Sequence[dict[str, Any]]) -> ModelRequest:
    """Return *request* with *messages* in the place of its own."""
    system = [as_text(message["content"]) for message in messages if message["role"] == SYSTEM]
    told = [
        ApiMessage(message["role"], _parts(message["content"]))
        for message in messages
        if message["role"] != SYSTEM
    ]
    return replace(request, system="\n\n".join(system), messages=tuple(told))


def response(chunks: Sequence[Chunk]) -> dict[str, Any]:
    """Return an answer as the contract spells it."""
    text = "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta))
    calls = [chunk for chunk in chunks if isinstance(chunk, ToolCall)]
    cut_short = any(chunk.cut_short for chunk in _ends(chunks))
    return {
        "content": text or None,
        "tool_calls": [{"id": c.id, "name": c.name, "args": c.parameters} for c in calls],
        "finish_reason": "tool_calls" if calls else "length" if cut_short else "stop",
    }


def _content(parts: tuple[Part, ...]) -> str | list[Any]:
    match parts:
        case (TextPart(text),):
            return text
        case _:
            told: list[Any] = msgspec.to_builtins(parts)
            return told


def _parts(content: Any) -> tuple[Part, ...]:
    if isinstance(content, list):
        try:
            return msgspec.convert(content, tuple[Part, ...])
        except msgspec.ValidationError:
            pass  # not our parts: an interceptor's own, told as they are
    return (TextPart(as_text(content)),)


def _ends(chunks: Sequence[Chunk]) -> list[Finish]:
    return [chunk for chunk in chunks if isinstance(chunk, Finish)]


def _usage(chunks: Sequence[Chunk]) -> dict[str, int] | None:
    for end in _ends(chunks):
        used = end.usage
        return {"prompt_tokens": used.input_tokens, "completion_tokens": used.output_tokens}
    return None
