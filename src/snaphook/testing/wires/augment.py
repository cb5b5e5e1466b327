"""Augment, whose command line sends a whole conversation to its vendor's own address.

POST /chat-stream  ->  nodes: text, tool calls

Read from the program, for want of a public description. Beside the conversation it asks which features
it may use; hooks are one of them.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from snaphook.testing.script import Asked, Call, Drop, Failure, Line, Reply, Say, Wait

from .sse import shown

_TEXT, _CALL = 0, 5
_ENDED, _CALLS = 1, 3
SIDE: Mapping[str, dict[str, Any]] = {
    "/get-models": {
        "default_model": "scripted-model",
        "models": [
            {
                "name": "scripted-model",
                "suggested_prefix_char_count": 1,
                "suggested_suffix_char_count": 1,
            }
        ],
        "feature_flags": {"enable_hooks": True},
        "languages": [],
        "user": {"id": "scripted", "email": "scripted@localhost"},
    },
    "/agents/list-remote-tools": {"tools": []},
    "/settings/get-mcp-user-configs": {},
    "/settings/get-mcp-tenant-configs": {},
}
"""What it asks beside the conversation, and what lets it go on."""


def claims(path: str) -> bool:
    """Say whether *path* asks for the next turn."""
    return path.endswith("/chat-stream")


def decode(path: str, body: dict[str, Any]) -> Asked:
    """Return what was asked."""
    lines = [line for turn in body.get("chat_history") or [] for line in _turn(turn)]
    lines += _said("user", body.get("message"), body.get("nodes"))
    return Asked(
        wire="augment",
        path=path,
        model=str(body.get("model") or ""),
        stream=True,
        system="\n".join(str(body.get(key) or "") for key in ("user_guidelines", "agent_memories")),
        lines=tuple(lines),
        tools=tuple(tool.get("name", "") for tool in body.get("tool_definitions") or []),
        body=body,
    )


def _turn(turn: dict[str, Any]) -> Iterator[Line]:
    yield from _said("user", turn.get("request_message"), turn.get("request_nodes"))
    yield from _said("assistant", turn.get("response_text"), turn.get("response_nodes"))


def _said(role: str, text: object, nodes: object) -> Iterator[Line]:
    if isinstance(text, str) and text:
        yield Line(role=role, kind="text", text=text)
    for node in nodes if isinstance(nodes, list) else ():
        match node:
            case {"type": 0, "text_node": {"content": str(content)}}:
                yield Line(role=role, kind="text", text=content)
            case {"type": 1, "tool_result_node": {"content": content}}:
                yield Line(role="user", kind="result", text=shown(content))
            case {"type": 5, "tool_use": {"tool_name": str(name), "input_json": str(args)}}:
                yield Line(role="assistant", kind="call", text=args, name=name)
            case _:
                continue


def objections(body: dict[str, Any]) -> list[str]:  # noqa: ARG001 - as every wire has it
    """Return nothing: what the real address refuses is not known."""
    return []


def whole(reply: Reply, asked: Asked) -> dict[str, Any]:  # noqa: ARG001 - as every wire has it
    """Return the answer."""
    nodes = [node for at, step in enumerate(reply.steps) for node in _nodes(at, step)]
    return {
        "text": reply.text(),
        "nodes": nodes,
        "stop_reason": _CALLS if reply.calls else _ENDED,
    }


def stream(reply: Reply, asked: Asked) -> Iterator[bytes | Wait | Drop]:
    """Yield the answer in one line; the program reads a line when it sees its end."""
    yield json.dumps(whole(reply, asked)).encode() + b"\n"


def failure(failure: Failure) -> dict[str, Any]:
    """Return the body of an error."""
    return {"error": failure.message}


def _nodes(at: int, step: object) -> Iterator[dict[str, Any]]:
    match step:
        case Say(text):
            yield {"id": at, "type": _TEXT, "content": text}
        case Call(name, args, id):
            use = {"tool_use_id": id, "tool_name": name, "input_json": shown(args)}
            yield {"id": at, "type": _CALL, "content": "", "tool_use": use}
        case _:
            return
