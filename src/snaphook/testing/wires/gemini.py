"""Gemini.

POST …/models/NAME:streamGenerateContent  ->  candidates, one event a piece
"""

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

_STATUSES = {400: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}


def claims(path: str) -> bool:
    """Say whether *path* asks for content."""
    return path.endswith((":generateContent", ":streamGenerateContent"))


def decode(path: str, body: dict[str, Any]) -> Asked:
    """Return what was asked; the model's name is in the path."""
    model, _, verb = path.rpartition("/")[2].partition(":")
    told: dict[str, Any] = body.get("systemInstruction") or {}
    declared = [d for tool in body.get("tools") or [] for d in tool.get("functionDeclarations", [])]
    return Asked(
        wire="gemini",
        path=path,
        model=model,
        stream=verb == "streamGenerateContent",
        system=text_of(told.get("parts") or []),
        lines=tuple(line for content in body.get("contents", []) for line in _lines(content)),
        tools=tuple(declaration["name"] for declaration in declared),
        body=body,
    )


def _lines(content: dict[str, Any]) -> Iterator[Line]:
    role = "assistant" if content.get("role") == "model" else "user"
    for part in content.get("parts", []):
        match part:
            case {"text": str(text)}:
                yield Line(
                    role=role, kind="reasoning" if part.get("thought") else "text", text=text
                )
            case {"functionCall": {"name": str(name)} as call}:
                yield Line(role=role, kind="call", text=shown(call.get("args", {})), name=name)
            case {"functionResponse": {"name": str(name), "response": response}}:
                yield Line(role=role, kind="result", text=shown(response), name=name)
            case _:
                continue


def objections(body: dict[str, Any]) -> list[str]:
    """Return why the real API would answer *body* with 400."""
    contents = body.get("contents") or []
    return [
        *(["contents is not specified"] if not contents else []),
        *(f"contents[{i}].parts is empty" for i, c in enumerate(contents) if not c.get("parts")),
    ]


def whole(reply: Reply, asked: Asked) -> dict[str, Any]:
    """Return the answer in one response."""
    parts = [part for step in reply.steps for part in _parts(reply, step, streamed=False)]
    return _response(reply, asked, parts, last=True)


def stream(reply: Reply, asked: Asked) -> Iterator[bytes | Wait | Drop]:
    """Yield the answer piece by piece."""
    for step in reply.steps:
        match step:
            case Wait() | Drop():
                yield step
            case Garble():
                yield garbled()
            case _:
                for part in _parts(reply, step, streamed=True):
                    yield event(_response(reply, asked, [part], last=False))
    yield event(_response(reply, asked, [{"text": ""}], last=True))


def failure(failure: Failure) -> dict[str, Any]:
    """Return the body of an error."""
    status = _STATUSES.get(failure.status, "INTERNAL")
    return {"error": {"code": failure.status, "message": failure.message, "status": status}}


def _parts(reply: Reply, step: object, *, streamed: bool) -> Iterator[dict[str, Any]]:
    match step:
        case Say(text):
            yield from ({"text": piece} for piece in (reply.pieces(text) if streamed else [text]))
        case Think(text):
            yield {"text": text, "thought": True}
        case Call(name, args, id):
            yield {"functionCall": {"id": id, "name": name, "args": args}}
        case _:
            return


def _response(
    reply: Reply, asked: Asked, parts: list[dict[str, Any]], *, last: bool
) -> dict[str, Any]:
    tokens = reply.tokens
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if last:
        candidate["finishReason"] = "STOP"
    return {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": tokens.input,
            "candidatesTokenCount": tokens.output,
            "totalTokenCount": tokens.input + tokens.output,
        },
        "modelVersion": asked.model,
        "responseId": "scripted",
    }
