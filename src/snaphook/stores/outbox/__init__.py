"""Work that must still happen: kept on disk, tried again, and never lost without a word."""

from typing import TYPE_CHECKING

from snaphook.lazy import exports

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

__getattr__ = exports(__name__, _MODULES)
