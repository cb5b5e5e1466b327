"""A scripted model in process: the same scripts, no socket.

ModelRequest  ->  Asked  ->  Script  ->  chunks

    model = ScriptedModel('''
        turn
          call Read {"file_path": "README.md"}
        turn
          say It is a hooks layer.
    ''')
    agent = Agent(model=model)
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable

from snaphook.agent.failures import classify, failure
from snaphook.agent.model import (
    ApiMessage,
    CallPart,
    Chunk,
    Finish,
    ModelRequest,
    ReasoningDelta,
    ReasoningPart,
    ResultPart,
    TextDelta,
    TextPart,
    ToolCall,
    Usage,
)

from .script import (
    Answer,
    Asked,
    Call,
    Drop,
    Failure,
    Garble,
    Line,
    Reply,
    Responder,
    Say,
    Script,
    Step,
    Think,
    Turn,
    Wait,
    as_script,
)


class ScriptedModel:
    """A model that says what its script tells."""

    def __init__(self, script: Script | str | Iterable[Turn | Answer] | Responder) -> None:
        self.script = as_script(script)

    @property
    def asked(self) -> list[Asked]:
        """Return every request so far, in order."""
        return self.script.asked

    async def stream(self, request: ModelRequest) -> AsyncIterator[Chunk]:
        """Yield the next turn of the script."""
        answer = self.script.answer(_asked(request))
        if isinstance(answer, Failure):
            wait = answer.retry_after
            raise failure(
                request.model,
                classify(answer.status, answer.message),
                f"answered {answer.status}: {answer.message}",
                retry_after_ms=None if wait is None else round(wait * 1000),
            )
        for step in answer.steps:
            async for chunk in _chunks(request.model, answer, step):
                yield chunk
        tokens = answer.tokens
        usage = Usage(input_tokens=tokens.input, output_tokens=tokens.output)
        yield Finish(usage=usage, model=request.model)


async def _chunks(model: str, reply: Reply, step: Step) -> AsyncIterator[Chunk]:
    match step:
        case Say(text):
            for piece in reply.pieces(text):
                yield TextDelta(piece)
        case Think(text):
            for piece in reply.pieces(text):
                yield ReasoningDelta(piece)
        case Call(name, args, id):
            yield ToolCall(id=id, name=name, parameters=args)
        case Wait(seconds):
            await asyncio.sleep(seconds)
        case Drop():
            raise failure(model, "network", "the connection broke in the middle of an answer")
        case Garble():
            raise failure(model, "malformed", "sent a chunk that is no JSON")


def _asked(request: ModelRequest) -> Asked:
    return Asked(
        wire="in-process",
        model=request.model,
        stream=True,
        system=request.system,
        lines=tuple(line for message in request.messages for line in _lines(message)),
        tools=tuple(tool.name for tool in request.tools),
    )


def _lines(message: ApiMessage) -> Iterable[Line]:
    for part in message.parts:
        match part:
            case TextPart(text):
                yield Line(role=message.role, kind="text", text=text)
            case ReasoningPart(text=text):
                yield Line(role=message.role, kind="reasoning", text=text)
            case CallPart(name=name, parameters=given):
                text = json.dumps(given, sort_keys=True)
                yield Line(role=message.role, kind="call", text=text, name=name)
            case ResultPart(name=name, text=text):
                yield Line(role=message.role, kind="result", text=text, name=name)
            case _:
                yield Line(role=message.role, kind="image", text="")
