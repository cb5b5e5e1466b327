"""What a session has done so far, as rules that want something done before ask for it.

session's file  ->  RecordedSession  ->  has it read this, has it run that
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from snaphook.providers.guard.sessions import SessionNote


class SessionMemory(Protocol):
    """What a session has done, as rules ask for it."""

    def has_read(self, path: str) -> bool:
        """Say whether the session has seen what is in *path*."""

    def has_run(self, shapes: tuple[str, ...]) -> bool:
        """Say whether a command like one of *shapes* succeeded after the last change."""

    def is_download(self, path: str) -> bool:
        """Say whether the session downloaded *path*, and has not read it since."""

    def is_secret(self, path: str) -> bool:
        """Say whether the session made *path* from a file of secrets."""

    def has_started(self, container: str) -> bool:
        """Say whether the session started *container*."""

    @property
    def has_downloads(self) -> bool:
        """Whether there is a download that nobody has read."""


class Sessions(Protocol):
    """Where it is kept what sessions have done."""

    def of(self, session: str) -> SessionMemory:
        """Return what *session* has done."""

    def note(self, session: str, note: SessionNote) -> None:
        """Add *note* to what is known of *session*."""

    def forget_old(self) -> None:
        """Remove what is known of sessions that have not been used for long."""


class RecordedSession(Struct, frozen=True, kw_only=True):
    """What is known of a session: files seen, and commands that succeeded since the last change.

    Of *downloads* those that end in a slash are folders, with all that is in them.
    """

    read: frozenset[str] = frozenset()
    ran: tuple[str, ...] = ()
    downloads: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()
    secrets: frozenset[str] = frozenset()
    started: frozenset[str] = frozenset()

    def has_read(self, path: str) -> bool:
        """Say whether the session has seen what is in *path*."""
        return path in self.read

    def has_run(self, shapes: tuple[str, ...]) -> bool:
        """Say whether a command like one of *shapes* succeeded after the last change."""
        return any(_like(command, shape) for command in self.ran for shape in shapes)

    def is_download(self, path: str) -> bool:
        """Say whether the session downloaded *path*, and has not read it since."""
        if not self.downloads or path in self.seen:
            return False
        return path in self.downloads or any(
            one[-1] == "/" and path.startswith(one) for one in self.downloads
        )

    def is_secret(self, path: str) -> bool:
        """Say whether the session made *path* from a file of secrets."""
        return path in self.secrets

    def has_started(self, container: str) -> bool:
        """Say whether the session started *container*, named or by the start of its id."""
        if container in self.started:
            return True
        is_id = len(container) >= _SHORTEST_ID and not container.strip("0123456789abcdef")
        return is_id and any(one.startswith(container) for one in self.started)

    @property
    def has_downloads(self) -> bool:
        """Whether there is a download that nobody has read."""
        return bool(self.downloads)


_SHORTEST_ID = 6
"""Characters of a container's id that a person would call its name."""


class LazyMemory:
    """A session's memory that is opened when a rule first asks."""

    __slots__ = ("_memory", "_open")

    def __init__(self, open_memory: Callable[[], SessionMemory]) -> None:
        self._open = open_memory
        self._memory: SessionMemory | None = None

    def _opened(self) -> SessionMemory:
        if self._memory is None:
            self._memory = self._open()
        return self._memory

    def has_read(self, path: str) -> bool:
        """Say whether the session has seen what is in *path*."""
        return self._opened().has_read(path)

    def has_run(self, shapes: tuple[str, ...]) -> bool:
        """Say whether a command like one of *shapes* succeeded after the last change."""
        return self._opened().has_run(shapes)

    def is_download(self, path: str) -> bool:
        """Say whether the session downloaded *path*, and has not read it since."""
        return self._opened().is_download(path)

    def is_secret(self, path: str) -> bool:
        """Say whether the session made *path* from a file of secrets."""
        return self._opened().is_secret(path)

    def has_started(self, container: str) -> bool:
        """Say whether the session started *container*."""
        return self._opened().has_started(container)

    @property
    def has_downloads(self) -> bool:
        """Whether there is a download that nobody has read."""
        return self._opened().has_downloads


NOTHING = RecordedSession()
"""The memory of a session that has done nothing yet."""


def _like(command: str, shape: str) -> bool:
    if command == shape or command.startswith(f"{shape} "):
        return True
    from fnmatch import fnmatchcase

    return fnmatchcase(command, shape)
