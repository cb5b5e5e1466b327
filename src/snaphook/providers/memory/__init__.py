"""What earlier sessions learned, told to this one; what this one learns, kept for the next."""

from snaphook.config import Environment

from .provider import MemoryProvider
from .settings import MemorySettings

__all__ = ["MemoryProvider", "MemorySettings", "make"]


def make(settings: MemorySettings, around: Environment) -> MemoryProvider:
    """Return the provider that ``[memory]`` switches on."""
    from .outbox import through_outbox

    return MemoryProvider(settings, around, keep=through_outbox(around))
