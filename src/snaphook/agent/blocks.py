"""What a conversation is made of: messages, and the blocks they hold.

Values: a message that changes is replaced by another with the same id.
"""

from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from .model import Usage


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"


class Stage(StrEnum):
    """How far a tool call has come; only what reached the end is shown to a model."""

    START = "start"
    STREAMING = "streaming"
    RUNNING = "running"
    END = "end"


class TextBlock(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="text"):
    """Words; ``source`` is ``hook`` where a hook put them there."""

    content: str
    source: str = ""


class ToolBlock(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="tool"):
    """A tool call from its start to its result."""

    id: str
    name: str
    parameters: dict[str, Any] = field(default_factory=dict)
    result: str = ""
    success: bool = False
    error: str = ""
    stage: Stage = Stage.START
    suppressed: bool = False
    """A hook asked that the result not be shown to the person; the model still reads it."""


class ErrorBlock(Struct, frozen=True, kw_only=True, tag="error"):
    """A word to the person alone: no model ever sees it."""

    content: str


class ReasoningBlock(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="reasoning"):
    """What the model thought before it spoke."""

    content: str
    signature: str = ""
    source: str = ""
    mark: str = ""


class CompactBlock(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="compact"):
    """What is left of an earlier part of the conversation."""

    content: str
    preserved: tuple[str, ...] = ()
    """What hooks asked to keep, word for word."""


class ImageBlock(Struct, frozen=True, kw_only=True, tag="image"):
    """A picture, base64."""

    media_type: str
    data: str


Block: TypeAlias = TextBlock | ToolBlock | ErrorBlock | ReasoningBlock | CompactBlock | ImageBlock


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of a conversation."""

    id: str
    role: Role
    blocks: tuple[Block, ...]
    timestamp: float = 0.0
    usage: Usage | None = None
    meta: bool = False
    """Put there by the agent or a hook, not typed by a person."""

    @property
    def text(self) -> str:
        """Return the words of this message, without errors, tools and thoughts."""
        return "\n".join(block.content for block in self.blocks if isinstance(block, TextBlock))

    @property
    def tools(self) -> tuple[ToolBlock, ...]:
        """Return the tool calls of this message."""
        return tuple(block for block in self.blocks if isinstance(block, ToolBlock))


def with_tool(message: Message, block: ToolBlock) -> Message:
    """Return *message* with *block* in the place of the call that has its id."""
    blocks = tuple(
        block if isinstance(old, ToolBlock) and old.id == block.id else old
        for old in message.blocks
    )
    return replace(message, blocks=blocks)


def unfinished(message: Message) -> bool:
    """Say whether *message* holds a tool call without a result."""
    return any(isinstance(b, ToolBlock) and b.stage is not Stage.END for b in message.blocks)
