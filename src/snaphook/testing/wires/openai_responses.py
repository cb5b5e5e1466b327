"""OpenAI responses.

POST /v1/responses  ->  response, or response.created … response.completed
"""

import json
from collections.abc import Iterator
from typing import Any

from snaphook.testing.script import (
    Asked,
    Call,
    Drop,
    Garble,
    Line,
    Reply,
    Say,
    Think,
    Wait,
)

from .openai_chat import failure as failure
from .sse import event, garbled, text_of

_SYSTEM = {"system", "developer"}


def claims(path: str) -> bool:
    """Say whether *path* is the responses endpoint."""
    return path.endswith("/responses")


def decode(path: str, body: dict[str, Any]) -> Asked:
    """Return what was asked."""
    items = _items(body)
    told = [text_of(item.get("content")) for item in items if item.get("role") in _SYSTEM]
    return Asked(
        wire="openai-responses",
        path=path,
        model=body.get("model", ""),
        stream=bool(body.get("stream")),
        system="\n".join([body.get("instructions") or "", *told]).strip(),
        lines=tuple(line for item in items for line in _lines(item)),
        tools=tuple(tool.get("name", tool["type"]) for tool in body.get("tools") or []),
        body=body,
    )


def _items(body: dict[str, Any]) -> list[dict[str, Any]]:
    given = body.get("input") or []
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def _lines(item: dict[str, Any]) -> Iterator[Line]:
    match item:
        case {"type": "function_call" | "custom_tool_call", "name": str(name)}:
            given = item.get("arguments") or item.get("input") or ""
            yield Line(role="assistant", kind="call", text=given, name=name)
        case {"type": "function_call_output" | "custom_tool_call_output", "output": output}:
            yield Line(role="tool", kind="result", text=text_of(output))
        case {"role": str(role), "content": content} if role not in _SYSTEM:
            yield Line(role=role, kind="text", text=text_of(content))
        case _:
            return


def objections(body: dict[str, Any]) -> list[str]:
    """Return why the real API would answer *body* with 400."""
    items = _items(body)
    if body.get("previous_response_id"):
        return []  # the calls may be in the earlier response
    calls = [
        i["call_id"] for i in items if str(i.get("type", "")).endswith("_call") and "call_id" in i
    ]
    results = [i["call_id"] for i in items if str(i.get("type", "")).endswith("_call_output")]
    return [
        *(["input: at least one item is required"] if not items else []),
        *(f"input: no tool output found for call {c}" for c in calls if c not in results),
        *(f"input: no tool call found for output {r}" for r in results if r not in calls),
    ]


def whole(reply: Reply, asked: Asked) -> dict[str, Any]:
    """Return the answer in one response."""
    items = [_item(asked, index, step) for index, step in enumerate(_spoken(reply))]
    return _response(reply, asked, "completed", items)


def stream(reply: Reply, asked: Asked) -> Iterator[bytes | Wait | Drop]:
    """Yield the answer event by event, numbered."""
    for number, said in enumerate(_events(reply, asked)):
        if isinstance(said, dict):
            yield event(said | {"sequence_number": number}, name=said["type"])
        else:
            yield said


def _events(reply: Reply, asked: Asked) -> Iterator[dict[str, Any] | bytes | Wait | Drop]:
    started = _response(reply, asked, "in_progress", [])
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    index = 0
    for step in reply.steps:
        match step:
            case Wait() | Drop():
                yield step
            case Garble():
                yield garbled(name="response.output_text.delta")
            case Say() | Think() | Call():
                yield from _item_events(reply, asked, index, step)
                index += 1
    yield {"type": "response.completed", "response": whole(reply, asked)}


def _item_events(
    reply: Reply, asked: Asked, index: int, step: Say | Think | Call
) -> Iterator[dict[str, Any]]:
    item = _item(asked, index, step)
    at = {"item_id": item["id"], "output_index": index}
    yield {
        "type": "response.output_item.added",
        "output_index": index,
        "item": item | _EMPTY[item["type"]] | {"status": "in_progress"},
    }
    match step:
        case Say(text):
            part = {"type": "output_text", "text": "", "annotations": []}
            at_text = at | {"content_index": 0}
            yield {"type": "response.content_part.added", **at_text, "part": part}
            for piece in reply.pieces(text):
                yield {
                    "type": "response.output_text.delta",
                    **at_text,
                    "delta": piece,
                    "logprobs": [],
                }
            yield {"type": "response.output_text.done", **at_text, "text": text, "logprobs": []}
            done = {"part": part | {"text": text}}
            yield {"type": "response.content_part.done", **at_text, **done}
        case Call(args=args):
            for piece in reply.pieces(json.dumps(args)):
                yield {"type": "response.function_call_arguments.delta", **at, "delta": piece}
            done = {"name": item["name"], "arguments": item["arguments"]}
            yield {"type": "response.function_call_arguments.done", **at, **done}
        case Think():
            pass
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


_EMPTY: dict[str, dict[str, Any]] = {
    "message": {"content": []},
    "function_call": {"arguments": ""},
    "reasoning": {"summary": []},
}


def _spoken(reply: Reply) -> list[Say | Think | Call]:
    return [step for step in reply.steps if isinstance(step, Say | Think | Call)]


def _item(asked: Asked, index: int, step: Say | Think | Call) -> dict[str, Any]:
    match step:
        case Say(text):
            content = [{"type": "output_text", "text": text, "annotations": []}]
            return {
                "type": "message",
                "id": f"msg_{index}",
                "role": "assistant",
                "status": "completed",
                "content": content,
            }
        case Think(text):
            summary = [{"type": "summary_text", "text": text}]
            return {"type": "reasoning", "id": f"rs_{index}", "summary": summary}
        case Call(name, args, id):
            return {
                "type": "function_call",
                "id": f"fc_{id}",
                "call_id": id,
                **_spelled(name, asked),
                "arguments": json.dumps(args),
                "status": "completed",
            }


def _spelled(name: str, asked: Asked) -> dict[str, str]:
    """Return the tool's *name*, with its namespace apart where the request has it so."""
    for tool in asked.body.get("tools") or []:
        before = f"{tool.get('name')}__"
        if tool.get("type") == "namespace" and name.startswith(before):
            return {"name": name.removeprefix(before), "namespace": tool["name"]}
    return {"name": name}


def _response(
    reply: Reply, asked: Asked, status: str, output: list[dict[str, Any]]
) -> dict[str, Any]:
    tokens = reply.tokens
    usage = {
        "input_tokens": tokens.input,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": tokens.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens.input + tokens.output,
    }
    return {
        "id": "resp_scripted",
        "object": "response",
        "created_at": 0,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": asked.model,
        "output": output,
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": usage if status == "completed" else None,
    }
