"""The transcript of Claude Code: one line for each block of a message.

{"type": "assistant", "message": {"content": [{"type": "tool_use", …}], "usage": {…}}, …}

An answer of several blocks is several lines, each with the usage of the whole: they share
``requestRef`` (older versions: ``requestId``, or the id of the message alone).
"""

from collections.abc import Iterator
from typing import Any

from .entries import Called, Entry, Prompted, Returned, Said, Used
from .lines import Line, moment, number, text_of

HOST = "claude-code"


def knows(line: Line) -> bool:
    """Say whether *line* is one of Claude Code's."""
    return "sessionId" in line and "type" in line and "projectHash" not in line


class Reader:
    """Turns lines into entries; keeps nothing."""

    def entries(self, line: Line) -> Iterator[Entry]:
        """Yield what *line* tells."""
        message = line.get("message")
        if line.get("type") not in ("assistant", "user") or not isinstance(message, dict):
            return
        shared = {
            "host": HOST,
            "session": str(line.get("sessionId") or ""),
            "time": moment(line.get("timestamp")),
            "cwd": str(line.get("cwd") or ""),
            "subagent": bool(line.get("isSidechain")),
        }
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks if isinstance(blocks, list) else ():
            if isinstance(block, dict):
                yield from _block(block, ours=line["type"] == "assistant", shared=shared)
        if line["type"] == "assistant":
            yield from _used(line, message, shared)


def _block(block: dict[str, Any], *, ours: bool, shared: dict[str, Any]) -> Iterator[Entry]:
    match block.get("type"):
        case "text" if text := str(block.get("text") or ""):
            yield Said(text=text, **shared) if ours else Prompted(text=text, **shared)
        case "tool_use":
            args = block.get("input")
            yield Called(
                id=str(block.get("id") or ""),
                tool=str(block.get("name") or ""),
                args=args if isinstance(args, dict) else {},
                **shared,
            )
        case "tool_result":
            yield Returned(
                id=str(block.get("tool_use_id") or ""),
                text=text_of(block.get("content")),
                failed=bool(block.get("is_error")),
                **shared,
            )


def _used(line: Line, message: dict[str, Any], shared: dict[str, Any]) -> Iterator[Entry]:
    usage = message.get("usage")
    if not isinstance(usage, dict) or message.get("model") == "<synthetic>":
        return
    request = line.get("requestRef") or line.get("requestId") or ""
    yield Used(
        id=f"{message.get('id')}:{request}",
        model=str(message.get("model") or ""),
        input_tokens=number(usage.get("input_tokens")),
        output_tokens=number(usage.get("output_tokens")),
        cache_read_tokens=number(usage.get("cache_read_input_tokens")),
        cache_write_tokens=number(usage.get("cache_creation_input_tokens")),
        **shared,
    )
