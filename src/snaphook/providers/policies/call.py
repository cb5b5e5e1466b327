"""What a policy looks at and what it may say.

PreToolUseContext  ->  PreToolUseResult        PostToolUseContext  ->  PostToolUseResult

The names are those of the system the pipeline comes from, in Python's spelling.
"""

from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

from msgspec import Struct


class HookAction(StrEnum):
    """What a hook does about a call."""

    ALLOW = "allow"
    BLOCK = "block"
    MODIFY = "modify"


class PreToolUseContext(Struct, frozen=True, kw_only=True):
    """A call that is about to run."""

    tool_name: str
    arguments: dict[str, Any]
    agent_name: str = "main"
    session_id: str = ""
    cwd: str = ""
    """Where relative paths start; the project's root where empty."""
    team_root: str = ""
    """The project's root; the process's own directory where empty."""
    call_id: str | None = None
    """One call asked about twice carries the same id twice."""


class PreToolUseResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a hook, or the whole pipeline, says about a call."""

    action: HookAction
    modified_arguments: dict[str, Any] | None = None
    """The whole new arguments, with ``MODIFY``."""
    reason: str | None = None


class PostToolUseContext(Struct, frozen=True, kw_only=True):
    """A call that ran, and its result."""

    tool_name: str
    arguments: dict[str, Any]
    result: Any
    agent_name: str = "main"
    session_id: str = ""


class PostToolUseResult(Struct, frozen=True, kw_only=True):
    """The result as the agent should see it."""

    result: Any


PreAnswer: TypeAlias = PreToolUseResult | Mapping[str, Any] | None
PostAnswer: TypeAlias = PostToolUseResult | Mapping[str, Any] | None
PreToolUseHook: TypeAlias = Callable[[PreToolUseContext], PreAnswer | Awaitable[PreAnswer]]
PostToolUseHook: TypeAlias = Callable[[PostToolUseContext], PostAnswer | Awaitable[PostAnswer]]
"""A hook answers with a result, with the same as a plain dict, or with nothing; a coroutine may."""

ALLOWED = PreToolUseResult(action=HookAction.ALLOW)


def blocked(reason: str) -> PreToolUseResult:
    """Return the answer that stops a call."""
    return PreToolUseResult(action=HookAction.BLOCK, reason=reason)


class Policy(Protocol):
    """A built-in rule: it looks at a call and finds nothing wrong, or says what."""

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why *call* must not run, or ``None``."""


class Scrub(Protocol):
    """A rule about results: it returns what the agent may see."""

    def scrub(self, result: Any) -> Any:
        """Return *result* without what must not be seen; the same object where all is well."""
