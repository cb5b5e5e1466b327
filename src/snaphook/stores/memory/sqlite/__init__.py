"""Memories in one SQLite file: the store that needs no server."""

from .store import SqliteMemory

__all__ = ["SqliteMemory"]
