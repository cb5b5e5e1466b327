"""Work that must still happen: kept on disk, tried again, and never lost without a word."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .job import GiveUp, Handler, Job, JobState, RetryLater
    from .outbox import Outbox
    from .work import drain
    from .workers import Workers, wake

_MODULES = {
    "GiveUp": "job",
    "Handler": "job",
    "Job": "job",
    "RetryLater": "job",
    "Outbox": "outbox",
    "JobState": "job",
    "Workers": "workers",
    "drain": "work",
    "wake": "workers",
}

__all__ = [
    "GiveUp",
    "Handler",
    "Job",
    "JobState",
    "Outbox",
    "RetryLater",
    "Workers",
    "drain",
    "wake",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for: whoever only puts a job needs no worker."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
