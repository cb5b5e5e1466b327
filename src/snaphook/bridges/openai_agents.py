"""Hooks inside openai-agents.

Hooked(hooks).run(agent, prompt)  ->  Runner.run(agent, …), asked about at each event

The agent is cloned with its tools guarded; the one handed in stays as it is. A tool that nobody could
guard (one that runs at the vendor, or in an MCP server the SDK talks to itself) is refused at once,
rather than run past the hooks.
"""

from dataclasses import replace as changed
from typing import Any

import msgspec

from snaphook.errors import MissingExtra, UsageError

from .call import ToolCall
from .now import now
from .plain import as_text
from .session import Bridge, Hooks, Session
from .table import OPENAI_AGENTS as SDK

try:
    from agents import Agent, FunctionTool, RunConfig, Runner
    from agents.run import CallModelData, ModelInputData
except ModuleNotFoundError as missing:
    raise MissingExtra.named(SDK.extra, wanted_by=__name__) from missing


class Hooked:
    """Runs agents under *hooks*; *options* are those of ``Bridge``."""

    def __init__(self, hooks: Hooks, **options: Any) -> None:
        self._bridge = Bridge(hooks, sdk=SDK.name, can=SDK.can, **options)

    async def run(
        self,
        agent: Agent[Any],
        prompt: str,
        *,
        session_id: str | None = None,
        run_config: RunConfig | None = None,
        **options: Any,
    ) -> Any:
        """Return the result of ``Runner.run``; *options* are passed on to it."""
        session = self._bridge.session(session_id, agent_name=agent.name)
        ready = guarded(agent, session)
        config = changed(run_config or RunConfig(), call_model_input_filter=None)
        theirs = run_config.call_model_input_filter if run_config else None
        config.call_model_input_filter = _telling(session, theirs)
        try:
            model = await session.start(model=str(config.model or agent.model or ""))
            config.model = model or config.model
            said: Any = await session.prompt(prompt)
            result = await Runner.run(ready, said, run_config=config, **options)
            while reason := await session.stop(as_text(result.final_output)):
                said = [*result.to_input_list(), {"role": "user", "content": reason}]
                result = await Runner.run(result.last_agent, said, run_config=config, **options)
            return result
        finally:
            await session.end()

    def run_sync(self, agent: Agent[Any], prompt: str, **options: Any) -> Any:
        """Return the same to code that does not wait."""
        return now(self.run(agent, prompt, **options))


def guarded(
    agent: Agent[Any], session: Session, done: dict[int, Agent[Any]] | None = None
) -> Agent[Any]:
    """Return a copy of *agent* whose tools ask first, and those of every agent it may hand over to."""
    done = {} if done is None else done
    if id(agent) in done:
        return done[id(agent)]
    if agent.mcp_servers:
        raise _unguarded(agent, "its MCP servers", "Offer their tools as function tools, or")
    copy = done[id(agent)] = agent.clone()
    copy.tools = [_asking(agent, tool, session) for tool in agent.tools]
    copy.handoffs = [_onward(agent, other, session, done) for other in agent.handoffs]
    return copy


def _onward(agent: Agent[Any], other: Any, session: Session, done: dict[int, Agent[Any]]) -> Any:
    if not isinstance(other, Agent):
        raise _unguarded(
            agent, f"the handoff to '{other.agent_name}'", "Hand over to the agent, or"
        )
    return guarded(other, session, done)


def _asking(agent: Agent[Any], tool: Any, session: Session) -> FunctionTool:
    if not isinstance(tool, FunctionTool):
        raise _unguarded(agent, f"its tool '{tool.name}'", "Use a function tool, or")
    invoke = tool.on_invoke_tool

    async def ask_first(context: Any, wire: str) -> Any:
        try:
            args = msgspec.json.decode(wire or "{}", type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            return f"{tool.name} did not run: its arguments are no JSON object."
        call = ToolCall(name=tool.name, args=args, id=context.tool_call_id)

        async def run(wanted: dict[str, Any]) -> Any:
            return await invoke(context, wire if wanted == args else as_text(wanted))

        return await session.run_tool(call, run)

    return changed(tool, on_invoke_tool=ask_first)


def _telling(session: Session, theirs: Any) -> Any:
    """Return a filter that adds what hooks tell the model to its next request."""

    async def tell(data: CallModelData[Any]) -> ModelInputData:
        given = theirs(data) if theirs else data.model_data
        given = await given if hasattr(given, "__await__") else given
        if not (told := session.waiting()):
            return given
        note: Any = {"role": "user", "content": told}
        return ModelInputData(input=[*given.input, note], instructions=given.instructions)

    return tell


def _unguarded(agent: Agent[Any], what: str, fix: str) -> UsageError:
    return UsageError(
        where=f"agent '{agent.name}'",
        what=f"{what} would run past the hooks",
        fix=f"{fix} leave it out.",
    )
