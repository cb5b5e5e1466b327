"""Files on disk to frozen settings that remember where each value came from; trust."""

from .live import LiveSettings
from .load import load, load_file
from .problems import Level, Problem, SettingsError
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
