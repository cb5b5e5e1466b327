"""Recovery, seen from an agent whose model fails."""

from pathlib import Path
from typing import Any

import pytest

from snaphook.agent import Agent, AgentOptions, Listener, Mode, Permissions, TurnStatus
from snaphook.agent.model import Model
from snaphook.canon import (
    ErrorOccurred,
    ErrorRecoveryOutput,
    ErrorType,
    HookContext,
    SessionStart,
    SessionStartOutput,
    SubagentStart,
    SubagentStartOutput,
)
from snaphook.engine import Engine
from snaphook.providers.resilience import ResilienceProvider, ResilienceSettings
from snaphook.providers.resilience.alerts import Alert
from snaphook.stores.breaker import Breaker, CircuitState
from snaphook.testing import Failure, ScriptedModel, say
from snaphook.testing.conformance import check_provider

pytestmark = pytest.mark.req("SQ-13")

BUSY = Failure(status=529, message="overloaded_error")
CONTEXT = HookContext(session_id="s1")


class World:
    """A machine whose clock is set, with agents on it whose models follow a script."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 1000.0
        self.alerts: list[Alert] = []
        self.waits: list[float] = []
        self.agents: list[Agent] = []

    def provider(self, **settings: Any) -> ResilienceProvider:
        return ResilienceProvider(
            ResilienceSettings(**{"first_wait": 0.002, **settings}),
            state=self.folder / "state",
            alarm=self.alerts.append,
            clock=lambda: self.now,
            chance=lambda: 0.0,
        )

    def agent(self, answers: Model, *, model: str = "m", **settings: Any) -> Agent:
        world = self

        class Ear(Listener):
            def on_retry(self, why: str, wait_ms: int) -> None:
                world.waits.append(wait_ms)

        made = Agent(
            model=answers,
            engine=Engine([self.provider(**settings)]),
            options=AgentOptions(cwd=str(self.folder), model=model),
            permissions=Permissions(mode=Mode.ALLOW_ALL),
            listener=Ear(),
        )
        self.agents.append(made)
        return made

    def state(self, model: str) -> CircuitState:
        file = self.folder / "state" / "breakers.sqlite"
        return Breaker(file, name=f"model {model}", clock=lambda: self.now).state()


@pytest.fixture
async def world(tmp_path):
    made = World(tmp_path)
    yield made
    for agent in made.agents:
        await agent.close()


async def test_a_rate_limit_is_waited_out_as_long_as_the_vendor_says(world):
    model = ScriptedModel([Failure(status=429, retry_after=0.03), say("ok")])

    result = await world.agent(model).send_message("go")

    assert (result.status, world.waits) == (TurnStatus.DONE, [30])
    assert [asked.model for asked in model.asked] == ["m", "m"]


async def test_each_wait_is_twice_as_long_as_the_one_before(world):
    failures = [Failure(status=500) for _ in range(4)]
    model = ScriptedModel([*failures, say("ok")])

    result = await world.agent(model, threshold=9).send_message("go")

    assert (result.status, world.waits) == (TurnStatus.DONE, [1, 2, 4, 8])


async def test_an_overloaded_model_is_replaced_by_the_next_of_the_chain(world):
    model = ScriptedModel([BUSY, BUSY, say("ok")])

    result = await world.agent(model, fallback=("second", "third")).send_message("go")

    assert (result.status, world.waits) == (TurnStatus.DONE, [0, 0])
    assert [asked.model for asked in model.asked] == ["m", "second", "third"]


async def test_a_vendor_that_asks_for_too_long_a_wait_is_left_for_another(world):
    model = ScriptedModel([Failure(status=429, retry_after=3600), say("ok")])

    await world.agent(model, fallback=("other",)).send_message("go")

    assert ([asked.model for asked in model.asked], world.waits) == (["m", "other"], [0])


async def test_five_errors_open_the_circuit_and_raise_one_alert(world):
    model = ScriptedModel([Failure(status=500, message="oh")] * 5)

    result = await world.agent(model).send_message("go")

    assert (result.status, world.state("m")) == (TurnStatus.FAILED, CircuitState.OPEN)
    assert [(alert.title, alert.level) for alert in world.alerts] == [("m keeps failing", "error")]
    assert "5 failures in a row, the last one server: m: answered 500: oh" in world.alerts[0].text


async def test_after_the_cooldown_an_answer_closes_the_circuit(world):
    model = ScriptedModel([*[Failure(status=500)] * 5, say("Here I am.")])
    agent = world.agent(model)
    await agent.send_message("go")

    world.now += 60
    assert world.state("m") is CircuitState.HALF_OPEN
    result = await agent.send_message("still there?")

    assert (result.text, world.state("m")) == ("Here I am.", CircuitState.CLOSED)
    assert world.alerts[-1].title == "m answers again"


async def test_a_failure_after_the_cooldown_opens_it_again_without_a_second_alert(world):
    model = ScriptedModel([Failure(status=500)] * 6)
    agent = world.agent(model)
    await agent.send_message("go")
    world.now += 60

    await agent.send_message("still there?")

    assert len(model.asked) == 6, "one probe, no more"
    assert (world.state("m"), len(world.alerts)) == (CircuitState.OPEN, 1)


async def test_while_a_circuit_is_open_new_sessions_start_on_another_model_and_one_probes(world):
    provider = world.provider(fallback=("other",), threshold=1)
    failed = ErrorOccurred(context=CONTEXT, error="oh", error_class="server", current_model="m")
    await provider.on_error_occurred(failed, CONTEXT)

    async def starts(session: str) -> dict[str, Any]:
        context = HookContext(session_id=session)
        said = await provider.on_session_start(SessionStart(context=context, model="m"), context)
        return said.modified_config if isinstance(said, SessionStartOutput) else {}

    assert [await starts("s2"), await starts("s3")] == [{"model": "other"}] * 2
    world.now += 60
    assert [await starts("s4"), await starts("s5")] == [{}, {"model": "other"}]

    spawned = SubagentStart(context=CONTEXT, agent_name="scout", model="m")
    assert await provider.on_subagent_start(spawned, CONTEXT) == SubagentStartOutput(
        modified_model="other"
    )


@pytest.mark.parametrize(
    ("failure", "alerts"),
    [
        pytest.param(
            Failure(status=401, message="bad key"), ["m cannot be used (auth)"], id="auth"
        ),
        pytest.param(
            Failure(status=429, message="insufficient_quota"),
            ["m cannot be used (quota_or_budget)"],
            id="quota",
        ),
        pytest.param(Failure(status=400, message="strange"), [], id="a request nobody can answer"),
        pytest.param(Failure(status=400, message="content_filter"), [], id="a content filter"),
    ],
)
async def test_what_asking_again_cannot_mend_stops_at_once(world, failure, alerts):
    model = ScriptedModel([failure, say("never reached")])

    result = await world.agent(model, fallback=("other",)).send_message("go")

    assert (result.status, len(model.asked)) == (TurnStatus.FAILED, 1)
    assert [alert.title for alert in world.alerts] == alerts
    assert world.state("m") is CircuitState.CLOSED


async def test_a_model_that_does_not_exist_is_replaced(world):
    model = ScriptedModel([Failure(status=404, message="no such model"), say("ok")])

    await world.agent(model, fallback=("other",)).send_message("go")

    assert [asked.model for asked in model.asked] == ["m", "other"]


async def test_a_conversation_that_is_too_long_is_shortened_once(world):
    model = ScriptedModel(
        """
        turn
          say A long story.
        turn
          fail 400 prompt is too long
        turn
          say A summary.
        turn
          say ok
        """
    )
    agent = world.agent(model)
    await agent.send_message("tell me")

    result = await agent.send_message("go on")

    assert (result.text, len(model.asked)) == ("ok", 4)


async def test_a_filtered_prompt_is_sent_in_the_words_of_the_settings(world):
    model = ScriptedModel([Failure(status=400, message="content_filter"), say("ok")])

    await world.agent(model, reword="{prompt} Politely.").send_message("Explain.")

    assert [line.text for line in model.asked[1].lines] == ["Explain. Politely."]


async def test_a_failing_tool_is_nobody_elses_business(world):
    event = ErrorOccurred(context=CONTEXT, error="429", error_type=ErrorType.TOOL)

    assert await world.provider().on_error_occurred(event, CONTEXT) is None


async def test_a_host_that_tells_only_words_is_understood(world):
    words = "API Error: 429 rate_limit_error. Please try again in 7s."
    event = ErrorOccurred(context=CONTEXT, error=words)

    answer = await world.provider().on_error_occurred(event, CONTEXT)

    assert answer == ErrorRecoveryOutput(retry=True, backoff_ms=7000)


async def test_failures_of_many_sessions_count_together(world):
    event = ErrorOccurred(context=CONTEXT, error="oh", error_class="server", current_model="m")
    for number in range(5):
        await world.provider().on_error_occurred(event, HookContext(session_id=f"s{number}"))

    assert world.state("m") is CircuitState.OPEN


def test_it_keeps_every_promise_of_a_provider(tmp_path):
    assert check_provider(lambda: ResilienceProvider(state=tmp_path), isolated=False) == []


async def test_over_http_a_vendors_headers_and_status_lead_to_the_same_recovery(world, monkeypatch):
    """The real SDK, a real socket: 429 with Retry-After is waited out, 529 goes to another model."""
    pytest.importorskip("pydantic_ai")
    from snaphook.agent.vendors import VendorModels
    from snaphook.testing import ModelServer

    script = "turn\n fail 429 retry-after 0.04 slow down\nturn\n fail 529 busy\nturn\n say ok"
    models = VendorModels()
    with ModelServer(script) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        agent = world.agent(models, model="anthropic:large", fallback=("anthropic:small",))
        result = await agent.send_message("go")
        await models.close()

    assert (result.text, world.waits) == ("ok", [40, 0])
    assert [asked.model for asked in server.asked] == ["large", "large", "small"]
