"""What a provider may answer, event by event.

Provider  ->  Output | None        None is "no opinion", never a value on the scale

A field left alone says nothing. Which verdicts an event takes is in ``table.EVENTS``; the engine
holds every answer against it.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from .verdict import Recipient, Verdict

Texts = str | tuple[str, ...] | None
"""One text, several in order, or none."""


class Message(Struct, frozen=True):
    """A text and who should hear it."""

    text: str
    to: Recipient = Recipient.USER


class Output(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    """What every answer may carry: messages, and the name of the provider that decided."""

    messages: tuple[Message, ...] = ()
    by: str = ""
    """Filled in by the engine."""


class SessionStartOutput(Output, frozen=True, kw_only=True, tag="SessionStart"):
    """Context for the model, environment for its shell, another model."""

    additional_context: Texts = None
    environment: dict[str, str] = field(default_factory=dict)
    modified_config: dict[str, Any] = field(default_factory=dict)
    """``{"model": …}``"""
    initial_user_message: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    """Named values for hosts that hand them on to whoever reads the hook's answer."""


class UserPromptOutput(Output, frozen=True, kw_only=True, tag="UserPromptSubmit"):
    """Whether a prompt is sent as it is, with context, rewritten, or blocked with a message to the user."""

    decision: Verdict | None = None
    reason: str | None = None
    additional_context: Texts = None
    modified_prompt: str | None = None
    captured_directives: tuple[str, ...] = ()


class PreToolUseOutput(Output, frozen=True, kw_only=True, tag="PreToolUse"):
    """A call allowed, asked about, denied, or changed."""

    decision: Verdict | None = None
    reason: str | None = None
    rule: str = ""
    """Which of the provider's rules decided, where it has rules."""
    would: Verdict | None = None
    """What it would have said, were it enforcing: kept in the record, told to nobody."""
    modified_args: dict[str, Any] | None = None
    """The whole new arguments, not a patch."""
    approved_args: dict[str, Any] | None = None
    """The arguments that were found to need no prompt; with any others the approval is void."""
    additional_context: Texts = None


class PermissionRequestOutput(Output, frozen=True, kw_only=True, tag="PermissionRequest"):
    """An answer in the person's place."""

    decision: Verdict | None = None
    reason: str | None = None
    modified_args: dict[str, Any] | None = None


class PostToolUseOutput(Output, frozen=True, kw_only=True, tag="PostToolUse"):
    """Feedback on a result, or another result in its place."""

    decision: Verdict | None = None
    reason: str | None = None
    rule: str = ""
    """Which of the provider's rules the feedback is about, where it has rules."""
    modified_result: Any | UnsetType = UNSET
    suppress_output: bool = False
    additional_context: Texts = None


class PostToolUseFailureOutput(Output, frozen=True, kw_only=True, tag="PostToolUseFailure"):
    """Advice after a failure."""

    rule: str = ""
    """Which of the provider's rules the advice is about, where it has rules."""
    additional_context: Texts = None


class StopOutput(Output, frozen=True, kw_only=True, tag="Stop"):
    """Done, or sent back with a reason."""

    decision: Verdict | None = None
    reason: str | None = None
    additional_context: Texts = None


class SubagentStartOutput(Output, frozen=True, kw_only=True, tag="SubagentStart"):
    """A child allowed or denied, on another model, with something to know."""

    decision: Verdict | None = None
    reason: str | None = None
    modified_model: str | None = None
    additional_context: Texts = None
    details: dict[str, Any] = field(default_factory=dict)
    """As for SessionStart."""


class SubagentStopOutput(Output, frozen=True, kw_only=True, tag="SubagentStop"):
    """A child's result taken, or sent back with a reason."""

    decision: Verdict | None = None
    reason: str | None = None


class PreCompactOutput(Output, frozen=True, kw_only=True, tag="PreCompact"):
    """What must survive the shortening."""

    decision: Verdict | None = None
    reason: str | None = None
    preserve_context: tuple[str, ...] = ()
    export_state: dict[str, Any] = field(default_factory=dict)
    additional_context: Texts = None


class ErrorRecoveryOutput(Output, frozen=True, kw_only=True, tag="ErrorOccurred"):
    """Try again, and how."""

    retry: bool | None = None
    """``None`` leaves it to others: a hook that only has a message must not forbid a recovery."""
    fallback_model: str | None = None
    modified_prompt: str | None = None
    backoff_ms: int | None = None


class NotificationOutput(Output, frozen=True, kw_only=True, tag="Notification"):
    """Nothing but messages."""


class SessionEndOutput(Output, frozen=True, kw_only=True, tag="SessionEnd"):
    """Nothing but messages."""


class HostEventOutput(Output, frozen=True, kw_only=True, tag="HostEvent"):
    """Nothing but messages, and where the host takes them, context and another model."""

    additional_context: Texts = None
    modified_config: dict[str, Any] = field(default_factory=dict)
    """``{"model": …}``"""


AnyOutput = (
    SessionStartOutput
    | UserPromptOutput
    | PreToolUseOutput
    | PermissionRequestOutput
    | PostToolUseOutput
    | PostToolUseFailureOutput
    | StopOutput
    | SubagentStartOutput
    | SubagentStopOutput
    | PreCompactOutput
    | ErrorRecoveryOutput
    | NotificationOutput
    | SessionEndOutput
    | HostEventOutput
)


def as_texts(texts: Texts) -> tuple[str, ...]:
    """Return *texts* as a tuple, whichever of its three forms it has."""
    if texts is None:
        return ()
    return (texts,) if isinstance(texts, str) else texts


def contexts(output: Output | None) -> tuple[str, ...]:
    """Return what *output* adds to the model's context, in order."""
    return as_texts(getattr(output, "additional_context", None))


def verdict(output: Output | None) -> Verdict | None:
    """Return what *output* decides, if it decides anything."""
    said: Verdict | None = getattr(output, "decision", None)
    return said


def reason(output: Output | None) -> str | None:
    """Return why *output* decided so, if it says."""
    why: str | None = getattr(output, "reason", None)
    return why
