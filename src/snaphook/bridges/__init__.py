"""Our hooks inside somebody else's agent: one bridge, and a thin shim for each SDK.

an SDK's own hook points  ->  BridgeSession  ->  Engine  ->  what the SDK can do about it

``from_settings()`` gives every shim the hooks of a ``snaphook.toml``, recorded. Each SDK is imported in
its own shim and nowhere else: ``snaphook.bridges.pydantic_ai`` and so on.
"""

from .call import AskUser, SdkToolCall, ToolFailure, ToolQuestion, ToolRuling
from .recorded import from_settings
from .session import Bridge, BridgeSession, Decides, Hooks

__all__ = [
    "AskUser",
    "Bridge",
    "BridgeSession",
    "Decides",
    "Hooks",
    "SdkToolCall",
    "ToolFailure",
    "ToolQuestion",
    "ToolRuling",
    "from_settings",
]
