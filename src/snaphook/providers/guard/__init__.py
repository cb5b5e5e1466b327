"""The guard: understand a command, stop what must not happen, let the rest through.

command  ->  facts  ->  Judgement
"""

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.gaps import Gap, Unknown
from snaphook.providers.guard.judgement import Answer, Judgement, Objection
from snaphook.providers.guard.settings import GuardSettings
from snaphook.providers.guard.world import StillWorld, World

__all__ = [
    "Answer",
    "Gap",
    "GuardSettings",
    "Judgement",
    "Objection",
    "StillWorld",
    "Unknown",
    "World",
    "examine",
]
