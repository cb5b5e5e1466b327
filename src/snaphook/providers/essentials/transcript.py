"""What an agent said and what it cost, from the record its host keeps.

transcript (JSON lines)  ->  Said

Claude Code's shape is read; whatever else a file holds says nothing, and no error.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

LARGEST = 256 << 20
"""Bytes beyond which only the end is read."""


class Said(Struct, frozen=True, kw_only=True):
    """The end of a conversation, and its sums."""

    text: str = ""
    """What the agent said since it was last spoken to."""
    tokens: int = 0
    turns: int = 0


def read_transcript(path: Path) -> Said:
    """Return what the transcript at *path* tells."""
    texts: list[str] = []
    usage: dict[str, int] = {}
    for number, entry in enumerate(_entries(path)):
        message = entry.get("message")
        if not isinstance(message, dict) or entry.get("isSidechain"):
            continue
        if entry.get("type") == "user" and _spoken(message):
            texts.clear()
        elif entry.get("type") == "assistant":
            texts += _texts(message)
            # one message may stand in several lines, each with the same sum
            usage[str(message.get("id") or number)] = _tokens(message.get("usage"))
    return Said(text="\n".join(texts), tokens=sum(usage.values()), turns=len(usage))


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            if size > LARGEST:
                file.seek(size - LARGEST)
                file.readline()
            for line in file:
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(entry, dict):
                    yield entry
    except OSError:
        return


def _spoken(message: dict[str, Any]) -> bool:
    """Say whether a person spoke: what a tool returned comes as a user's message too."""
    content = message.get("content")
    if isinstance(content, str):
        return True
    parts = content if isinstance(content, list) else []
    return any(isinstance(part, dict) and part.get("type") == "text" for part in parts)


def _texts(message: dict[str, Any]) -> list[str]:
    content = message.get("content")
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [
        part["text"]
        for part in parts
        if isinstance(part, dict)
        and part.get("type") == "text"
        and isinstance(part.get("text"), str)
    ]


def _tokens(usage: object) -> int:
    if not isinstance(usage, dict):
        return 0
    names = (
        "input_tokens",
        "output_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
    )
    return sum(value for name in names if isinstance(value := usage.get(name), int))
