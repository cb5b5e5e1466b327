"""What tests of agents, hooks and providers need: a scripted model, on a socket or in process.

Shipped with the package; nothing else in it imports this room.
"""

from .model import ScriptedModel
from .script import (
    Asked,
    Call,
    Drop,
    Failure,
    Garble,
    Line,
    Reply,
    Say,
    Script,
    Think,
    Tokens,
    Turn,
    Wait,
    say,
)
from .server import ModelServer

__all__ = [
    "Asked",
    "Call",
    "Drop",
    "Failure",
    "Garble",
    "Line",
    "ModelServer",
    "Reply",
    "Say",
    "Script",
    "ScriptedModel",
    "Think",
    "Tokens",
    "Turn",
    "Wait",
    "say",
]
