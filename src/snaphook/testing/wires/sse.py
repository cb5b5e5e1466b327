"""Server-sent events, and the small things every wire needs."""

import json
from typing import Any


def event(data: dict[str, Any], *, name: str = "") -> bytes:
    """Return one event, named where the wire names its events."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def garbled(*, name: str = "") -> bytes:
    """Return an event whose data is no JSON."""
    head = f"event: {name}\n" if name else ""
    return f'{head}data: {{"scripted": \n\n'.encode()


def text_of(content: Any) -> str:
    """Return the words in *content*: a string, or a list of parts that hold some."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part) for part in content)
    if isinstance(content, dict):
        return text_of(content.get("text") or content.get("content") or "")
    return ""


def shown(value: Any) -> str:
    """Return *value* as a line of a transcript shows it."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
