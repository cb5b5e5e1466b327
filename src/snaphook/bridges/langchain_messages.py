"""What LangChain's agents pass about, read and written for the hooks.

messages, commands, interrupts  <->  texts, rulings

Imported by its shim alone, once LangChain is known to be there.
"""

from itertools import takewhile
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware import AgentState
from langchain.agents.middleware.types import PrivateStateAttr
from langchain.messages import RemoveMessage, ToolMessage
from langgraph.types import Command, interrupt

from snaphook.canon import Verdict
from snaphook.errors import UsageError

from .call import SdkToolCall, ToolFailure, ToolRuling, no
from .plain import as_text
from .table import LANGCHAIN


def _joined(told: list[str], more: list[str] | None) -> list[str]:
    """Return what the model has yet to be told; ``None`` says that it has been."""
    return [] if more is None else [*told, *filter(None, more)]


class LangChainState(AgentState[Any]):
    """What a run remembers of us."""

    snaphook: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]
    snaphook_told: NotRequired[Annotated[list[str], PrivateStateAttr, _joined]]


def prompt_in(messages: list[Any]) -> list[Any]:
    """Return what a person has said since the agent last spoke."""
    return [*takewhile(lambda message: message.type == "human", reversed(messages))][::-1]


def erased(asked: list[Any]) -> list[Any]:
    """Return what takes *asked* out of a graph's messages."""
    return [RemoveMessage(message.id) for message in asked]


def rewritten(asked: list[Any], text: str) -> list[Any]:
    """Return what puts *text* in place of all that was *asked*; pictures and files stay."""
    rest = [part for message in asked for part in message.content_blocks if part["type"] != "text"]
    content = [{"type": "text", "text": text}, *rest] if rest else text
    return [*erased(asked[:-1]), asked[-1].model_copy(update={"content": content})]


def refuse_unguarded(tools: list[Any]) -> None:
    """Raise ``UsageError`` if one of *tools* would run at the vendor, where no user is available."""
    for tool in tools:
        if isinstance(tool, dict):
            raise UsageError(
                where=LANGCHAIN.name,
                what=f"the tool '{tool.get('name') or tool.get('type')}' would run without hooks",
                fix="Give a function, or leave it out.",
            )


def settled(call: SdkToolCall, ruling: ToolRuling, config: Any) -> ToolRuling:
    """Return *ruling* once the person has spoken, whom LangGraph asks; without a checkpointer nobody."""
    if ruling.verdict is not Verdict.ASK:
        return ruling
    if not remembers(config):
        return no(call, "no user is available to confirm", ruling.reason)
    about = {"name": call.name, "args": ruling.args, "description": ruling.reason}
    answer = interrupt({"type": "tool_approval", "tool_call_id": call.id, **about})
    said = answer if isinstance(answer, dict) else {"type": "approve" if answer is True else ""}
    if said.get("type") == "approve":
        return ToolRuling(verdict=Verdict.ALLOW, args=ruling.args)
    return no(call, "the user declined", said.get("message") or ruling.reason)


def remembers(config: Any) -> bool:
    """Say whether the run has a checkpointer, without which an interrupt is the end of it."""
    return config["configurable"].get("__pregel_checkpointer") is not None


def read(answer: Any) -> Any:
    """Return what hooks read of what a tool came to."""
    if (message := _message(answer)) is None:
        return None
    return ToolFailure(error=message.text) if message.status == "error" else message.content


def write(answer: Any, result: Any) -> None:
    """Put *result*, as hooks left it, into what the tool came to."""
    message = _message(answer)
    if (
        message is not None
        and not isinstance(result, ToolFailure)
        and result is not message.content
    ):
        message.content = as_text(result)


def beside(answer: Any, told: str) -> Any:
    """Return *answer*, and beside it what is for the model once all its calls have come back."""
    if not told:
        return answer
    if isinstance(answer, ToolMessage):
        return Command(update={"messages": [answer], "snaphook_told": [told]})
    return [
        *(answer if isinstance(answer, list) else [answer]),
        Command(update={"snaphook_told": [told]}),
    ]


def _message(answer: Any) -> Any:
    """Return the message in a tool's answer: a message, a command, or several of either."""
    match answer:
        case ToolMessage():
            return answer
        case Command(update={"messages": [*inside]}) | [*inside]:
            return next(filter(None, map(_message, inside)), None)
    return None
