"""What happens to an agent, host by host the same.

host wire  ->  Event

An event that exists is a legal one: hosts decode into these types and nowhere else. Fields the host
sent beyond ours travel in ``extra``, so nothing is lost on the way to the log.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from .context import HookContext


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag=True):
    """Something happened, in some context."""

    context: HookContext
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def event_name(self) -> str:
        """Return the canonical name, as settings files spell it."""
        return type(self).__name__


class SessionSource(StrEnum):
    """How a session came to be."""

    STARTUP = "startup"
    RESUME = "resume"
    CLEAR = "clear"
    COMPACT = "compact"
    FORK = "fork"


class ErrorType(StrEnum):
    """What kind of thing failed; recovery depends on it."""

    MODEL = "model"
    TOOL = "tool"
    NETWORK = "network"
    PERMISSION = "permission"
    CONTEXT_OVERFLOW = "context_overflow"
    UNKNOWN = "unknown"


class SubagentStatus(StrEnum):
    """How a subagent ended."""

    COMPLETED = "completed"
    ERROR = "error"
    TIMEOUT = "timeout"


class SessionStart(Event, frozen=True, kw_only=True):
    """A session begins, or begins again."""

    source: SessionSource = SessionSource.STARTUP
    model: str = ""
    charter_content: str | None = None
    """The agent's role description, where it has one."""


class UserPromptSubmit(Event, frozen=True, kw_only=True):
    """A person (or a schedule) sent a prompt; the model has not seen it yet."""

    prompt: str


class ToolEvent(Event, frozen=True, kw_only=True):
    """What the four tool events share. Tool and argument names are canonical (``Bash.command``)."""

    tool_name: str
    tool_args: dict[str, Any]
    tool_use_id: str | None = None


class PreToolUse(ToolEvent, frozen=True, kw_only=True):
    """A tool is about to run."""


class PermissionRequest(ToolEvent, frozen=True, kw_only=True):
    """The host is about to ask a person whether a tool may run."""

    suggestions: list[Any] = field(default_factory=list)


class PostToolUse(ToolEvent, frozen=True, kw_only=True):
    """A tool ran and succeeded."""

    tool_result: Any = None
    duration_ms: float | None = None


class PostToolUseFailure(ToolEvent, frozen=True, kw_only=True):
    """A tool ran and failed."""

    error: str
    is_interrupt: bool = False
    duration_ms: float | None = None


class Stop(Event, frozen=True, kw_only=True):
    """The agent has nothing more to do and would hand back to the person."""

    stop_hook_active: bool = False
    """This stop follows one that a hook sent back."""
    last_assistant_message: str | None = None
    background_tasks: list[dict[str, Any]] = field(default_factory=list)
    session_crons: list[dict[str, Any]] = field(default_factory=list)
    duration_seconds: float | None = None
    """How long the session has lasted, where the host tells."""


class SubagentStart(Event, frozen=True, kw_only=True):
    """An agent is about to start another."""

    agent_name: str
    agent_id: str | None = None
    model: str = ""
    task_type: str = ""
    charter_path: str = ""
    task: str | None = None
    """What the child was told to do, where the host tells."""


class SubagentStop(Event, frozen=True, kw_only=True):
    """A subagent finished; its parent has not taken the result yet."""

    agent_name: str
    agent_id: str | None = None
    model: str = ""
    duration_ms: float | None = None
    tokens_used: int = 0
    tool_call_count: int = 0
    status: SubagentStatus = SubagentStatus.COMPLETED
    files_modified: list[str] = field(default_factory=list)
    stop_hook_active: bool = False
    last_assistant_message: str | None = None
    """The result as the parent would read it."""
    transcript_path: str | None = None


class PreCompact(Event, frozen=True, kw_only=True):
    """The conversation is about to be shortened."""

    trigger: str = "auto"
    current_token_count: int = 0
    max_tokens: int = 0
    compaction_strategy: str = ""
    custom_instructions: str | None = None


class ErrorOccurred(Event, frozen=True, kw_only=True):
    """Something failed that a provider may know how to recover from."""

    error: str
    error_type: ErrorType = ErrorType.UNKNOWN
    error_class: str | None = None
    """Finer than the type, where known: rate_limit, overloaded, auth, …"""
    current_model: str | None = None
    attempt: int = 1
    retry_after_ms: int | None = None


class Notification(Event, frozen=True, kw_only=True):
    """The host tells the person something."""

    message: str
    notification_type: str = ""
    title: str | None = None


class SessionEnd(Event, frozen=True, kw_only=True):
    """The session is over."""

    reason: str = "other"
    tokens_used: int = 0
    tool_call_count: int = 0
    files_modified: list[str] = field(default_factory=list)
    duration_ms: float = 0.0


class HostEvent(Event, frozen=True, kw_only=True):
    """An event only some hosts have, carried whole under the host's own name."""

    kind: str
    payload: dict[str, Any] = field(default_factory=dict)

    @property
    def event_name(self) -> str:
        """Return the host's own name for it."""
        return self.kind


AnyEvent = (
    SessionStart
    | UserPromptSubmit
    | PreToolUse
    | PermissionRequest
    | PostToolUse
    | PostToolUseFailure
    | Stop
    | SubagentStart
    | SubagentStop
    | PreCompact
    | ErrorOccurred
    | Notification
    | SessionEnd
    | HostEvent
)


HOST_EVENTS: Mapping[str, str] = {
    "ConfigChange": "A settings file changed during the session.",
    "CwdChanged": "The agent's working directory changed.",
    "DirectoryAdded": "A directory was added to the workspace.",
    "Elicitation": "An MCP server asks the person for input.",
    "ElicitationResult": "The person answered an MCP server's question.",
    "FileChanged": "A watched file changed.",
    "InstructionsLoaded": "An instruction file was loaded into context.",
    "Interrupt": "The person interrupted the agent.",
    "MessageDisplay": "Text is about to be shown.",
    "PermissionDenied": "A permission question was answered with no.",
    "PostCompact": "The conversation has been shortened.",
    "PostModelRequest": "A model has answered, and tells what that used.",
    "PostModelSwitch": "The session's model changed.",
    "PostToolBatch": "All tool calls of one model turn have finished.",
    "PreModelSwitch": "The session's model is about to change.",
    "Setup": "The host prepares or maintains a workspace.",
    "StopFailure": "A turn ended with an error.",
    "TaskCompleted": "A task of a team is about to be marked as done.",
    "TaskCreated": "A task of a team was created.",
    "TeammateIdle": "A member of a team has nothing to do.",
    "UserPromptExpansion": "A slash command or MCP prompt was expanded.",
    "WorktreeCreate": "A worktree is about to be created.",
    "WorktreeRemove": "A worktree is about to be removed.",
}
"""The host events known by name. Others are carried too; these are not mistaken for typos."""
