"""The essential hooks: sessions that know, stop cleanly, and lose nothing. One file for each event."""

from .provider import Essentials, make
from .settings import EssentialsSettings

__all__ = ["Essentials", "EssentialsSettings", "make"]
