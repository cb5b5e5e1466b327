"""Files on disk to frozen settings that remember where each value came from; trust."""

from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    """Import what few need when it is asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
