"""Our hooks inside somebody else's agent: one bridge, and a thin shim for each SDK.

an SDK's own hook points  ->  Session  ->  Engine  ->  what the SDK can do about it

``from_settings()`` gives every shim the hooks of a ``snaphook.toml``, recorded. Each SDK is imported in
its own shim and nowhere else: ``snaphook.bridges.pydantic_ai`` and so on.
"""

from .recorded import from_settings
from .session import Ask, Bridge, Decides, Hooks, Question, Ruling, Session, ToolCall

__all__ = [
    "Ask",
    "Bridge",
    "Decides",
    "Hooks",
    "Question",
    "Ruling",
    "Session",
    "ToolCall",
    "from_settings",
]
