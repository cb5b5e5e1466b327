"""The places where hooks fire: each event of the agent, as one call.

what happened  ->  Event  ->  engine  ->  Output

The agent knows no provider, only these. What an answer says to the person or to the model is passed
on here, the same way for every event.
"""

import logging
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from snaphook import canon as c

from .blocks import ToolBlock
from .conversation import Conversation

log = logging.getLogger("snaphook.agent")

AnOutput = TypeVar("AnOutput", bound=c.Output)


class Dispatcher(Protocol):
    """What the agent needs of an engine."""

    async def dispatch(self, event: c.Event) -> c.Output | None:
        """Return what the agent should hear about *event*."""
        ...


class HookPoints:
    """Fires events in one session's name."""

    def __init__(
        self,
        engine: Dispatcher,
        context: Callable[[], c.HookContext],
        conversation: Conversation,
    ) -> None:
        self._engine = engine
        self._context = context
        self._conversation = conversation

    async def session_start(
        self, source: c.SessionSource, model: str, charter: str | None
    ) -> c.SessionStartOutput | None:
        """Fire SessionStart."""
        return await self._fire(
            c.SessionStart,
            c.SessionStartOutput,
            source=source,
            model=model,
            charter_content=charter,
        )

    async def user_prompt_submit(self, prompt: str) -> c.UserPromptOutput | None:
        """Fire UserPromptSubmit; the caller passes on what is said once the prompt's fate is clear."""
        return await self._fire(
            c.UserPromptSubmit, c.UserPromptOutput, contexts=False, messages=False, prompt=prompt
        )

    async def pre_tool_use(self, call: ToolBlock) -> c.PreToolUseOutput | None:
        """Fire PreToolUse."""
        return await self._fire(c.PreToolUse, c.PreToolUseOutput, **_about(call))

    async def permission_request(self, call: ToolBlock) -> c.PermissionRequestOutput | None:
        """Fire PermissionRequest."""
        return await self._fire(c.PermissionRequest, c.PermissionRequestOutput, **_about(call))

    async def post_tool_use(
        self, call: ToolBlock, *, duration_ms: float
    ) -> c.PostToolUseOutput | None:
        """Fire PostToolUse."""
        return await self._fire(
            c.PostToolUse,
            c.PostToolUseOutput,
            **_about(call),
            tool_result=call.result,
            duration_ms=duration_ms,
        )

    async def post_tool_use_failure(
        self, call: ToolBlock, *, is_interrupt: bool = False, duration_ms: float | None = None
    ) -> None:
        """Fire PostToolUseFailure; its advice goes to the model."""
        await self._fire(
            c.PostToolUseFailure,
            c.PostToolUseFailureOutput,
            **_about(call),
            error=call.result,
            is_interrupt=is_interrupt,
            duration_ms=duration_ms,
        )

    async def stop(self, **about: Any) -> c.StopOutput | None:
        """Fire Stop."""
        return await self._fire(c.Stop, c.StopOutput, **about)

    async def subagent_start(self, **about: Any) -> c.SubagentStartOutput | None:
        """Fire SubagentStart; its context is for the child."""
        return await self._fire(c.SubagentStart, c.SubagentStartOutput, contexts=False, **about)

    async def subagent_stop(self, **about: Any) -> c.SubagentStopOutput | None:
        """Fire SubagentStop."""
        return await self._fire(c.SubagentStop, c.SubagentStopOutput, **about)

    async def pre_compact(self, **about: Any) -> c.PreCompactOutput | None:
        """Fire PreCompact; its context is for whoever writes the summary."""
        return await self._fire(c.PreCompact, c.PreCompactOutput, contexts=False, **about)

    async def error_occurred(self, **about: Any) -> c.ErrorRecoveryOutput | None:
        """Fire ErrorOccurred."""
        return await self._fire(c.ErrorOccurred, c.ErrorRecoveryOutput, **about)

    async def notification(self, message: str, kind: str) -> None:
        """Fire Notification."""
        await self._fire(
            c.Notification, c.NotificationOutput, message=message, notification_type=kind
        )

    async def session_end(self, **about: Any) -> None:
        """Fire SessionEnd."""
        await self._fire(c.SessionEnd, c.SessionEndOutput, **about)

    async def post_model_request(
        self, model: str, usage: c.Usage, micro_dollars: int
    ) -> c.HostEventOutput | None:
        """Fire PostModelRequest, in the words of the hosts that have it."""
        told = {
            "input_tokens": usage.input_tokens,
            "cached_input_tokens": usage.cache_read_tokens,
            "cache_write_input_tokens": usage.cache_write_tokens,
            "output_tokens": usage.output_tokens,
        }
        payload = {"model": model, "token_usage": told, "micro_dollars": micro_dollars}
        return await self._fire(
            c.HostEvent, c.HostEventOutput, kind="PostModelRequest", payload=payload
        )

    async def host_event(self, kind: str, **payload: Any) -> None:
        """Fire an event that has no method of its own."""
        await self._fire(c.HostEvent, c.HostEventOutput, kind=kind, payload=payload)

    async def _fire(
        self,
        event: type[c.Event],
        answer: type[AnOutput],
        *,
        contexts: bool = True,
        messages: bool = True,
        **fields: Any,
    ) -> AnOutput | None:
        happened = event(context=self._context(), **fields)
        try:
            output = await self._engine.dispatch(happened)
        except Exception as error:
            log.exception("engine: failed on %s", happened.event_name)
            output = _closed(happened, error)
        if output is None:
            return None
        self.pass_on(output, contexts=contexts, messages=messages)
        return output if isinstance(output, answer) else None

    def pass_on(self, output: c.Output, *, contexts: bool = True, messages: bool = True) -> None:
        """Give *output*'s contexts to the model, and each message to whom it is for."""
        for text in c.contexts(output) if contexts else ():
            self._conversation.tell_agent(text)
        for message in output.messages if messages else ():
            if message.to.reaches_user:
                self._conversation.tell_user(message.text)
            if message.to.reaches_agent:
                self._conversation.tell_agent(message.text)


def _closed(event: c.Event, error: Exception) -> c.Output | None:
    """Return what an engine that broke means: a tool does not run unchecked, the rest goes on."""
    reason = f"hooks could not be asked ({type(error).__name__}). The log says more."
    match event:
        case c.PreToolUse():
            return c.PreToolUseOutput(decision=c.Verdict.DENY, reason=reason)
        case c.PermissionRequest():
            return c.PermissionRequestOutput(decision=c.Verdict.DENY, reason=reason)
        case _:
            return None


def _about(call: ToolBlock) -> dict[str, Any]:
    return {"tool_name": call.name, "tool_args": call.parameters, "tool_use_id": call.id}
