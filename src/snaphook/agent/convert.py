"""A conversation as a model may read it.

Messages  ->  ApiMessages

Pure. Whatever the conversation holds, what comes out is valid on every wire: it begins and ends
with the user, speakers alternate, nothing is empty, each tool call has exactly one result and each
result its call, ids are unique and spelled as the wires demand. An ``ErrorBlock`` never gets out.
"""

import re
from collections.abc import Iterable, Iterator

from .blocks import (
    CompactBlock,
    ErrorBlock,
    ImageBlock,
    Message,
    ReasoningBlock,
    Role,
    Stage,
    TextBlock,
    ToolBlock,
)
from .model import (
    ApiMessage,
    CallPart,
    ImagePart,
    Part,
    ReasoningPart,
    ResultPart,
    TextPart,
)

SILENT_RESULT = "(no output)"
OPENING = "(The conversation so far.)"
GO_ON = "Go on."

_NOT_IN_AN_ID = re.compile(r"[^a-zA-Z0-9_-]")


def convert(messages: Iterable[Message]) -> tuple[ApiMessage, ...]:
    """Return what a model is told of *messages*; empty only if they say nothing at all."""
    told = _merged(messages)
    if not told:
        return ()
    if told[0].role == "assistant":
        told.insert(0, ApiMessage("user", (TextPart(OPENING),)))
    if told[-1].role == "assistant":
        told.append(ApiMessage("user", (TextPart(GO_ON),)))
    return tuple(told)


def _merged(messages: Iterable[Message]) -> list[ApiMessage]:
    """Return what is said, with the parts of one speaker together until the other one speaks.

    Most messages are one text, and a long session has ten thousand of them: those take no detour.
    """
    ids = _Ids()
    told: list[ApiMessage] = []
    speaker, parts = "", list[Part]()
    for message in messages:
        blocks = message.blocks
        if len(blocks) == 1 and type(blocks[0]) is TextBlock:
            text = blocks[0].content
            role = "user" if message.role is Role.USER else "assistant"
            spoken: Iterable[tuple[str, Part]] = ((role, TextPart(text)),) if text.strip() else ()
        else:
            spoken = _parts(message, ids)
        for role, part in spoken:
            if role != speaker:
                if parts:
                    told.append(ApiMessage(speaker, tuple(parts)))
                speaker, parts = role, []
            parts.append(part)
    if parts:
        told.append(ApiMessage(speaker, tuple(parts)))
    return told


def _parts(message: Message, ids: "_Ids") -> Iterator[tuple[str, Part]]:
    if message.role is Role.USER:
        yield from (("user", part) for part in _told(message))
        return
    tools = [block for block in message.tools if block.stage is Stage.END]
    calls = [(ids.fresh(block.id), _named(block.name), block) for block in tools]
    spoken = list(_said(message))
    if calls or any(isinstance(part, TextPart) for part in spoken):
        yield from (("assistant", part) for part in spoken)
    for call_id, name, block in calls:
        yield "assistant", CallPart(call_id, name, block.parameters)
    for call_id, name, block in calls:
        text = block.result if block.result.strip() else SILENT_RESULT
        yield "user", ResultPart(call_id, name, text, block.success)


def _told(message: Message) -> Iterator[Part]:
    for block in message.blocks:
        match block:
            case TextBlock(content=text) if text.strip():
                yield TextPart(text)
            case CompactBlock(content=text, preserved=kept):
                yield TextPart(_compacted(text, kept))
            case ImageBlock(media_type=media_type, data=data):
                yield ImagePart(media_type, data)
            case TextBlock() | ErrorBlock() | ReasoningBlock() | ToolBlock():
                continue


def _said(message: Message) -> Iterator[Part]:
    for block in message.blocks:
        match block:
            case TextBlock(content=text) if text.strip():
                yield TextPart(text)
            case CompactBlock(content=text, preserved=kept):
                yield TextPart(_compacted(text, kept))
            case ReasoningBlock(content=text, signature=signature) if signature:
                yield ReasoningPart(text, signature, block.source, block.mark)
            case _:
                continue


def _compacted(summary: str, preserved: tuple[str, ...]) -> str:
    kept = "".join(f"\n\n{text}" for text in preserved)
    head = "Earlier parts of this conversation were shortened. What matters of them:"
    return f"{head}\n\n{summary.strip() or '(nothing)'}{kept}"


def _named(name: str) -> str:
    return _NOT_IN_AN_ID.sub("_", name)[:64] or "unnamed"


class _Ids:
    """Spells call ids as the wires demand, and each only once."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def fresh(self, call_id: str) -> str:
        """Return *call_id*, changed as little as it must be."""
        spelled = _NOT_IN_AN_ID.sub("_", call_id)[:56] or "call"
        fresh, number = spelled, 2
        while fresh in self._seen:
            fresh, number = f"{spelled}_{number}", number + 1
        self._seen.add(fresh)
        return fresh
