"""What came of an event: each provider's answer, and the one the host hears."""

from msgspec import Struct

from snaphook.canon import Event, Output
from snaphook.canon.hook_runs import RecordedRun
from snaphook.errors import ProviderError


class ProviderAnswer(Struct, frozen=True, kw_only=True):
    """What one provider said about one event, and how long it thought."""

    by: str
    output: Output | None = None
    error: ProviderError | None = None
    duration_ms: float = 0.0
    again: bool = False
    """Asked a second time, because a later provider changed the call."""


class Outcome(Struct, frozen=True, kw_only=True):
    """One event, everybody's answer, and what they come to."""

    event: Event
    output: Output | None
    answers: tuple[ProviderAnswer, ...]
    duration_ms: float
    hooks: tuple[RecordedRun, ...] = ()
    """The command hooks that ran for it."""
