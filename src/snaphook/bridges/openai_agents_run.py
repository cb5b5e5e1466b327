"""One run of openai-agents: who is at work, what the model was told, and the models that are asked.

handoffs, requests  ->  BridgeSession

Imported by its shim alone, once the SDK is known to be there.
"""

from contextvars import ContextVar
from typing import Any

from agents import Agent, Model, ModelProvider

from .call import ToolRuling
from .session import BridgeSession


class AgentsRun:
    """A run of one agent, or of those it hands over to."""

    def __init__(
        self, session: BridgeSession, models: ModelProvider, *, model: str | None = None
    ) -> None:
        self.main = self.session = session
        self.models = models
        self.model = model
        """The model a hook wants for whoever is at work."""
        self.rulings: dict[str | None, ToolRuling] = {}
        """What was decided about calls that have yet to run."""
        self._told: list[tuple[int, Any, str]] = []
        """What the model was told: behind how many items, the last of which is this one."""

    async def hand_over(self, to: Agent[Any]) -> bool:
        """Say whether *to* takes over; where a hook will not have it, the model hears why."""
        onto, model = self.main, None
        if to.name != self.main.context.agent_name:
            onto = self.main.bridge.session(parent=self.main, agent_name=to.name)
            refused, model = await onto.child_start()
            if refused is not None:
                self.session.tell(refused)
                return False
        if self.session is not self.main:
            await self.session.stop()
        onto.tell(self.session.waiting())
        self.session, self.model = onto, model
        return True

    def go_on(self, at_work: str) -> None:
        """Take up a run in which *at_work* had been handed the work."""
        if at_work != self.main.context.agent_name:
            self.session = self.main.bridge.session(parent=self.main, agent_name=at_work)

    async def stop(self, last: str) -> str | None:
        """Return why whoever is at work may not stop yet."""
        if self.session is not self.main and (reason := await self.session.stop(last)):
            return reason
        return await self.main.stop(last)

    def told(self, items: list[Any]) -> list[Any]:
        """Return the conversation with all that hooks told the model, each where it was told.

        A conversation that was cut since, by a filter or because a server keeps it, has not its
        place any more, and goes without it.
        """
        if told := self.session.waiting():
            self._told.append((len(items), items[-1] if items else None, told))
        ready = list(items)
        for place, before, text in reversed(self._told):
            if items[place - 1 : place] == ([before] if place else []):
                ready.insert(place, {"role": "user", "content": text})
        return ready


running: ContextVar[AgentsRun] = ContextVar("snaphook_openai_agents")


class Retried(Model):
    """A model that is asked again, or another in its place, as hooks say."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def get_response(self, *given: Any, **named: Any) -> Any:
        """Return the first answer that comes."""
        run = running.get()

        async def send(other: str | None) -> Any:
            model = run.models.get_model(other) if other else self._model
            return await model.get_response(*given, **named)

        name = str(getattr(self._model, "model", ""))
        return await run.session.request(send, model=name, wanted=run.model)

    def stream_response(self, *given: Any, **named: Any) -> Any:
        """Return the model's own stream: what has been shown cannot be asked for again."""
        return self._model.stream_response(*given, **named)

    def get_retry_advice(self, request: Any) -> Any:
        """Return the model's own advice."""
        return self._model.get_retry_advice(request)


class RetriedModels(ModelProvider):
    """Models by name, each asked again as hooks say."""

    def __init__(self, models: ModelProvider) -> None:
        self._models = models

    def get_model(self, model_name: str | None) -> Model:
        """Return the model of that name."""
        return Retried(self._models.get_model(model_name))
