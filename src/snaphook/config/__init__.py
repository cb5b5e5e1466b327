"""Files on disk to frozen settings that remember where each value came from; trust."""

from .settings import CommandHook, Dialect, Layer, Origin, ProviderEntry, Section, Settings

__all__ = ["CommandHook", "Dialect", "Layer", "Origin", "ProviderEntry", "Section", "Settings"]
