"""What tests of agents, hooks and providers need: scripted models, and providers that tell.

Shipped with the package; nothing else in it imports this package.
"""

from .model import ScriptedModel
from .providers import Recorder, ScriptedProvider
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
    "Script",
    "ScriptedModel",
    "ScriptedProvider",
    "Think",
    "Tokens",
    "Turn",
    "Wait",
    "say",
]
