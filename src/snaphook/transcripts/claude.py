"""The transcript of Claude Code: one line for each block of a message.

{"type": "assistant", "message": {"content": [{"type": "tool_use", …}], "usage": {…}}, …}

An answer of several blocks is several lines, each with the usage of the whole: they share
``requestRef`` (older versions: ``requestId``, or the id of the message alone).
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from .entries import (
    AssistantText,
    ToolCalled,
    ToolReturned,
    TranscriptEntry,
    UsageReported,
    UserPrompt,
)
from .lines import Line, moment, text_of
from .usage import of_anthropic

HOST = "claude-code"


def knows(line: Line) -> bool:
    """Say whether *line* is one of Claude Code's."""
    return "type" in line and ("sessionId" in line or isinstance(line.get("message"), dict))


class Reader(Struct, tag=HOST):
    """Turns lines into entries; keeps nothing."""

    def entries(self, line: Line) -> Iterator[TranscriptEntry]:
        """Yield what *line* tells."""
        message = line.get("message")
        if line.get("type") not in ("assistant", "user") or not isinstance(message, dict):
            return
        shared = _shared(line)
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        ours, person = line["type"] == "assistant", _by_person(line)
        for block in blocks if isinstance(blocks, list) else ():
            if isinstance(block, dict):
                yield from _block(block, ours=ours, person=person, shared=shared)
        yield from self.used(line)

    def used(self, line: Line) -> Iterator[UsageReported]:
        """Yield what *line* tells was used."""
        match line:
            case {
                "type": "assistant",
                "message": {"id": str(id_), "usage": dict(usage), **message},
            }:
                if (model := message.get("model")) != "<synthetic>":
                    request = line.get("requestRef") or line.get("requestId") or ""
                    yield UsageReported(
                        id=f"{id_}/{request}",
                        model=str(model or ""),
                        usage=of_anthropic(usage),
                        **_shared(line),
                    )


def _shared(line: Line) -> dict[str, Any]:
    return {
        "host": HOST,
        "session": str(line.get("sessionId") or ""),
        "time": moment(line.get("timestamp")),
        "cwd": str(line.get("cwd") or ""),
        "subagent": bool(line.get("isSidechain")),
    }


_NOT_TYPED = (
    "isMeta",
    "isCompactSummary",
    "isSidechain",
    "isVisibleInTranscriptOnly",
    "isSynthetic",
    "isReplay",
    "toolUseResult",
    "sourceToolUseID",
    "sourceToolAssistantUUID",
    "parentToolUseID",
)
"""Marks of lines of type ``user`` that Claude Code wrote itself."""


def _by_person(line: Line) -> bool:
    """Say whether *line* is what somebody typed; a line with a mark that says otherwise is not."""
    origin = line.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    return not any(line.get(mark) for mark in _NOT_TYPED) and kind in (None, "", "human", "user")


def _block(
    block: dict[str, Any], *, ours: bool, person: bool, shared: dict[str, Any]
) -> Iterator[TranscriptEntry]:
    match block.get("type"):
        case "text" if text := str(block.get("text") or ""):
            if ours:
                yield AssistantText(text=text, **shared)
            else:
                yield UserPrompt(text=text, by_person=person, **shared)
        case "tool_use":
            args = block.get("input")
            yield ToolCalled(
                id=str(block.get("id") or ""),
                tool=str(block.get("name") or ""),
                args=args if isinstance(args, dict) else {},
                **shared,
            )
        case "tool_result":
            yield ToolReturned(
                id=str(block.get("tool_use_id") or ""),
                text=text_of(block.get("content")),
                failed=bool(block.get("is_error")),
                **shared,
            )
