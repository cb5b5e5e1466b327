"""The commands that must pass before work counts as done."""

from .feedback import feedback, tail
from .gate import Gate, GateRun, Verdicts
from .provider import GatesProvider
from .read import FILE, read_gates
from .run import run_gates

__all__ = [
    "FILE",
    "Gate",
    "GateRun",
    "GatesProvider",
    "Verdicts",
    "feedback",
    "read_gates",
    "run_gates",
    "tail",
]
