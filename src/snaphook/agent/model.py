"""What the agent asks of a language model, and what it hears back.

ModelRequest  ->  TextDelta | ReasoningDelta | ToolCall …, then one Finish

Pure data and one Protocol. Whoever can answer a request is a model: a vendor's API, a scripted
one, yours.
"""

from collections.abc import AsyncIterator
from typing import Any, Protocol, TypeAlias

from msgspec import Struct, field

from snaphook.canon import ErrorType
from snaphook.canon import Usage as Usage  # it was here first
from snaphook.errors import MachineError


class TextPart(Struct, frozen=True, tag="text"):
    """Words."""

    text: str


class ReasoningPart(Struct, frozen=True, tag="reasoning"):
    """The model's own thinking, given back to it; a vendor's signature proves that it is."""

    text: str
    signature: str = ""
    source: str = ""
    """The vendor that signed it; another one must not be shown it."""
    mark: str = ""
    """What the vendor calls this thought, where it wants to be told."""


class ImagePart(Struct, frozen=True, tag="image"):
    """A picture, base64."""

    media_type: str
    data: str


class CallPart(Struct, frozen=True, tag="call"):
    """A tool call the model made."""

    id: str
    name: str
    parameters: dict[str, Any]


class ResultPart(Struct, frozen=True, tag="result"):
    """What came of the call with the same id."""

    id: str
    name: str
    text: str
    success: bool = True


Part: TypeAlias = TextPart | ReasoningPart | ImagePart | CallPart | ResultPart


class ApiMessage(Struct, frozen=True):
    """One message as a model reads it: ``user`` or ``assistant``."""

    role: str
    parts: tuple[Part, ...]


class ToolSpec(Struct, frozen=True, kw_only=True):
    """A tool as a model is told of it."""

    name: str
    description: str
    schema: dict[str, Any]


class ModelRequest(Struct, frozen=True, kw_only=True):
    """Everything a model needs for one answer."""

    model: str
    system: str = ""
    messages: tuple[ApiMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_tokens: int = 8192
    session_id: str = ""
    """The session whose conversation the answer goes on; empty where it is about one (a summary)."""


class TextDelta(Struct, frozen=True):
    """A piece of the answer."""

    text: str


class ReasoningDelta(Struct, frozen=True):
    """A piece of the thinking before the answer; one with a signature ends the thought."""

    text: str
    signature: str = ""
    source: str = ""
    mark: str = ""


class ToolCall(Struct, frozen=True, kw_only=True):
    """A whole tool call."""

    id: str
    name: str
    parameters: dict[str, Any] = field(default_factory=dict)
    unreadable: str = ""
    """The arguments as sent, where they are no JSON object."""


class Finish(Struct, frozen=True, kw_only=True):
    """The end of an answer."""

    usage: Usage
    model: str = ""
    """The model that really answered, where it says."""
    cut_short: bool = False
    """The answer hit the token limit."""


Chunk: TypeAlias = TextDelta | ReasoningDelta | ToolCall | Finish


class Model(Protocol):
    """Whoever can answer a request.

    Raises :class:`ModelError` for every failure; cancelling the iteration ends the request.
    """

    def stream(self, request: ModelRequest) -> AsyncIterator[Chunk]:
        """Yield the answer piece by piece, and a ``Finish`` at the end."""
        ...


class ModelError(MachineError):
    """A model did not answer, told with what a recovery needs to know."""

    def __init__(
        self,
        *,
        where: str,
        what: str,
        fix: str,
        error_class: str = "unknown",
        error_type: ErrorType = ErrorType.UNKNOWN,
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(where=where, what=what, fix=fix)
        self.error_class = error_class
        self.error_type = error_type
        self.retry_after_ms = retry_after_ms
