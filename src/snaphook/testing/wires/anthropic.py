"""Anthropic Messages.

POST /v1/messages  ->  message, or message_start … message_stop
"""

import json
from collections.abc import Iterator
from typing import Any

from snaphook.testing.script import (
    Asked,
    Call,
    Drop,
    Failure,
    Garble,
    Line,
    Reply,
    Say,
    Think,
    Wait,
)

from .sse import event, garbled, shown, text_of

_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def claims(path: str) -> bool:
    """Say whether *path* is the Messages endpoint."""
    return path.endswith("/messages")


def decode(path: str, body: dict[str, Any]) -> Asked:
    """Return what was asked."""
    lines = [
        line for message in body.get("messages", []) for line in _lines(message["role"], message)
    ]
    return Asked(
        wire="anthropic",
        path=path,
        model=body.get("model", ""),
        stream=bool(body.get("stream")),
        system=text_of(body.get("system", "")),
        lines=tuple(lines),
        tools=tuple(tool.get("name", "") for tool in body.get("tools") or []),
        body=body,
    )


def _lines(role: str, message: dict[str, Any]) -> Iterator[Line]:
    content = message["content"]
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        match block:
            case {"type": "text", "text": str(text)}:
                yield Line(role=role, kind="text", text=text)
            case {"type": "tool_use", "name": str(name), "input": given}:
                yield Line(role=role, kind="call", text=shown(given), name=name)
            case {"type": "tool_result"}:
                yield Line(role=role, kind="result", text=text_of(block.get("content", "")))
            case {"type": "thinking", "thinking": str(text)}:
                yield Line(role=role, kind="reasoning", text=text)
            case {"type": kind}:
                yield Line(role=role, kind=str(kind), text="")


def objections(body: dict[str, Any]) -> list[str]:
    """Return why the real API would answer *body* with 400."""
    messages = body.get("messages") or []
    if not messages:
        return ["messages: at least one message is required"]
    found = [] if messages[0]["role"] == "user" else ["messages.0: the first message must be user"]
    open_calls: list[str] = []
    for index, message in enumerate(messages):
        blocks = message["content"]
        blocks = [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks
        found += _empty(index, message["role"], blocks, last=index == len(messages) - 1)
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if sorted(answered) != sorted(open_calls):
            found.append(f"messages.{index}: tool_use {open_calls} answered by {answered}")
        open_calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if len(set(open_calls)) != len(open_calls):
            found.append(f"messages.{index}: tool_use ids must be unique")
    if open_calls:
        found.append(f"messages: tool_use {open_calls} without tool_result")
    return found


def _empty(index: int, role: str, blocks: list[Any], *, last: bool) -> list[str]:
    if not blocks and not (last and role == "assistant"):
        return [f"messages.{index}: content is empty"]
    return [
        f"messages.{index}: text content blocks must contain non-whitespace text"
        for block in blocks
        if block["type"] == "text" and not block["text"].strip()
    ]


def whole(reply: Reply, asked: Asked) -> dict[str, Any]:
    """Return the answer in one message."""
    content: list[dict[str, Any]] = []
    for step in reply.steps:
        match step:
            case Say(text):
                content.append({"type": "text", "text": text})
            case Think(text):
                content.append({"type": "thinking", "thinking": text, "signature": "scripted"})
            case Call(name, args, id):
                content.append({"type": "tool_use", "id": id, "name": name, "input": args})
            case _:
                pass
    return _message(reply, asked) | {"content": content, "stop_reason": _stop_reason(reply)}


def stream(reply: Reply, asked: Asked) -> Iterator[bytes | Wait | Drop]:
    """Yield the answer event by event."""
    yield _event("message_start", message=_message(reply, asked))
    index = 0
    for step in reply.steps:
        match step:
            case Wait() | Drop():
                yield step
            case Garble():
                yield garbled(name="content_block_delta")
            case Say() | Think() | Call():
                yield from _block(reply, index, step)
                index += 1
    yield _event(
        "message_delta",
        delta={"stop_reason": _stop_reason(reply), "stop_sequence": None},
        usage={"output_tokens": reply.tokens.output},
    )
    yield _event("message_stop")


def _block(reply: Reply, index: int, step: Say | Think | Call) -> Iterator[bytes]:
    start, deltas = _opened(reply, step)
    yield _event("content_block_start", index=index, content_block=start)
    for delta in deltas:
        yield _event("content_block_delta", index=index, delta=delta)
    yield _event("content_block_stop", index=index)


def _opened(reply: Reply, step: Say | Think | Call) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    match step:
        case Say(text):
            said = [{"type": "text_delta", "text": piece} for piece in reply.pieces(text)]
            return {"type": "text", "text": ""}, said
        case Think(text):
            thought = [{"type": "thinking_delta", "thinking": p} for p in reply.pieces(text)]
            signature = {"type": "signature_delta", "signature": "scripted"}
            return {"type": "thinking", "thinking": "", "signature": ""}, [*thought, signature]
        case Call(name, args, id):
            pieces = reply.pieces(json.dumps(args))
            given = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
            return {"type": "tool_use", "id": id, "name": name, "input": {}}, given


def failure(failure: Failure) -> dict[str, Any]:
    """Return the body of an error."""
    kind = _ERRORS.get(failure.status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": failure.message}}


def _message(reply: Reply, asked: Asked) -> dict[str, Any]:
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": reply.tokens.input, "output_tokens": reply.tokens.output},
    }


def _stop_reason(reply: Reply) -> str:
    return "tool_use" if reply.calls else "end_turn"


def _event(name: str, **data: Any) -> bytes:
    return event({"type": name} | data, name=name)
