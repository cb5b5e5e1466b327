"""OpenAI chat completions.

POST /v1/chat/completions  ->  chat.completion, or chat.completion.chunk … [DONE]
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

from .sse import event, garbled, text_of

_SYSTEM = {"system", "developer"}


def claims(path: str) -> bool:
    """Say whether *path* is the chat endpoint."""
    return path.endswith("/chat/completions")


def decode(path: str, body: dict[str, Any]) -> Asked:
    """Return what was asked."""
    messages = body.get("messages", [])
    return Asked(
        wire="openai-chat",
        path=path,
        model=body.get("model", ""),
        stream=bool(body.get("stream")),
        system="\n".join(text_of(m.get("content")) for m in messages if m["role"] in _SYSTEM),
        lines=tuple(line for m in messages if m["role"] not in _SYSTEM for line in _lines(m)),
        tools=tuple(tool["function"]["name"] for tool in body.get("tools") or []),
        body=body,
    )


def _lines(message: dict[str, Any]) -> Iterator[Line]:
    role = message["role"]
    text = text_of(message.get("content"))
    if text or role == "tool":
        yield Line(role=role, kind="result" if role == "tool" else "text", text=text)
    for call in message.get("tool_calls") or []:
        made = call["function"]
        yield Line(role=role, kind="call", text=made["arguments"], name=made["name"])


def objections(body: dict[str, Any]) -> list[str]:
    """Return why the real API would answer *body* with 400."""
    messages = body.get("messages") or []
    found = [] if messages else ["messages: at least one message is required"]
    open_calls: list[str] = []
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                found.append(f"messages.{index}: 'tool' must follow its 'tool_calls'")
            else:
                open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            found.append(f"messages.{index}: tool_calls {open_calls} have no response")
        open_calls = [call["id"] for call in message.get("tool_calls") or []]
        if not open_calls and not message.get("content"):
            found.append(f"messages.{index}: {message['role']} says nothing")
    if open_calls:
        found.append(f"messages: tool_calls {open_calls} have no response")
    return found


def whole(reply: Reply, asked: Asked) -> dict[str, Any]:
    """Return the answer in one completion."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text() or None}
    if reply.text(Think):
        message["reasoning_content"] = reply.text(Think)
    if reply.calls:
        message["tool_calls"] = [_tool_call(call) for call in reply.calls]
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(reply)}
    return _head(asked, "chat.completion") | {"choices": [choice], "usage": _usage(reply)}


def stream(reply: Reply, asked: Asked) -> Iterator[bytes | Wait | Drop]:
    """Yield the answer chunk by chunk."""
    yield _chunk(asked, {"role": "assistant", "content": ""})
    calls = 0
    for step in reply.steps:
        match step:
            case Wait() | Drop():
                yield step
            case Garble():
                yield garbled()
            case Say(text):
                for piece in reply.pieces(text):
                    yield _chunk(asked, {"content": piece})
            case Think(text):
                for piece in reply.pieces(text):
                    yield _chunk(asked, {"reasoning_content": piece})
            case Call():
                yield from _call_chunks(reply, asked, calls, step)
                calls += 1
    yield _chunk(asked, {}, finish_reason=_finish_reason(reply))
    usage = {"choices": [], "usage": _usage(reply)}
    yield event(_head(asked, "chat.completion.chunk") | usage)
    yield b"data: [DONE]\n\n"


def _call_chunks(reply: Reply, asked: Asked, index: int, call: Call) -> Iterator[bytes]:
    first = _tool_call(call, arguments="") | {"index": index}
    yield _chunk(asked, {"tool_calls": [first]})
    for piece in reply.pieces(json.dumps(call.args)):
        yield _chunk(asked, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})


def failure(failure: Failure) -> dict[str, Any]:
    """Return the body of an error."""
    kind = "invalid_request_error" if failure.status == 400 else "server_error"
    return {"error": {"message": failure.message, "type": kind, "param": None, "code": None}}


def _chunk(asked: Asked, delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return event(_head(asked, "chat.completion.chunk") | {"choices": [choice]})


def _head(asked: Asked, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-scripted", "object": kind, "created": 0, "model": asked.model}


def _tool_call(call: Call, arguments: str | None = None) -> dict[str, Any]:
    given = json.dumps(call.args) if arguments is None else arguments
    function = {"name": call.name, "arguments": given}
    return {"id": call.id, "type": "function", "function": function}


def _finish_reason(reply: Reply) -> str:
    return "tool_calls" if reply.calls else "stop"


def _usage(reply: Reply) -> dict[str, int]:
    tokens = reply.tokens
    return {
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
    }
