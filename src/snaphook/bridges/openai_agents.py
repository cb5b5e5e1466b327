"""Hooks inside openai-agents.

Hooked(hooks).run(agent, prompt)  ->  Runner.run(agent, …), asked about at each event

An agent that is handed over to, and one behind a tool, is a subagent.
"""

from dataclasses import replace as changed
from typing import Any

from snaphook.errors import MissingExtra, UsageError

from .plain import as_text
from .run_sync import run_sync
from .session import Bridge, Hooks
from .table import OPENAI_AGENTS as SDK

try:
    from agents import Agent, Model, RunConfig, Runner, RunState
    from agents.run import CallModelData, ModelInputData

    from .openai_agents_guard import Guard, is_guarded
    from .openai_agents_run import AgentsRun, Retried, RetriedModels, running
except ModuleNotFoundError as missing:
    raise MissingExtra.named(SDK.extra, wanted_by=__name__) from missing


class Hooked:
    """Runs agents under *hooks*; *options* are those of ``Bridge``.

    With ``defers=True`` an "ask" becomes the SDK's own approval: the run comes back with
    ``interruptions``, and goes on when the ``RunState`` in which they are approved is run.
    """

    def __init__(self, hooks: Hooks, **options: Any) -> None:
        self._bridge = Bridge(hooks, sdk=SDK.name, can=SDK.can, **options)

    def guard(self, agent: Agent[Any]) -> Agent[Any]:
        """Return a copy of *agent* that asks first: to make a tool of, or to restore a state with."""
        return Guard(defers=self._bridge.defers).copy(agent)

    async def run(
        self,
        agent: Agent[Any],
        prompt: str | RunState[Any, Any],
        *,
        session_id: str | None = None,
        run_config: RunConfig | None = None,
        **options: Any,
    ) -> Any:
        """Return the result of ``Runner.run``; *options* are passed on to it."""
        ready, theirs = self.guard(agent), run_config or RunConfig()
        session = self._bridge.session(session_id, agent_name=agent.name)
        config = changed(
            theirs,
            model=Retried(theirs.model) if isinstance(theirs.model, Model) else theirs.model,
            model_provider=RetriedModels(theirs.model_provider),
            call_model_input_filter=_telling(theirs.call_model_input_filter),
        )
        run = AgentsRun(session, theirs.model_provider)
        token = running.set(run)
        try:
            model = await session.start(model=str(theirs.model or agent.model or ""))
            config.model = model or config.model
            said: Any = await session.prompt(prompt) if isinstance(prompt, str) else prompt
            if isinstance(prompt, RunState):
                run.go_on(_at_work(prompt))
            result = await Runner.run(ready, said, run_config=config, **options)
            while not result.interruptions and (
                reason := await run.stop(as_text(result.final_output))
            ):
                said = [*result.to_input_list(), {"role": "user", "content": reason}]
                result = await Runner.run(result.last_agent, said, run_config=config, **options)
            return result
        finally:
            running.reset(token)
            await session.end()

    def run_sync(self, agent: Agent[Any], prompt: str | RunState[Any, Any], **options: Any) -> Any:
        """Return the same to code that does not wait."""
        return run_sync(self.run(agent, prompt, **options))


def _telling(theirs: Any) -> Any:
    """Return a filter that adds what hooks tell the model to its requests."""

    async def tell(data: CallModelData[Any]) -> ModelInputData:
        given = theirs(data) if theirs else data.model_data
        given = await given if hasattr(given, "__await__") else given
        items = running.get().told(given.input)
        return ModelInputData(input=items, instructions=given.instructions)

    return tell


def _at_work(state: RunState[Any, Any]) -> str:
    """Return the name of the agent that goes on; raise ``UsageError`` if it would past the hooks."""
    agent = state._current_agent  # noqa: SLF001 - it tells nobody else whom it runs
    if agent is None or not is_guarded(agent):
        raise UsageError(
            where=SDK.name,
            what="the state would continue without hooks",
            fix="Restore it with what 'Hooked.guard' returns for its agent.",
        )
    return str(agent.name)
