"""The figures of each vendor as ours: the tokens of one answer.

{"input_tokens": 3, …}, {"promptTokenCount": 3, …}  ->  Usage

Pure. What is no count counts as nothing; what came from a cache is part of the input.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import Usage


def of_anthropic(usage: Mapping[str, Any]) -> Usage:
    """Return Anthropic's figures as ours: there, input is only what no cache had."""
    read = _count(usage, "cache_read_input_tokens")
    written = _count(usage, "cache_creation_input_tokens")
    return Usage(
        input_tokens=_count(usage, "input_tokens") + read + written,
        output_tokens=_count(usage, "output_tokens"),
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def of_openai(usage: Mapping[str, Any]) -> Usage:
    """Return the figures of Codex as ours."""
    return Usage(
        input_tokens=_count(usage, "input_tokens"),
        output_tokens=_count(usage, "output_tokens"),
        cache_read_tokens=_count(usage, "cached_input_tokens"),
        cache_write_tokens=_count(usage, "cache_write_input_tokens"),
    )


def of_gemini(tokens: Mapping[str, Any]) -> Usage:
    """Return the figures of Gemini CLI's messages as ours: thinking is writing."""
    return Usage(
        input_tokens=_count(tokens, "input") + _count(tokens, "tool"),
        output_tokens=_count(tokens, "output") + _count(tokens, "thoughts"),
        cache_read_tokens=_count(tokens, "cached"),
    )


def of_metadata(usage: Mapping[str, Any]) -> Usage:
    """Return the figures of Google's API as ours: what was thought is in the total alone."""
    read = _count(usage, "promptTokenCount")
    written = _count(usage, "candidatesTokenCount")
    total = _count(usage, "totalTokenCount")
    return Usage(
        input_tokens=read,
        output_tokens=max(written, total - read),
        cache_read_tokens=_count(usage, "cachedContentTokenCount"),
    )


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value > 0 else 0
