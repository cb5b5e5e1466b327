"""Dispatch and combine: one event in, one output out."""

from .composite import CompositeHooksProvider
from .drive import dispatch_sync
from .engine import Engine, Observer, Strategy
from .outcome import Outcome, ProviderAnswer

__all__ = [
    "CompositeHooksProvider",
    "Engine",
    "Observer",
    "Outcome",
    "ProviderAnswer",
    "Strategy",
    "dispatch_sync",
]
