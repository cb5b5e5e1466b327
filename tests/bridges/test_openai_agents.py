"""openai-agents for real, on a scripted model that speaks OpenAI's wire."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import (
    Agent,
    ModelProvider,
    OpenAIChatCompletionsModel,
    RunConfig,
    RunState,
    WebSearchTool,
    function_tool,
    handoff,
)
from agents import set_tracing_disabled as without_tracing
from tests.bridges.breaking import everything
from tests.bridges.promises import ASK, BLOCK, DELEGATE, DENY, RUN, Bench, PromisesOfModels, before

from snaphook import canon as c
from snaphook.bridges.openai_agents import Hooked
from snaphook.errors import UsageError
from snaphook.testing import Call, Recorder, ScriptedProvider, say

pytestmark = [
    pytest.mark.needs("openai-agents"),
    # The client leaves idle connections to the collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
TRANSFER = say("", Call("transfer_to_second", {}))
BACK = say("", Call("transfer_to_main", {}))
without_tracing(True)


class OpenAiAgents(Bench, ModelProvider):
    """An agent with a shell, and a child behind a tool; it knows models by their name."""

    def __init__(self, *answers: Any) -> None:
        super().__init__(*answers)
        self.config = RunConfig(model_provider=self)

    def get_model(self, model_name: str | None) -> OpenAIChatCompletionsModel:
        return OpenAIChatCompletionsModel(model_name or "default", self.client)

    def agent(self, *tools: Any, **options: Any) -> Agent[Any]:
        shell = function_tool(self.run_shell, failure_error_function=breaks)
        model = self.get_model("scripted")
        wanted: dict[str, Any] = {"name": "main", "model": model, "tools": [shell, *tools]}
        return Agent(**wanted | options)

    def delegate(self, hooked: Hooked) -> Any:
        child = hooked.guard(self.agent(name="child"))
        return child.as_tool(tool_name="delegate", tool_description="Have the child do it.")

    async def result(self, hooked: Hooked, agent: Agent[Any], prompt: Any = "go") -> Any:
        return await hooked.run(agent, prompt, session_id="s", run_config=self.config)

    async def run(self, hooks: Any, prompt: str = "go", **options: Any) -> str:
        hooked = Hooked(hooks, **options)
        agent = self.agent(self.delegate(hooked))
        return str((await hooked.run(agent, prompt, run_config=self.config)).final_output)


def breaks(context: Any, problem: Exception) -> str:
    """Raise what a tool raised; tell the model what it got wrong itself."""
    if isinstance(problem, RuntimeError):
        raise problem
    return f"bad arguments: {problem}"


@pytest.fixture
async def bench() -> AsyncIterator[Any]:
    made: list[OpenAiAgents] = []

    def make(*answers: Any) -> OpenAiAgents:
        made.append(OpenAiAgents(*answers))
        return made[-1]

    yield make
    for one in made:
        await one.close()


class TestOpenAiAgents(PromisesOfModels):
    """Everything that is promised of every SDK."""


def second(here: OpenAiAgents, form: str) -> Any:
    """Return an agent to hand over to, as people may give it."""
    agent = here.agent(name="second")
    return agent if form == "agent" else handoff(agent)


@pytest.mark.parametrize("form", ["agent", "handoff"])
async def test_the_agent_that_is_handed_over_to_is_guarded_as_a_subagent(bench, form):
    here, recorder = bench(TRANSFER, RUN, say("ok")), Recorder()
    no = before(decision=DENY, reason="NOT-TODAY")

    await here.result(Hooked([no, recorder]), here.agent(handoffs=[second(here, form)]))

    assert here.ran == []
    assert "NOT-TODAY" in here.heard[2]
    assert [(event.event_name, event.context.agent_name) for event in recorder.events] == [
        ("SessionStart", "main"),
        ("UserPromptSubmit", "main"),
        ("SubagentStart", "second"),
        ("PreToolUse", "second"),
        ("SubagentStop", "second"),
        ("Stop", "main"),
        ("SessionEnd", "main"),
    ]


async def test_a_handoff_that_a_hook_will_not_have_leaves_the_work_where_it_was(bench):
    here, recorder = bench(TRANSFER, RUN, say("ok")), Recorder()
    no = ScriptedProvider(
        "on_subagent_start", c.SubagentStartOutput(decision=DENY, reason="STAY-HERE")
    )

    result = await here.result(Hooked([no, recorder]), here.agent(handoffs=[second(here, "agent")]))

    assert "STAY-HERE" in here.heard[1]
    assert result.last_agent.name == "main"
    assert recorder.of(c.PreToolUse)[0].context.agent_name == "main"


@everything
async def test_a_subagent_that_was_handed_the_work_hands_it_back(bench):
    here, recorder = bench(TRANSFER, BACK, RUN, say("ok")), Recorder()
    main, other = here.agent(), here.agent(name="second")
    main.handoffs, other.handoffs = [other], [main]
    model = ScriptedProvider("on_subagent_start", c.SubagentStartOutput(modified_model="small"))

    await here.result(Hooked([model, recorder]), main)

    assert [asked.model for asked in here.server.asked] == ["scripted", "small", *["scripted"] * 2]
    assert recorder.of(c.PreToolUse)[0].context.agent_name == "main"
    assert recorder.names.count("SubagentStart") == recorder.names.count("SubagentStop") == 1


@everything
async def test_a_result_of_a_subagent_that_a_hook_does_not_take_is_not_taken(bench):
    here = bench(DELEGATE, say("it works"), say("ok"))
    start = ScriptedProvider("on_subagent_start", c.SubagentStartOutput(modified_model="small"))
    stop = ScriptedProvider(
        "on_subagent_stop", c.SubagentStopOutput(decision=BLOCK, reason="NO-PROOF")
    )

    await here.run([start, stop])

    assert "NO-PROOF" in here.heard[2]
    assert "it works" not in here.heard[2]


@pytest.mark.parametrize(
    ("made", "what"),
    [
        pytest.param(lambda here: WebSearchTool(), "its tool 'web_search'", id="vendor's tool"),
        pytest.param(
            lambda here: here.agent(name="free").as_tool("free", ""),
            "the agent behind its tool 'free'",
            id="agent nobody guards",
        ),
    ],
)
async def test_a_tool_that_would_run_past_the_hooks_is_refused_at_once(bench, made, what):
    here = bench(say("never"))

    with pytest.raises(UsageError, match=f"{what} would run without hooks"):
        await here.result(Hooked([Recorder()]), here.agent(made(here)))

    assert here.heard == []


@pytest.mark.parametrize("kept", ["in memory", "on disk"])
@pytest.mark.parametrize("approved", [True, False])
async def test_an_ask_becomes_the_approval_of_the_sdk(bench, approved, kept):
    here, recorder = bench(RUN, say("ok")), Recorder()
    ask = c.PreToolUseOutput(decision=ASK, reason="SURE?")
    told: list[str] = []
    hooks = [ScriptedProvider("on_pre_tool_use", ask, ask), recorder]
    hooked, agent = Hooked(hooks, defers=True, notify=told.append), here.agent()

    first = await here.result(hooked, agent)
    begun, state = list(recorder.names), first.to_state()
    if kept == "on disk":
        state = await RunState.from_json(hooked.guard(agent), state.to_json())
    [question] = state.get_interruptions()
    if approved:
        state.approve(question)
    else:
        state.reject(question, rejection_message="NOT-NOW")
    last = await here.result(hooked, agent, state)

    assert told == ["SURE?"]
    assert "Stop" not in begun
    assert last.final_output == "ok"
    assert here.ran == (["make deploy"] if approved else [])
    assert ("ran make deploy" if approved else "NOT-NOW") in here.heard[1]


@everything
async def test_a_person_who_approved_does_not_carry_a_call_past_a_deny(bench):
    here = bench(RUN, say("ok"))
    ask = c.PreToolUseOutput(decision=ASK, reason="SURE?")
    deny = c.PreToolUseOutput(decision=DENY, reason="NO-MORE")
    hooked = Hooked([ScriptedProvider("on_pre_tool_use", ask, deny, deny)], defers=True)

    state = (await here.result(hooked, here.agent())).to_state()
    state.approve(state.get_interruptions()[0])
    await here.result(hooked, here.agent(), state)

    assert here.ran == []
    assert "NO-MORE" in here.heard[1]


@everything
async def test_a_subagent_that_waited_for_a_person_goes_on_as_itself(bench):
    here, recorder = bench(TRANSFER, RUN, say("ok")), Recorder()
    ask = c.PreToolUseOutput(decision=ASK, reason="SURE?")
    hooked = Hooked([ScriptedProvider("on_pre_tool_use", ask, ask), recorder], defers=True)
    agent = here.agent(handoffs=[here.agent(name="second")])

    state = (await here.result(hooked, agent)).to_state()
    state.approve(state.get_interruptions()[0])
    await here.result(hooked, agent, state)

    assert here.ran == ["make deploy"]
    assert {event.context.agent_name for event in recorder.of(c.PreToolUse)} == {"second"}


@everything
async def test_what_needs_no_question_is_decided_once_where_the_sdk_could_ask(bench):
    here, recorder = bench(RUN, say("ok")), Recorder()

    await here.run([recorder], defers=True)

    assert here.ran == ["make deploy"]
    assert recorder.names.count("PreToolUse") == 1


async def test_a_state_that_would_go_on_past_the_hooks_is_refused(bench):
    here = bench(RUN)
    hooked = Hooked([before(decision=ASK)], defers=True)
    agent = here.agent()
    state = (await here.result(hooked, agent)).to_state()
    free = await RunState.from_json(agent, state.to_json())

    with pytest.raises(UsageError, match="the state would continue without hooks"):
        await here.result(hooked, agent, free)
