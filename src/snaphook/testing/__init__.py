"""What tests of agents, hooks and providers need: scripted models, and providers that tell.

Shipped with the package; nothing else in it imports this room.
"""

from .model import ScriptedModel
from .providers import Recorder, Says
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
    "Recorder",
    "Reply",
    "Say",
    "Says",
    "Script",
    "ScriptedModel",
    "Think",
    "Tokens",
    "Turn",
    "Wait",
    "say",
]
