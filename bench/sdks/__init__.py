"""An agent in each SDK, bare and hooked, whose scripted model has one tool called many times over.

hooks  ->  (a run without them, a run with them)
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

Go: TypeAlias = Callable[[], Awaitable[Any]]
"""Starts one run."""
Pair: TypeAlias = tuple[Go, Go]
CALLS = 20
"""Tool calls of one run."""


def work(step: int) -> str:
    """Do a step."""
    return f"did {step}"
