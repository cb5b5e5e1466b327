"""Files on disk to frozen settings that remember where each value came from; trust."""

from typing import TYPE_CHECKING

from snaphook.lazy import exports

from .environment import Environment
from .load import load, load_file
from .settings import (
    CommandHook,
    Dialect,
    ForeignHook,
    Layer,
    Origin,
    ProviderEntry,
    Section,
    Settings,
)

if TYPE_CHECKING:
    from .live import LiveSettings
    from .problems import Problem, ProblemLevel, SettingsError

_MODULES = {
    "ProblemLevel": "problems",
    "LiveSettings": "live",
    "Problem": "problems",
    "SettingsError": "problems",
}

__all__ = [
    "CommandHook",
    "Dialect",
    "Environment",
    "ForeignHook",
    "Layer",
    "LiveSettings",
    "Origin",
    "Problem",
    "ProblemLevel",
    "ProviderEntry",
    "Section",
    "Settings",
    "SettingsError",
    "load",
    "load_file",
]

__getattr__ = exports(__name__, _MODULES)
