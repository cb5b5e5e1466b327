"""What a script hears of an agent: plain text, one JSON object, or a line of JSON per event."""

from typing import Any

from snaphook.agent import Agent, Listener, Message, ToolBlock, TurnResult
from snaphook.cli.output import say, say_json, say_lines


class TextOutput(Listener):
    """The last words on stdout, what only a person should hear on stderr."""

    def begin(self, agent: Agent) -> None:
        """Say nothing yet."""

    def end(self, agent: Agent, result: TurnResult) -> None:
        """Print the answer."""
        if result.text:
            say_lines(result.text)

    def on_error(self, text: str) -> None:
        """Tell the person."""
        say_lines(text, err=True)

    def on_retry(self, text: str, wait_ms: int) -> None:
        """Tell the person."""
        say(f"{text} Trying again in {wait_ms / 1000:g} s.", err=True)


class JsonOutput(TextOutput):
    """One object at the end."""

    def end(self, agent: Agent, result: TurnResult) -> None:
        """Print the object."""
        _print(_result(agent, result))


class StreamJsonOutput(Listener):
    """One object a line, as things happen."""

    def begin(self, agent: Agent) -> None:
        """Say who this is."""
        about = {"session_id": agent.session_id, "model": agent.model_name, "cwd": agent.cwd}
        _print({"type": "start"} | about)

    def end(self, agent: Agent, result: TurnResult) -> None:
        """Say how it ended."""
        _print({"type": "result"} | _result(agent, result))

    def on_text(self, text: str) -> None:
        """Pass it on."""
        _print({"type": "text", "text": text})

    def on_reasoning(self, text: str) -> None:
        """Pass it on."""
        _print({"type": "reasoning", "text": text})

    def on_tool(self, block: ToolBlock) -> None:
        """Pass it on."""
        _print({"type": "tool", "tool": block})

    def on_message(self, message: Message) -> None:
        """Pass it on."""
        _print({"type": "message", "message": message})

    def on_erased(self, message_id: str) -> None:
        """Pass it on."""
        _print({"type": "erased", "id": message_id})

    def on_error(self, text: str) -> None:
        """Pass it on."""
        _print({"type": "error", "text": text})

    def on_retry(self, text: str, wait_ms: int) -> None:
        """Pass it on."""
        _print({"type": "retry", "text": text, "wait_ms": wait_ms})

    def on_subagent(self, agent_id: str, kind: str, status: str) -> None:
        """Pass it on."""
        _print({"type": "subagent", "agent_id": agent_id, "kind": kind, "status": status})


OUTPUTS: dict[str, type[TextOutput] | type[StreamJsonOutput]] = {
    "text": TextOutput,
    "json": JsonOutput,
    "stream-json": StreamJsonOutput,
}


def _result(agent: Agent, result: TurnResult) -> dict[str, Any]:
    return {
        "status": str(result.status),
        "text": result.text,
        "error": result.error,
        "session_id": agent.session_id,
        "model": agent.model_name,
        "turns": result.turns,
        "cost_usd": result.micro_dollars / 1_000_000,
        "cost_estimated": result.estimated,
        "usage": result.usage,
        "files_modified": list(agent.ledger.files),
    }


def _print(value: dict[str, Any]) -> None:
    say_json(value)
