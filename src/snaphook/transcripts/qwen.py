"""The transcript of Qwen Code: one line for each message, in the parts of Google's API.

{"type": "assistant", "message": {"parts": [{"functionCall": {…}}]}, "usageMetadata": {…}, …}
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
from .usage import of_metadata

HOST = "qwen-code"


def knows(line: Line) -> bool:
    """Say whether *line* is one of Qwen Code's."""
    message = line.get("message")
    return "usageMetadata" in line or (isinstance(message, dict) and "parts" in message)


class Reader(Struct, tag=HOST):
    """Turns lines into entries; keeps nothing."""

    def entries(self, line: Line) -> Iterator[TranscriptEntry]:
        """Yield what *line* tells."""
        message = line.get("message")
        parts = message.get("parts") if isinstance(message, dict) else None
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict):
                yield from _part(part, line)
        yield from self.used(line)

    def used(self, line: Line) -> Iterator[UsageReported]:
        """Yield what *line* tells was used."""
        match line:
            case {"type": "assistant", "uuid": str(id_), "usageMetadata": dict(usage)}:
                model = str(line.get("model") or "")
                yield UsageReported(id=id_, model=model, usage=of_metadata(usage), **_shared(line))


def _shared(line: Line) -> dict[str, Any]:
    return {
        "host": HOST,
        "session": str(line.get("sessionId") or ""),
        "time": moment(line.get("timestamp")),
        "cwd": str(line.get("cwd") or ""),
    }


def _part(part: dict[str, Any], line: Line) -> Iterator[TranscriptEntry]:
    shared = _shared(line)
    match line.get("type"), part:
        case _, {"thought": True}:
            return
        case "assistant", {"text": str(text)} if text:
            yield AssistantText(text=text, **shared)
        case "user", {"text": str(text)} if text:
            yield UserPrompt(text=text, **shared)
        case _, {"functionCall": {"name": str(tool), **call}}:
            args = call.get("args")
            yield ToolCalled(
                id=str(call.get("id") or ""),
                tool=tool,
                args=args if isinstance(args, dict) else {},
                **shared,
            )
        case _, {"functionResponse": {"response": response, **call}}:
            id_, text = str(call.get("id") or ""), text_of(response)
            yield ToolReturned(id=id_, text=text, failed=_failed(line), **shared)


def _failed(line: Line) -> bool:
    """Say whether the call that *line* is about failed: the tool, or the command it ran."""
    match line.get("toolCallResult"):
        case {"status": "error"} | {"executionStatus": "error"}:
            return True
        case {"resultDisplay": {"exitCode": int(code)}}:
            return code != 0
        case _:
            return False
