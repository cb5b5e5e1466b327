"""A question to the person, as MCP asks it.

ToolQuestion  ->  elicitation/create, or an input_required result  ->  yes or no

A form without fields: to accept it is a yes, anything else is a no. Pure.
"""

from typing import Any

from snaphook.bridges.call import ToolQuestion
from snaphook.bridges.plain import as_text
from snaphook.hosts.tighten import clip

LONGEST = 2000
"""Characters of a call that a person is shown."""


def takes_questions(capabilities: Any) -> bool:
    """Say whether a client shows its person a form; an empty answer means that it does."""
    told = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    return isinstance(told, dict) and (not told or "form" in told)


def form(question: ToolQuestion) -> dict[str, Any]:
    """Return what ``elicitation/create`` takes."""
    call = clip(f"{question.tool_name} {as_text(question.tool_args)}", LONGEST)
    return {
        "mode": "form",
        "message": f"{question.why}\n\nLet it run? {call}".strip(),
        "requestedSchema": {"type": "object", "properties": {}},
    }


def first(question: ToolQuestion, token: str) -> dict[str, Any]:
    """Return the result that has a client ask first, and come back with the answer and *token*."""
    asked = {"method": "elicitation/create", "params": form(question)}
    waits = {"inputRequests": {"snaphook": asked}, "requestState": token}
    return {"resultType": "input_required", **waits}


def accepted(responses: Any) -> bool:
    """Say whether a client that came back brought a yes."""
    match responses:
        case {"snaphook": {"action": "accept"}}:
            return True
        case _:
            return False
