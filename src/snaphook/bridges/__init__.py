"""Our hooks inside somebody else's agent: one bridge, and a thin shim for each SDK.

an SDK's own hook points  ->  Session  ->  Engine  ->  what the SDK can do about it

``from_settings()`` gives every shim the hooks of a ``snaphook.toml``, recorded. Each SDK is imported in
its own shim and nowhere else: ``snaphook.bridges.pydantic_ai`` and so on.
"""

from .call import Ask, Failure, Question, Ruling, ToolCall
from .recorded import from_settings
from .session import Bridge, Decides, Hooks, Session

__all__ = [
    "Ask",
    "Bridge",
    "Decides",
    "Failure",
    "Hooks",
    "Question",
    "Ruling",
    "Session",
    "ToolCall",
    "from_settings",
]
