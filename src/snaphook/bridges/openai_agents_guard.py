"""Agents of openai-agents whose every tool, handoff and request asks first.

Agent  ->  a guarded copy, to be run inside ``Hooked.run``

The agent handed in stays as it is. What nobody could guard (a tool that runs at the vendor, or in an
MCP server the SDK talks to itself) is refused at once, rather than run past the hooks.
"""

from collections.abc import Awaitable, Callable
from copy import copy
from dataclasses import replace as changed
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from agents import Agent, FunctionTool, Handoff, Model, handoff

from snaphook.canon import Verdict
from snaphook.errors import UsageError

from .call import SdkToolCall
from .openai_agents_run import AgentsRun, Retried, running
from .plain import as_text

_made: WeakValueDictionary[int, Agent[Any]] = WeakValueDictionary()


def is_guarded(agent: Any) -> bool:
    """Say whether a guard made *agent*."""
    return agent is not None and _made.get(id(agent)) is agent


class Guard:
    """Makes guarded copies, one of each agent. With *defers*, the SDK asks the person."""

    def __init__(self, *, defers: bool) -> None:
        self._defers = defers
        self._done: dict[int, Agent[Any]] = {}

    def copy(self, agent: Agent[Any]) -> Agent[Any]:
        """Return a copy of *agent* that asks first, and so does each it may hand over to."""
        if is_guarded(agent) or id(agent) in self._done:
            return self._done.get(id(agent), agent)
        if agent.mcp_servers:
            raise _unguarded(agent, "its MCP servers", "Offer their tools as function tools, or")
        made = self._done[id(agent)] = agent.clone()
        _made[id(made)] = made
        made.tools = [self._asking(agent, tool) for tool in agent.tools]
        made.handoffs = [self._onward(made, other) for other in agent.handoffs]
        made.model = Retried(agent.model) if isinstance(agent.model, Model) else agent.model
        return made

    def _onward(self, agent: Agent[Any], other: Any) -> Handoff[Any, Any]:
        ready = copy(other) if isinstance(other, Handoff) else handoff(self.copy(other))
        invoke = ready.on_invoke_handoff

        async def hand_over(context: Any, wire: str) -> Agent[Any]:
            to = self.copy(await invoke(context, wire))
            return to if await running.get().hand_over(to) else agent

        ready.on_invoke_handoff = hand_over
        return ready

    def _asking(self, agent: Agent[Any], tool: Any) -> FunctionTool:
        if not isinstance(tool, FunctionTool):
            raise _unguarded(agent, f"its tool '{tool.name}'", "Use a function tool, or")
        inner = getattr(tool, "_agent_instance", None)
        if inner is not None and not is_guarded(inner):
            fix = "Make the tool of what 'Hooked.guard' returns for that agent, or"
            raise _unguarded(agent, f"the agent behind its tool '{tool.name}'", fix)
        ready = changed(tool, on_invoke_tool=_first(tool, inner))
        return changed(ready, needs_approval=_approval(tool)) if self._defers else ready


def _first(tool: FunctionTool, inner: Agent[Any] | None) -> Callable[[Any, str], Awaitable[Any]]:
    """Return what invokes *tool* once hooks let it; *inner* is the agent behind it, if any."""

    async def ask_first(context: Any, wire: str) -> Any:
        try:
            args = msgspec.json.decode(wire or "{}", type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            return f"{tool.name} did not run: its arguments are not a JSON object."
        run = running.get()
        call = SdkToolCall(name=tool.name, args=args, id=context.tool_call_id)
        ruling = run.rulings.pop(call.id, None)
        if ruling is None or ruling.verdict is Verdict.ASK:
            approved = context.is_tool_approved(tool.name, call.id) is True
            ruling = await run.session.before(call, approved=approved)

        async def invoke(wanted: dict[str, Any]) -> Any:
            text = wire if wanted == args else as_text(wanted)
            if inner is None:
                return await tool.on_invoke_tool(context, text)
            return await _delegated(run, inner, context, lambda: tool.on_invoke_tool(context, text))

        return await run.session.run_tool(call, invoke, ruling=ruling)

    return ask_first


async def _delegated(run: AgentsRun, inner: Agent[Any], context: Any, invoke: Any) -> Any:
    """Return what the agent behind a tool came to, or why that is not taken."""
    child = run.session.bridge.session(parent=run.session, agent_name=inner.name)
    refused, model = await child.child_start(task=context.tool_arguments)
    if refused is not None:
        return refused
    token = running.set(AgentsRun(child, run.models, model=model))
    try:
        result = await invoke()
    finally:
        running.reset(token)
    return result if result is None else await child.stop(as_text(result)) or result


def _approval(tool: FunctionTool) -> Callable[[Any, dict[str, Any], str], Awaitable[bool]]:
    """Return whether the SDK must ask the person about a call of *tool*: hooks say so, or it does."""
    theirs: Any = tool.needs_approval

    async def needs_approval(context: Any, args: dict[str, Any], call_id: str) -> bool:
        run = running.get()
        if call_id not in run.rulings:
            call = SdkToolCall(name=tool.name, args=args, id=call_id)
            ruling = run.rulings[call_id] = await run.session.before(call)
            if (
                ruling.verdict is Verdict.ASK
                and context.is_tool_approved(tool.name, call_id) is None
            ):
                run.session.bridge.notify(ruling.reason)  # an interruption has no place for it
        ruling = run.rulings[call_id]
        if ruling.refused or ruling.verdict is Verdict.ASK:
            return not ruling.refused
        return bool(await theirs(context, args, call_id) if callable(theirs) else theirs)

    return needs_approval


def _unguarded(agent: Agent[Any], what: str, fix: str) -> UsageError:
    return UsageError(
        where=f"agent '{agent.name}'",
        what=f"{what} would run without hooks",
        fix=f"{fix} leave it out.",
    )
