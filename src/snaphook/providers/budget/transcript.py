"""What a host's transcript says was used, read from where it was left.

transcript + Reading  ->  Uses + Reading

Only the bytes that are new are read, and of those only whole lines. Hosts write a message again as
it grows, so each use has a key: the later line with the same key replaces the earlier one.
"""

import os
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.canon import Usage

MOST = 4 << 20
"""Bytes read at one event; the rest waits for the next."""
_MARKS = (b"_tokens", b'"tokens"', b"TokenCount", b'"turn_context"')
"""A line without one of these says nothing about usage, and is not decoded."""


class Use(Struct, frozen=True, kw_only=True):
    """The tokens of one answer."""

    key: str
    model: str
    usage: Usage


class Memory(Struct, kw_only=True, omit_defaults=True):
    """What a reader must know of the lines before."""

    model: str = ""
    total: Usage = Usage()
    """Codex tells sums; what is new is the difference."""


def grown(path: str, read: int) -> bool:
    """Say whether there is anything at *path* that was not read yet."""
    try:
        return os.stat(path).st_size != read  # noqa: PTH116 - on every tool call
    except OSError:
        return False


def read_on(path: str, at: int, state: str) -> tuple[list[Use], int, str]:
    """Return what was used after *at*, where reading stopped, and the reader's new state.

    A transcript shorter than *at* was begun anew, and so is its reading.
    """
    memory = msgspec.json.decode(state, type=Memory) if state else Memory()
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - on every tool call
            if os.fstat(file.fileno()).st_size < at:
                at, memory = 0, Memory()
            file.seek(at)
            raw = file.read(MOST)
    except OSError:
        return [], at, state
    end = raw.rfind(b"\n") + 1
    uses = [use for line in raw[:end].splitlines() for use in _uses(line, memory)]
    return uses, at + end, msgspec.json.encode(memory).decode()


def _uses(line: bytes, memory: Memory) -> Iterator[Use]:
    if not any(mark in line for mark in _MARKS):
        return
    try:
        said = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return
    match said:
        case {"type": "assistant", "message": {"id": str(id_), "usage": dict(usage), **message}}:
            request = said.get("requestId") or said.get("requestRef") or ""
            yield Use(
                key=f"{id_}/{request}",
                model=str(message.get("model") or ""),
                usage=_of_claude(usage),
            )
        case {"type": "turn_context", "payload": {"model": str(model)}}:
            memory.model = model
        case {"type": "token_usage_record", "payload": {"thread_token_usage": dict(total)}} | {
            "type": "event_msg",
            "payload": {"type": "token_count", "info": {"total_token_usage": dict(total)}},
        }:
            yield from _of_codex(total, memory)
        case {"type": "gemini", "id": str(id_), "tokens": dict(tokens)}:
            yield Use(key=id_, model=str(said.get("model") or ""), usage=_of_gemini(tokens))
        case {"type": "assistant", "uuid": str(id_), "usageMetadata": dict(usage)}:
            yield Use(key=id_, model=str(said.get("model") or ""), usage=of_metadata(usage))
        case _:
            return


def _of_claude(usage: Mapping[str, Any]) -> Usage:
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
    """Return Codex's figures as ours."""
    return Usage(
        input_tokens=_count(usage, "input_tokens"),
        output_tokens=_count(usage, "output_tokens"),
        cache_read_tokens=_count(usage, "cached_input_tokens"),
        cache_write_tokens=_count(usage, "cache_write_input_tokens"),
    )


def _of_codex(total: Mapping[str, Any], memory: Memory) -> Iterator[Use]:
    reached = of_openai(total)
    if reached == memory.total:
        return
    more = reached - memory.total
    if min(msgspec.structs.astuple(more)) < 0:  # a thread taken up again counts anew
        more = reached
    memory.total = reached
    yield Use(
        key=f"at {reached.input_tokens}+{reached.output_tokens}", model=memory.model, usage=more
    )


def _of_gemini(tokens: Mapping[str, Any]) -> Usage:
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
