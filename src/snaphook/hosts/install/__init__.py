"""Putting ourselves into the hosts' settings, and taking ourselves out again."""

from .change import (
    FileChange,
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
from .detect import DetectedHost, covered_by, detect
from .ledger import InstallLedger

__all__ = [
    "DetectedHost",
    "FileChange",
    "InstallLedger",
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
