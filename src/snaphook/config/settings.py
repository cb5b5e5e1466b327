"""What the files on disk come down to: frozen settings that remember where each value came from.

settings files  ->  Settings

Pure data. Finding, reading, merging and checking are the verbs beside it.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from snaphook.canon import Stance


class Dialect(StrEnum):
    """Whose rules a settings file and its hooks follow."""

    SNAPHOOK = "snaphook"
    CLAUDE = "claude"
    WAVE = "wave"


class Layer(StrEnum):
    """Where a setting comes from, lowest first."""

    BUILTIN = "built-in"
    MANAGED = "managed"
    USER = "user"
    PROJECT = "project"
    LOCAL = "local"
    CODE = "code"


class Origin(Struct, frozen=True, kw_only=True):
    """The place a value was written down."""

    layer: Layer
    file: str = ""
    pointer: tuple[str | int, ...] = ()
    line: int = 0
    trusted: bool = True
    """False for a project's own file until a person has approved it."""

    def __str__(self) -> str:
        """Return ``file:line`` as editors take it, or the layer where there is no file."""
        if not self.file:
            return str(self.layer)
        return f"{self.file}:{self.line}" if self.line else self.file


class CommandHook(Struct, frozen=True, kw_only=True):
    """One command that runs when its event happens and its matcher agrees."""

    event: str
    command: str
    dialect: Dialect
    origin: Origin
    name: str = ""
    matcher: str | None = None
    condition: str | None = None
    """The claude dialect's ``if``: a filter on the arguments, such as ``Bash(git *)``."""
    args: tuple[str, ...] | None = None
    """The exec form: no shell, these arguments."""
    timeout: float | None = None
    """Seconds; the dialect's default where there is none."""
    background: bool = False
    """Started and not waited for (``async`` in the files)."""
    stance: Stance = Stance.OPEN
    """What a failure (not exit 2) means: ``onFailure: block`` is CLOSED."""
    json_output: bool | None = None
    """Read JSON on stdout; ``None`` leaves it to the dialect."""
    parallel: bool | None = None
    """May run beside its neighbours; ``None`` leaves it to the settings and the dialect."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables that the settings add to the hook's environment."""
    root: str = ""
    """The project whose file names it: it runs there, whatever folder the event happens in."""


class ForeignHook(Struct, frozen=True, kw_only=True):
    """A hook that its host runs and we do not: ``http``, ``prompt``, ``agent``, ``mcp_tool``."""

    event: str
    kind: str
    dialect: Dialect
    origin: Origin
    matcher: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


class ProviderEntry(Struct, frozen=True, kw_only=True):
    """A provider named in the settings: built in, an installed plugin, or ``module:attribute``."""

    name: str
    use: str
    origin: Origin
    options: Mapping[str, Any] = field(default_factory=dict)
    stance: Stance | None = None
    timeout: float | None = None
    enabled: bool = True


class Section(Struct, frozen=True, kw_only=True):
    """A table of the native file that another package understands (``[guard]``, ``[agent]`` …)."""

    values: Mapping[str, Any]
    origins: Mapping[str, Origin]
    """By top-level key."""


class Settings(Struct, frozen=True, kw_only=True):
    """Everything the files say, merged."""

    hooks: tuple[CommandHook, ...] = ()
    """In the order in which they are asked."""
    providers: tuple[ProviderEntry, ...] = ()
    strategy: str = "strictest"
    parallel: bool = False
    """Run the snaphook dialect's hooks of one event side by side."""
    stop_block_cap: int = 5
    sections: Mapping[str, Section] = field(default_factory=dict)
    foreign: tuple[ForeignHook, ...] = ()
    withheld: tuple[CommandHook | ProviderEntry, ...] = ()
    """What a project asks for and nobody approved yet: shown to people, never run."""
    refused: tuple[Origin, ...] = ()
    """Settings that would have loosened what a lower layer says, and were not allowed to."""
    root: str = ""
    """The project's folder."""
    files: tuple[str, ...] = ()
    """Every file that was looked for and found, lowest layer first."""
    lapsed: tuple[str, ...] = ()
    """Files whose approval is void, each with what changed."""
    scripts: tuple[str, ...] = ()
    """The project's own scripts that its settings name; an approval covers them too."""
