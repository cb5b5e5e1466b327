"""What a session has done so far, as rules that want something done before ask for it.

session's file  ->  RecordedSession  ->  has it read this, has it run that
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class SessionMemory(Protocol):
    """What a session has done, as rules ask for it."""

    def has_read(self, path: str) -> bool:
        """Say whether the session has seen what is in *path*."""

    def has_run(self, shapes: tuple[str, ...]) -> bool:
        """Say whether a command like one of *shapes* succeeded after the last change."""


class RecordedSession(Struct, frozen=True, kw_only=True):
    """What is known of a session: files seen, and commands that succeeded since the last change."""

    read: frozenset[str] = frozenset()
    ran: tuple[str, ...] = ()

    def has_read(self, path: str) -> bool:
        """Say whether the session has seen what is in *path*."""
        return path in self.read

    def has_run(self, shapes: tuple[str, ...]) -> bool:
        """Say whether a command like one of *shapes* succeeded after the last change."""
        return any(_like(command, shape) for command in self.ran for shape in shapes)


NOTHING = RecordedSession()
"""The memory of a session that has done nothing yet."""


def _like(command: str, shape: str) -> bool:
    if command == shape or command.startswith(f"{shape} "):
        return True
    from fnmatch import fnmatchcase

    return fnmatchcase(command, shape)
