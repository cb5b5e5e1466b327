"""Who watches an agent at work: derive from it and override what you want to see.

Called on the agent's event loop as things happen; a callback that takes long holds the agent up.
"""

from .blocks import Message, ToolBlock


class Listener:
    """Sees everything, does nothing."""

    def on_text(self, text: str) -> None:
        """Hear a piece of the answer."""

    def on_reasoning(self, text: str) -> None:
        """Hear a piece of the model's thinking."""

    def on_tool(self, block: ToolBlock) -> None:
        """See a tool call start, run and end."""

    def on_message(self, message: Message) -> None:
        """See a message, new or in a newer version."""

    def on_erased(self, message_id: str) -> None:
        """Learn that a message was taken back."""

    def on_error(self, text: str) -> None:
        """Hear what only the person is told."""

    def on_retry(self, text: str, wait_ms: int) -> None:
        """Learn that the model is asked again, and after which wait."""

    def on_subagent(self, agent_id: str, kind: str, status: str) -> None:
        """See a subagent start and end."""
