"""A tool call on its way through the hooks.

SdkToolCall  ->  ToolQuestion  ->  ToolRuling  ->  a result, or a ToolFailure

Pure: no SDK, no engine.
"""

from typing import Any, Protocol

from msgspec import Struct, field

from snaphook.canon import Verdict


class SdkToolCall(Struct, frozen=True, kw_only=True):
    """A call as its SDK spells it."""

    name: str
    args: dict[str, Any]
    id: str | None = None
    annotations: dict[str, Any] = field(default_factory=dict)
    """What its server says the tool does, as MCP spells it: ``readOnlyHint``, ``destructiveHint`` …"""


class ToolQuestion(Struct, frozen=True, kw_only=True):
    """What a person is asked: whether this may run."""

    tool_name: str
    tool_args: dict[str, Any]
    why: str


class AskUser(Protocol):
    """Whoever asks the person: true is a yes, anything else a no."""

    async def __call__(self, question: ToolQuestion) -> bool:
        """Return the person's answer."""
        ...


class ToolFailure(Struct, frozen=True, kw_only=True):
    """What a call came to that failed without raising."""

    error: str


class ToolRuling(Struct, frozen=True, kw_only=True):
    """What becomes of a call: it runs with *args*, it waits for a person, or it does not run."""

    verdict: Verdict
    args: dict[str, Any]
    reason: str = ""

    @property
    def refused(self) -> bool:
        """Say whether it does not run."""
        return self.verdict is Verdict.DENY


def no(call: SdkToolCall, who: str, why: str) -> ToolRuling:
    """Return that *call* does not run, for *who* did not say yes to it."""
    reason = f"{call.name} did not run: {who}. {why}".strip()
    return ToolRuling(verdict=Verdict.DENY, args=call.args, reason=reason)
