"""Our hooks inside somebody else's agent: one bridge, and a thin shim for each SDK.

an SDK's own hook points  ->  Session  ->  Engine  ->  what the SDK can do about it

Each SDK is imported in its own shim and nowhere else: ``snaphook.bridges.pydantic_ai`` and so on.
"""

from .session import Ask, Bridge, Hooks, Question, Ruling, Session, ToolCall

__all__ = ["Ask", "Bridge", "Hooks", "Question", "Ruling", "Session", "ToolCall"]
