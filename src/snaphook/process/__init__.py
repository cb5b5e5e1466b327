"""Running a command: its own group, a timeout that ends it, bounded output.

Command  ->  Completed

A command that fails, hangs, is killed, floods us or cannot be started is data, never an exception.
Light to import: a hook process that runs without the daemon pays for every module here.
"""

from .coroutine import run_all_async, run_async
from .drive import run, run_all
from .values import KEEP, CapturedStream, Command, Completed

__all__ = [
    "KEEP",
    "CapturedStream",
    "Command",
    "Completed",
    "run",
    "run_all",
    "run_all_async",
    "run_async",
]
