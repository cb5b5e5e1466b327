"""What the agent can do in the world."""

from collections.abc import Mapping

from .bash import BASH, LOGS, background_tasks, end_background
from .files import EDIT, READ, WRITE
from .search import GLOB, GREP
from .talk import ASK_USER, TASK, TODO_WRITE
from .tool import Tool, ToolContext, ToolError, ToolHost, ToolResult
from .workspace import OutOfBounds, ToolWorkspace

TOOLS: Mapping[str, Tool] = {
    tool.name: tool for tool in (READ, WRITE, EDIT, GLOB, GREP, BASH, ASK_USER, TASK, TODO_WRITE)
}
"""The tools every agent has unless it is given others."""

__all__ = [
    "LOGS",
    "TOOLS",
    "OutOfBounds",
    "Tool",
    "ToolContext",
    "ToolError",
    "ToolHost",
    "ToolResult",
    "ToolWorkspace",
    "background_tasks",
    "end_background",
]
