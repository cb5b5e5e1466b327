"""Tell the agent, after a confined call, what was refused and what is allowed.

PostToolUse  ->  context for the agent, a rule for the record, a numbered call for 'snaphook allow'

What was refused is known from two sides: the helper's report, and what the command printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from snaphook.canon import (
    HookContext,
    HooksProvider,
    PostToolUse,
    PostToolUseFailure,
    PostToolUseFailureOutput,
    PostToolUseOutput,
    SessionStart,
    SessionStartOutput,
    ToolEvent,
)
from snaphook.canon import Message as Notice
from snaphook.lazy import logger
from snaphook.providers.guard.sandboxing.needs import Sandbox
from snaphook.providers.guard.snapshot_finalizer import call_name
from snaphook.sandbox.calls import ConfinedCall
from snaphook.shell.world import World

if TYPE_CHECKING:
    from snaphook.providers.guard.overrides import Overrides
    from snaphook.sandbox.policy import Policy
    from snaphook.sandbox.refusals import Refusal

_log = logger("snaphook.sandbox")
_MARK = "snaphook-sandbox @"
Seen = Callable[[ToolEvent, HookContext], World]


class Feedback(Struct, frozen=True, kw_only=True):
    """What is said of one call."""

    text: str
    rule: str


class SandboxFeedback(HooksProvider):
    """Reports on confined calls that have run."""

    name = "sandbox"
    suspends = False

    def __init__(
        self, sandbox: Sandbox, *, world: Seen, kept: Path, overrides: Overrides | None = None
    ) -> None:
        self._sandbox = sandbox
        self._world = world
        self._kept = kept
        self._overrides = overrides

    async def on_session_start(
        self, _event: SessionStart, _context: HookContext
    ) -> SessionStartOutput | None:
        """Tell the person where commands cannot be confined as the settings say."""
        able = self._sandbox.make().able()
        if able.confines:
            return None
        return SessionStartOutput(messages=(Notice(f"sandbox: {able.gaps[0]}"),))

    async def on_post_tool_use(
        self, event: PostToolUse, context: HookContext
    ) -> PostToolUseOutput | None:
        """Tell what was refused, if anything was."""
        said = self._feedback(event, context, event.tool_result)
        return PostToolUseOutput(additional_context=said.text, rule=said.rule) if said else None

    async def on_post_tool_use_failure(
        self, event: PostToolUseFailure, context: HookContext
    ) -> PostToolUseFailureOutput | None:
        """Tell the same of a call that failed."""
        said = self._feedback(event, context, event.error)
        if said is None:
            return None
        return PostToolUseFailureOutput(additional_context=said.text, rule=said.rule)

    def _feedback(self, event: ToolEvent, context: HookContext, result: Any) -> Feedback | None:
        command = str(event.tool_args.get("command", event.tool_args.get("cmd", "")))
        before = self._sandbox.calls.take(call_name(event, context))
        if before is None and _MARK not in command:
            return None
        world = self._world(event, context)
        policy, _ = self._sandbox.make().policy(world)
        call = before or ConfinedCall(command=command, absent=policy.absent)
        found = tuple(self._refused(event, context, _text(result), policy, world))
        notes = tuple(self._appeared(call.absent))
        if not found and not notes:
            return None
        from snaphook.providers.guard.sandboxing.told import told

        allow = self._allow(call.command, event, context, found)
        text = told(found, policy, notes=notes, allow=allow)
        _log.info("sandbox: %s", text)
        return Feedback(text=text, rule=found[0].rule if found else "sandbox.protected")

    def _refused(
        self, event: ToolEvent, context: HookContext, output: str, policy: Policy, world: World
    ) -> Iterator[Refusal]:
        """Yield what was refused, none twice: what was reported, then what only the output says."""
        from snaphook.sandbox.refusals import refusals

        reported = self._sandbox.make().reports(event, context)
        yield from reported
        paths = {one.path for one in reported}
        for one in refusals(output, policy, cwd=world.cwd, home=world.home):
            if one.path not in paths:
                yield one

    def _appeared(self, absent: tuple[str, ...]) -> Iterator[str]:
        from snaphook.sandbox.appeared import appeared, move_appeared

        if self._sandbox.make().able().watcher:
            for name in appeared(absent):
                yield f"{name} (protected: it appeared during the call; who made it is not known)"
        else:
            for name, now in move_appeared(absent, self._kept):
                yield f"{name} (protected: moved to {now}; a person who made it can move it back)"

    def _allow(
        self, command: str, event: ToolEvent, context: HookContext, found: tuple[Refusal, ...]
    ) -> str:
        """Return how a person can let this very command run unconfined; nothing where nobody can."""
        if self._overrides is None or not found:
            return ""
        from snaphook.providers.guard.sandboxing.lift import confined_call

        reason = f"The sandbox refused: {found[0]}."
        return self._overrides.report(confined_call(command, reason, event, context))


def _text(result: Any) -> str:
    """Return everything a tool printed, whatever shape its host gives it."""
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        return "\n".join(_text(one) for one in result.values())
    if isinstance(result, (list, tuple)):
        return "\n".join(_text(one) for one in result)
    return ""
