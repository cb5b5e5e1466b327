"""What the readers share: a line of JSON, and the odd shapes of the values in it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

Line: TypeAlias = Mapping[str, Any]


def moment(stamp: object) -> float:
    """Return the seconds since the epoch of an ISO *stamp*; 0 where there is none."""
    try:
        return datetime.fromisoformat(str(stamp)).timestamp()
    except ValueError:
        return 0.0


def text_of(content: object) -> str:
    """Return the words of *content*, whatever they are wrapped in."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(text_of, content)))
    if isinstance(content, dict):
        for key in ("text", "output", "content", "response", "functionResponse", "error"):
            if content.get(key):
                return text_of(content[key])
    return ""
