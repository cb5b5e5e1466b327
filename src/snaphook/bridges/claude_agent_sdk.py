"""Hooks inside claude-agent-sdk.

hook callback  ->  Event  ->  Engine  ->  the callback's answer

The SDK drives Claude Code, whose words our host module speaks already; a callback's answer is the same
JSON. Two events it never calls back about are told here: a session starts with its first prompt, and
ends when the block around it does.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace as changed
from time import time
from typing import Any

import msgspec
from msgspec.structs import replace

from snaphook.canon import Event, SessionEnd, SessionStart, UserPromptSubmit, contexts
from snaphook.errors import MissingExtra, WireError
from snaphook.hosts import HostCall, Reply, claude_code

from .session import Hooks, decider
from .table import CLAUDE_AGENT_SDK as SDK

try:
    from claude_agent_sdk import ClaudeAgentOptions, HookMatcher
except ModuleNotFoundError as missing:
    raise MissingExtra.named(SDK.extra, wanted_by=__name__) from missing

CLOSES = ("UserPromptSubmit", "PreToolUse", "PermissionRequest")
"""Where an answer that never comes means no; the SDK itself would go on."""
WAITS = {wired.event: float(wired.timeout) for wired in claude_code.PLACEMENT.wired}
CALLED_BACK = tuple(kind.__name__ for kind in SDK.can if kind not in (SessionStart, SessionEnd))


@asynccontextmanager
async def hooked(options: ClaudeAgentOptions, hooks: Hooks) -> AsyncIterator[ClaudeAgentOptions]:
    """Yield *options* with *hooks* asked after the hooks they have already.

    Every session that began inside the block has ended when it is left. An "ask" is put to
    ``can_use_tool`` where the options have one, and is a no where they do not.
    """
    listener = SdkListener(hooks)
    try:
        yield changed(options, hooks=_joined(options.hooks or {}, listener.matchers()))
    finally:
        await listener.end()


class SdkListener:
    """Answers the SDK's callbacks for every session they tell of."""

    def __init__(self, hooks: Hooks) -> None:
        self._engine = decider(hooks)
        self._sessions: dict[str, Event] = {}

    def matchers(self) -> dict[Any, list[HookMatcher]]:
        """Return what ``ClaudeAgentOptions(hooks=…)`` takes."""
        return {
            name: [
                HookMatcher(
                    hooks=[self.answer],
                    timeout=WAITS.get(name),
                    on_failure="block" if name in CLOSES else None,
                )
            ]
            for name in CALLED_BACK
        }

    async def answer(self, told: Any, _tool_use_id: str | None, _context: Any) -> Any:
        """Return what the SDK should hear about what it *told*."""
        event = _event(told)
        begun = await self._begin(event) if isinstance(event, UserPromptSubmit) else ()
        output = await self._engine.dispatch(event)
        body = _body(claude_code.encode(event, output)) if output else {}
        return _with_context(body, event, begun) if begun and "decision" not in body else body

    async def end(self) -> None:
        """Tell the end of every session that began."""
        while self._sessions:
            _, first = self._sessions.popitem()
            context = replace(first.context, timestamp=time())
            await self._engine.dispatch(SessionEnd(context=context))

    async def _begin(self, event: Event) -> tuple[str, ...]:
        """Return what hooks tell the model at a session's start; nothing the second time."""
        if event.context.session_id in self._sessions:
            return ()
        self._sessions[event.context.session_id] = event
        return contexts(await self._engine.dispatch(SessionStart(context=event.context)))


def _event(told: Any) -> Event:
    call = HostCall(event=str(told.get("hook_event_name", "")), cwd=os.getcwd(), now=time())  # noqa: PTH109
    event = claude_code.decode(msgspec.json.encode(told), call)
    if event.event_name not in CALLED_BACK:
        raise WireError(where=SDK.name, what=f"told of {event.event_name}", fix="Update snaphook.")
    return replace(event, context=replace(event.context, host=SDK.name))


def _body(reply: Reply) -> dict[str, Any]:
    """Return *reply* as a callback gives it, who has neither an exit code nor a stderr."""
    if reply.exit_code:
        return {"decision": "block", "reason": reply.stderr.decode().strip()}
    if reply.stdout.startswith(b"{"):
        body: dict[str, Any] = msgspec.json.decode(reply.stdout)
        return body
    return {"systemMessage": note} if (note := reply.stderr.decode().strip()) else {}


def _with_context(body: dict[str, Any], event: Event, begun: tuple[str, ...]) -> dict[str, Any]:
    inner = body.get("hookSpecificOutput", {"hookEventName": event.event_name})
    told = [*begun, *filter(None, [inner.get("additionalContext")])]
    return body | {"hookSpecificOutput": inner | {"additionalContext": "\n\n".join(told)}}


def _joined(theirs: Any, ours: dict[Any, list[HookMatcher]]) -> Any:
    return {name: [*theirs.get(name, ()), *ours.get(name, ())] for name in {**theirs, **ours}}
