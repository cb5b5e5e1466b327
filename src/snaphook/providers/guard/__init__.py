"""The guard: understand a command, stop what must not happen, let the rest through.

command  ->  facts  ->  Judgement
"""

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.judgement import GuardAnswer, Judgement, Objection
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.gaps import Gap, Unknown
from snaphook.shell.world import StillWorld, World

__all__ = [
    "Gap",
    "GuardAnswer",
    "GuardSettings",
    "Judgement",
    "Objection",
    "StillWorld",
    "Unknown",
    "World",
    "examine",
]
