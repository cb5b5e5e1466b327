"""The nouns of a transcript: who said, called, got back and used what, and when."""

from typing import Any

from msgspec import Struct, field

from snaphook.canon import Usage


class TranscriptEntry(Struct, frozen=True, kw_only=True):
    """What every entry tells, as far as the agent wrote it down."""

    host: str
    session: str = ""
    time: float = 0.0
    """Seconds since the epoch, UTC; 0 where the agent did not say."""
    cwd: str = ""
    subagent: bool = False


class UserPrompt(TranscriptEntry, frozen=True, kw_only=True):
    """Something that stands where a person's words stand."""

    text: str
    by_person: bool = True
    """False where the agent itself put it there: a summary, a reminder, a subagent's task."""


class AssistantText(TranscriptEntry, frozen=True, kw_only=True):
    """The model said something."""

    text: str


class ToolCalled(TranscriptEntry, frozen=True, kw_only=True):
    """The model called a tool, named as the host's hooks name it."""

    id: str
    tool: str
    args: dict[str, Any] = field(default_factory=dict)


class ToolReturned(TranscriptEntry, frozen=True, kw_only=True):
    """A tool came back."""

    id: str
    text: str = ""
    failed: bool = False


class UsageReported(TranscriptEntry, frozen=True, kw_only=True):
    """One answer of the model was paid for."""

    id: str
    """The same, within a transcript, for every line about the same answer: the last one holds."""
    model: str
    usage: Usage
