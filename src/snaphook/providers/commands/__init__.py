"""Hooks from settings files: match, run, interpret; by dialect.

Event  ->  plan  ->  run  ->  interpret  ->  Output | None
"""

from .dialects import RULES
from .provider import CommandHooks
from .results import HookResult

__all__ = ["RULES", "CommandHooks", "HookResult"]
