"""The dialects: what a hook's exit code and output mean, event by event.

event × exit code  ->  effect

Tables only. The interpreter, its tests and the reference page all read them from here.
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from snaphook.canon import BY_NAME
from snaphook.config import Dialect


class Stdout(StrEnum):
    """What becomes of plain text on stdout when a hook exits 0."""

    IGNORED = "ignored"
    CONTEXT = "context for the agent"
    INSTRUCTIONS = "added to the compaction's instructions"
    PATH = "the worktree's path"
    DOCUMENT = "ignored, but a JSON document's context is read"


class StderrEffect(StrEnum):
    """What becomes of stderr when a hook exits 2."""

    STOPS = "stops it"
    AGENT = "goes to the agent"
    USER = "goes to the user"


class Json(StrEnum):
    """How a JSON document on stdout and the exit code get along."""

    UNREAD = "not read"
    BESIDE = "read; exit 2 blocks anyway"
    INSTEAD = "read; a valid document beats the exit code"


class DialectRow(Struct, frozen=True):
    """One event in one dialect. Every other exit code sends stderr to the user, and we go on."""

    exit_2: StderrEffect = StderrEffect.USER
    stdout: Stdout = Stdout.IGNORED


class Rules(Struct, frozen=True, kw_only=True):
    """A dialect, whole."""

    rows: Mapping[str, DialectRow]
    rest: DialectRow = DialectRow()
    """For every event without a row."""
    json: Json
    json_if_asked: Json
    """For a hook that says ``jsonOutput: true``."""
    strict: bool = True
    """Documents must be spelled as the host's schema says; others are told, and not obeyed."""
    parallel: bool = False
    first_stop_silences: bool = False
    """The first exit 2 is the only result that has any effect; the other hooks still run."""
    timeout: float = 600.0
    timeouts: Mapping[str, float] = field(default_factory=dict)
    longest: float | None = None
    at_project: bool = True
    """Hooks start in the project's folder, not in the event's directory."""

    def row(self, event: str) -> DialectRow:
        """Return what holds for *event*."""
        return self.rows.get(event, self.rest)

    def timeout_of(self, event: str, wanted: float | None) -> float:
        """Return the seconds a hook of *event* may take."""
        seconds = wanted if wanted is not None else self.timeouts.get(event, self.timeout)
        return seconds if self.longest is None else min(seconds, self.longest)


_CONTEXT = DialectRow(StderrEffect.USER, Stdout.CONTEXT)
_PROMPT = DialectRow(StderrEffect.STOPS, Stdout.CONTEXT)
_STOPS = DialectRow(StderrEffect.STOPS)
_AGENT = DialectRow(StderrEffect.AGENT)

_CLAUDE_ROWS = {
    "PreToolUse": _STOPS,
    "PostToolUse": _STOPS,
    "PostToolUseFailure": _AGENT,
    "UserPromptSubmit": _PROMPT,
    "UserPromptExpansion": _CONTEXT,
    "Stop": _STOPS,
    "SubagentStop": _STOPS,
    "SessionStart": _CONTEXT,
    "PreCompact": DialectRow(StderrEffect.STOPS, Stdout.INSTRUCTIONS),
    "PostToolBatch": _AGENT,
    "TeammateIdle": _AGENT,
    "TaskCreated": _AGENT,
    "TaskCompleted": _AGENT,
    "WorktreeCreate": DialectRow(StderrEffect.USER, Stdout.PATH),
}

RULES: Mapping[Dialect, Rules] = {
    Dialect.WAVE: Rules(
        rows={
            "PreToolUse": _STOPS,
            "PostToolUse": _STOPS,
            "PostToolUseFailure": _AGENT,
            "UserPromptSubmit": _PROMPT,
            "Stop": _STOPS,
            "SubagentStop": _STOPS,
            "PermissionRequest": _STOPS,
            "SessionStart": DialectRow(StderrEffect.USER, Stdout.DOCUMENT),
            "PreCompact": DialectRow(StderrEffect.USER, Stdout.DOCUMENT),
            "WorktreeCreate": DialectRow(StderrEffect.USER, Stdout.PATH),
        },
        json=Json.UNREAD,
        json_if_asked=Json.INSTEAD,
        strict=False,
        first_stop_silences=True,
        longest=600.0,
    ),
    Dialect.CLAUDE: Rules(
        rows=_CLAUDE_ROWS,
        json=Json.BESIDE,
        json_if_asked=Json.BESIDE,
        parallel=True,
        timeouts={
            "UserPromptSubmit": 30.0,
            "PreModelSwitch": 30.0,
            "PostModelSwitch": 30.0,
            "SessionEnd": 1.5,
        },
        at_project=False,
    ),
    Dialect.SNAPHOOK: Rules(
        rows=_CLAUDE_ROWS
        | {
            name: DialectRow(StderrEffect.STOPS, _CLAUDE_ROWS.get(name, DialectRow()).stdout)
            for name, spec in BY_NAME.items()
            if spec.can_block
        },
        json=Json.BESIDE,
        json_if_asked=Json.BESIDE,
        strict=False,
        timeouts={"UserPromptSubmit": 30.0},
    ),
}
"""Exit 0 is a success, 2 is what the row says, anything else goes to the user and nothing stops."""

FALLBACK = "Hook execution failed"
"""What is told when a hook fails without a word on stderr."""

NEVER_CLOSED = frozenset({"Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"})
"""Events on which a broken hook must not hold the agent for ever, whatever its stance."""
