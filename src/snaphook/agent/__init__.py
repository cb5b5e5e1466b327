"""The reference agent: messages, tools, models, and the places where hooks really fire."""

from .agent import Agent
from .blocks import (
    Block,
    CompactBlock,
    ErrorBlock,
    ImageBlock,
    Message,
    ReasoningBlock,
    Role,
    Stage,
    TextBlock,
    ToolBlock,
)
from .convert import convert
from .listener import Listener
from .model import Model, ModelError, ModelRequest, Usage
from .options import AgentOptions, TurnResult, TurnStatus
from .permissions import Mode, Permission, Permissions, Question
from .session import SessionFolder
from .tools import TOOLS, Tool, ToolContext, ToolResult

__all__ = [
    "TOOLS",
    "Agent",
    "AgentOptions",
    "Block",
    "CompactBlock",
    "ErrorBlock",
    "ImageBlock",
    "Listener",
    "Message",
    "Mode",
    "Model",
    "ModelError",
    "ModelRequest",
    "Permission",
    "Permissions",
    "Question",
    "ReasoningBlock",
    "Role",
    "SessionFolder",
    "Stage",
    "TextBlock",
    "Tool",
    "ToolBlock",
    "ToolContext",
    "ToolResult",
    "TurnResult",
    "TurnStatus",
    "Usage",
    "convert",
]
