"""The result of a tool call, as MCP tells it and as hooks leave it.

CallToolResult + what hooks say  ->  CallToolResult

A proxy has one way to the model: what it reads of a result. So that is where a reason, a remark or a
piece of context goes. Pure.
"""

from typing import Any

from snaphook.bridges.plain import as_text

COMPLETE = {"resultType": "complete"}
"""What newer protocols want on every result that is one."""


def refusal(reason: str) -> dict[str, Any]:
    """Return the result of a call that did not run."""
    return {"content": [_text(reason)], "isError": True}


def unfinished(result: dict[str, Any]) -> bool:
    """Say whether *result* is none yet: the server wants to know something first, or works on it."""
    return result.get("resultType", "complete") != "complete" or "task" in result


def trouble(result: dict[str, Any]) -> str | None:
    """Return what went wrong, in the tool's words; ``None`` if nothing did."""
    if result.get("isError") is not True:
        return None
    return "\n".join(_texts(result)) or "the tool says that it failed, and not why"


def told(result: dict[str, Any], text: str) -> dict[str, Any]:
    """Return *result* with *text* for the model at its end."""
    if not text:
        return result
    content = result.get("content")
    return result | {"content": [*(content if isinstance(content, list) else ()), _text(text)]}


def replaced(result: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """Return what a hook *wanted* in the place of *result*, in a form that clients take.

    Whole results and lists of content stay what they are; anything else becomes text. Nothing of the
    old content is left, structured or not. A tool that promised structure and now gives text says
    so by ``isError``, for clients turn away a success that breaks the promise.
    """
    if isinstance(wanted, dict) and isinstance(wanted.get("content"), list):
        return wanted
    kept = {key: result[key] for key in ("_meta", "resultType") if key in result}
    if isinstance(wanted, list) and all(isinstance(one, dict) and "type" in one for one in wanted):
        content = wanted
    else:
        content = [_text(as_text(wanted))]
    match result.get("structuredContent"):
        case None:
            return kept | {"content": content}
        case {"result": str(), **rest} if not rest and isinstance(wanted, str):
            return kept | {"content": content, "structuredContent": {"result": wanted}}
        case _:
            return kept | {"content": content, "isError": True}


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _texts(result: dict[str, Any]) -> list[str]:
    content = result.get("content")
    return [
        str(block.get("text", ""))
        for block in (content if isinstance(content, list) else ())
        if isinstance(block, dict) and block.get("type") == "text"
    ]
