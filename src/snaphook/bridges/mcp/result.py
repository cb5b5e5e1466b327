"""The result of a tool call, as MCP tells it and as hooks leave it.

CallToolResult + what hooks say  ->  CallToolResult

A proxy has one way to the model: what it reads of a result. So that is where a reason, a remark or a
piece of context goes: into the content, and into the structure where there is one, for some clients
(Claude Code, Codex) show their model nothing else. Where neither text nor a hook's own result would keep to
the form that a tool promised, the result says so by ``isError``: clients turn away a success that
breaks the promise. Pure.
"""

from typing import Any

from snaphook.bridges.plain import as_text

OURS = "snaphook"
"""The key under which a structured result tells what hooks add to it."""
COMPLETE = {"resultType": "complete"}
"""What newer protocols want on every result that is one."""


def refusal(reason: str) -> dict[str, Any]:
    """Return the result of a call that did not run."""
    return {"content": [_text(reason)], "isError": True}


def unfinished(result: dict[str, Any]) -> bool:
    """Say whether *result* is none yet: the server wants to know something first, or works on it."""
    waits = result.get("resultType", "complete") != "complete" or "task" in result
    return waits and not {"content", "structuredContent"} & result.keys()


def trouble(result: dict[str, Any]) -> str | None:
    """Return what went wrong, in the tool's words; ``None`` if nothing did."""
    if result.get("isError") is not True:
        return None
    return "\n".join(_texts(result)) or "the tool says that it failed, and not why"


def told(result: dict[str, Any], text: str, *, roomy: bool = True) -> dict[str, Any]:
    """Return *result* with *text* for the model; *roomy* is a form that lets us add something."""
    if not text:
        return result
    content = result.get("content")
    more = {"content": [*(content if isinstance(content, list) else ()), _text(text)]}
    match result.get("structuredContent"):
        case None:
            return result | more
        case {"result": str(said), **rest} if not rest:
            return result | more | {"structuredContent": {"result": f"{said}\n\n{text}"}}
        case dict(said) if roomy:
            return result | more | {"structuredContent": said | {OURS: text}}
        case _:
            kept = {key: value for key, value in result.items() if key != "structuredContent"}
            return kept | more | {"isError": True}


def replaced(result: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """Return what a hook *wanted* in the place of *result*, in a form that clients take.

    Whole results and lists of content stay what they are; anything else becomes text. Nothing of the
    old content is left, structured or not.
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


def roomy(schema: Any) -> bool:
    """Say whether a result that keeps to *schema* may hold a key more."""
    return not isinstance(schema, dict) or schema.get("additionalProperties", True) is True


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _texts(result: dict[str, Any]) -> list[str]:
    content = result.get("content")
    return [
        str(block.get("text", ""))
        for block in (content if isinstance(content, list) else ())
        if isinstance(block, dict) and block.get("type") == "text"
    ]
