"""Dispatch and combine: one event in, one output out."""

from .composite import CompositeHooksProvider
from .drive import consider_now
from .engine import Engine, Observer, Strategy
from .outcome import Answer, Outcome

__all__ = [
    "Answer",
    "CompositeHooksProvider",
    "Engine",
    "Observer",
    "Outcome",
    "Strategy",
    "consider_now",
]
