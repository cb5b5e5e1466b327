"""Putting ourselves into the hosts' settings, and taking ourselves out again."""

from .change import (
    Change,
    Preset,
    Scope,
    apply,
    program,
    revert,
    scopes,
    settings_file,
    unwire,
    wire,
)
from .detect import Found, covered_by, detect
from .ledger import Ledger

__all__ = [
    "Change",
    "Found",
    "Ledger",
    "Preset",
    "Scope",
    "apply",
    "covered_by",
    "detect",
    "program",
    "revert",
    "scopes",
    "settings_file",
    "unwire",
    "wire",
]
