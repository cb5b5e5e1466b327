"""Tell the agent, after a confined call, what was refused and what is allowed.

PostToolUse  ->  context for the agent, a rule for the record

Protected names that the command created are taken away here as well.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

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
from snaphook.shell.world import World

_log = logger("snaphook.sandbox")
_MARK = "snaphook-sandbox @"
Seen = Callable[[ToolEvent, HookContext], World]


class SandboxFeedback(HooksProvider):
    """Hears that a confined call has run."""

    name = "sandbox"
    suspends = False

    def __init__(self, sandbox: Sandbox, *, world: Seen, kept: Path) -> None:
        self._sandbox = sandbox
        self._world = world
        self._kept = kept

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
        told = self._told(event, context, event.tool_result)
        return PostToolUseOutput(additional_context=told) if told else None

    async def on_post_tool_use_failure(
        self, event: PostToolUseFailure, context: HookContext
    ) -> PostToolUseFailureOutput | None:
        """Tell the same of a call that failed."""
        told = self._told(event, context, event.error)
        return PostToolUseFailureOutput(additional_context=told) if told else None

    def _told(self, event: ToolEvent, context: HookContext, result: Any) -> str:
        command = event.tool_args.get("command", event.tool_args.get("cmd", ""))
        before = self._sandbox.calls.take(call_name(event, context))
        if before is None and _MARK not in str(command):
            return ""
        from snaphook.providers.guard.sandboxing.told import told

        world = self._world(event, context)
        policy, _ = self._sandbox.make().policy(world)
        absent = policy.absent if before is None else before
        text = told(_text(result), policy, absent, self._kept, cwd=world.cwd, home=world.home)
        if text:
            _log.info("sandbox: %s", text)
        return text


def _text(result: Any) -> str:
    """Return everything a tool printed, whatever shape its host gives it."""
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        return "\n".join(_text(one) for one in result.values())
    if isinstance(result, (list, tuple)):
        return "\n".join(_text(one) for one in result)
    return ""
