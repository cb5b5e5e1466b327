"""Where a host keeps its settings, and how an entry of ours looks in them.

Data only: the hook path imports this, so it must cost nothing. ``install`` does the work.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field


class HooksFormat(StrEnum):
    """How a settings file holds hooks."""

    NESTED = "nested"
    """``hooks.<Event>[].hooks[]``, a group with a matcher around its handlers."""
    FLAT = "flat"
    """``hooks.<event>[]``, each entry a handler."""
    NAMED = "named"
    """``<our name>.<Event>[]``, the whole file keyed by hook names."""
    LIST = "list"
    """``hooks[]``, each entry names its event."""
    TABLES = "tables"
    """TOML: ``[[hooks]]``, each table names its event."""
    EVENTS = "events"
    """``<Event>[].hooks[]``, the whole file keyed by events."""
    FILE = "file"
    """A plugin of ours in a folder the host reads."""
    SCRIPTS = "scripts"
    """A folder of programs, each named after its event."""


class Wired(Struct, frozen=True):
    """One event we ask the host to call us for."""

    event: str
    matcher: str | None = None
    timeout: int = 60
    """Seconds; the host's own unit is the placement's business."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further keys of this entry, such as the failure stance."""


class Placement(Struct, frozen=True, kw_only=True):
    """A host's settings: where, in which shape, and what we write."""

    user: str
    """Relative to the home directory."""
    project: str | None
    """Relative to the project's root."""
    shape: HooksFormat
    wired: tuple[Wired, ...]
    home: str = ""
    """The variable that moves the first folders of ``user`` elsewhere, such as CLAUDE_CONFIG_DIR."""
    home_depth: int = 1
    """How many folders of ``user`` it stands for."""
    timeout_key: str | None = "timeout"
    timeout_factor: int = 1
    """1000 where the host counts in milliseconds."""
    command_key: str = "command"
    typed: bool = True
    """Entries carry ``"type": "command"``."""
    event_key: str = "event"
    """The key that names the event in shapes whose entries name it."""
    http: bool = False
    """Entries may be HTTP hooks that fail closed: ``{"type": "http", "onFailure": "block"}``."""
    not_http: tuple[str, ...] = ()
    """Events for which the host calls commands only."""
    root: Mapping[str, Any] = field(default_factory=dict)
    """Keys a new file must have, such as ``{"version": 1}``."""
    program: str = ""
    """The host's program, by which we see that it is installed."""
    signs: tuple[str, ...] = ()
    """Folders under the home directory that show it was used here."""
    plugin: str = ""
    """The file beside the hosts' modules that a plugin is made from."""
    silence_refuses: str = ""
    """For scripts: what one says before a tool runs when our program says nothing."""
