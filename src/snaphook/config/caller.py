"""Whose environment counts while an event is answered: the daemon answers for many callers.

caller  ->  environment()        Ours where nobody else is being answered.
"""

import os
from collections.abc import Mapping
from contextvars import ContextVar

caller_environment: ContextVar[Mapping[str, str]] = ContextVar("caller_environment")


def environment() -> Mapping[str, str]:
    """Return the environment of whoever is being answered."""
    return caller_environment.get(os.environ)
