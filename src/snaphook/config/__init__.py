"""Files on disk to frozen settings that remember where each value came from; trust."""

from typing import TYPE_CHECKING, Any

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
from .surroundings import Surroundings

if TYPE_CHECKING:
    from .live import LiveSettings
    from .problems import Level, Problem, SettingsError

_LATER = {
    "Level": "problems",
    "LiveSettings": "live",
    "Problem": "problems",
    "SettingsError": "problems",
}

__all__ = [
    "CommandHook",
    "Dialect",
    "ForeignHook",
    "Layer",
    "Level",
    "LiveSettings",
    "Origin",
    "Problem",
    "ProviderEntry",
    "Section",
    "Settings",
    "SettingsError",
    "Surroundings",
    "load",
    "load_file",
]


def __getattr__(name: str) -> Any:
    """Import what few need when it is asked for."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
