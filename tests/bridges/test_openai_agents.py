"""openai-agents for real, on a scripted model that speaks OpenAI's wire."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel, WebSearchTool, function_tool
from agents import set_tracing_disabled as without_tracing
from openai import AsyncOpenAI
from tests.bridges.breaking import Breaks, everything, yes

from snaphook import canon as c
from snaphook.bridges.openai_agents import Hooked
from snaphook.errors import PromptRefused, UsageError
from snaphook.testing import Call, ModelServer, Recorder, Says, say

pytestmark = [
    pytest.mark.needs("openai-agents"),
    # The client leaves idle connections to the collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
RUN = say("", Call("run_shell", {"command": "make deploy"}))
without_tracing(True)


class Bench:
    """An agent with one tool, on a scripted model."""

    def __init__(self, *answers: Any) -> None:
        self.server = ModelServer(answers[0] if callable(answers[0]) else answers)
        self.client = AsyncOpenAI(base_url=f"{self.server.url}/v1", api_key="x", max_retries=0)
        self.ran: list[str] = []

    def agent(self, **options: Any) -> Agent[Any]:
        def run_shell(command: str) -> str:
            """Run a command."""
            self.ran.append(command)
            return f"ran {command}"

        def broken() -> str:
            """Fail."""
            raise RuntimeError("tool broke")

        tools = [function_tool(run_shell), function_tool(broken, failure_error_function=None)]
        model = OpenAIChatCompletionsModel("scripted", self.client)
        wanted: dict[str, Any] = {"name": "main", "model": model, "tools": tools}
        return Agent(**wanted | options)

    @property
    def heard(self) -> list[str]:
        return [asked.news for asked in self.server.asked]


@pytest.fixture
async def bench() -> AsyncIterator[Any]:
    made: list[Bench] = []

    def make(*answers: Any) -> Bench:
        made.append(Bench(*answers))
        return made[-1]

    yield make
    for one in made:
        await one.client.close()
        await asyncio.sleep(0)  # the transports close when the loop comes round
        one.server.close()


@pytest.mark.req("SQ-7")
async def test_every_event_of_a_run_is_heard_in_order(bench):
    here, recorder = bench(RUN, say("done")), Recorder()

    result = await Hooked([recorder]).run(here.agent(), "go")

    assert result.final_output == "done"
    assert recorder.names == [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    ]
    assert recorder.of(c.PostToolUse)[0].tool_result == "ran make deploy"


async def test_a_denied_call_does_not_run_and_the_model_hears_why(bench):
    here = bench(RUN, say("then not"))
    no = Says("on_pre_tool_use", c.PreToolUseOutput(decision=c.Verdict.DENY, reason="NOT-TODAY"))

    await Hooked([no]).run(here.agent(), "go")

    assert here.ran == []
    assert "NOT-TODAY" in here.heard[1]


async def test_changed_arguments_reach_the_tool_and_context_reaches_the_model(bench):
    here = bench(RUN, say("ok"))
    changed = c.PreToolUseOutput(
        modified_args={"command": "make test"}, additional_context="CONTEXT-MARK"
    )

    await Hooked([Says("on_pre_tool_use", changed)]).run(here.agent(), "go")

    assert here.ran == ["make test"]
    assert "CONTEXT-MARK" in here.heard[1]


@everything
@pytest.mark.parametrize(
    ("said", "read"),
    [
        pytest.param(c.PostToolUseOutput(modified_result="[gone]"), "[gone]", id="replaced"),
        pytest.param(c.PostToolUseOutput(suppress_output=True), "(output withheld)", id="kept"),
    ],
)
async def test_a_result_is_replaced_before_the_model_reads_it(bench, said, read):
    here = bench(RUN, say("ok"))

    await Hooked([Says("on_post_tool_use", said)]).run(here.agent(), "go")

    assert read in here.heard[1]
    assert "ran make deploy" not in here.heard[1]


@everything
async def test_a_tool_that_breaks_is_told(bench):
    here, recorder = bench(say("", Call("broken", {}))), Recorder()

    with pytest.raises(Exception, match="tool broke"):
        await Hooked([recorder]).run(here.agent(), "go")

    assert recorder.of(c.PostToolUseFailure)[0].error == "RuntimeError: tool broke"
    assert recorder.names[-1] == "SessionEnd"


async def test_a_prompt_is_refused_before_the_model_sees_it(bench):
    here = bench(say("never"))
    no = c.UserPromptOutput(decision=c.Verdict.DENY, reason="no secrets")

    with pytest.raises(PromptRefused, match="no secrets"):
        await Hooked([Says("on_user_prompt_submitted", no)]).run(here.agent(), "sesame")

    assert here.heard == []


@everything
async def test_a_prompt_is_rewritten_and_the_session_is_told_what_to_know(bench):
    here = bench(say("ok"))
    start = Says("on_session_start", c.SessionStartOutput(additional_context="SESSION-MARK"))
    other = Says("on_user_prompt_submitted", c.UserPromptOutput(modified_prompt="open"))

    await Hooked([start, other]).run(here.agent(), "sesame")

    assert "SESSION-MARK" in here.heard[0]
    assert "sesame" not in here.heard[0]


async def test_a_stop_is_sent_back_with_a_reason_and_not_for_ever(bench):
    here = bench(*[say(f"done {i}") for i in range(9)])
    block = c.StopOutput(decision=c.Verdict.BLOCK, reason="TESTS-FAIL")

    result = await Hooked([Says("on_stop", *[block] * 9)]).run(here.agent(), "go")

    assert "TESTS-FAIL" in here.heard[1]
    assert result.final_output == "done 5"


@pytest.mark.parametrize(
    ("ask", "ran"),
    [
        pytest.param(None, [], id="nobody to ask, so no"),
        pytest.param(yes(False), [], id="the person says no"),
        pytest.param(yes(True), ["make deploy"], id="the person says yes"),
    ],
)
async def test_an_ask_goes_to_the_person(bench, ask, ran):
    here = bench(RUN, say("ok"))
    sure = Says("on_pre_tool_use", c.PreToolUseOutput(decision=c.Verdict.ASK, reason="SURE?"))

    await Hooked([sure], ask=ask).run(here.agent(), "go")

    assert here.ran == ran


@pytest.mark.parametrize("hangs", [False, True], ids=["raises", "hangs"])
@pytest.mark.parametrize("stance", c.Stance)
async def test_a_provider_that_fails_is_held_to_its_stance(bench, stance, hangs):
    here = bench(RUN, say("ok"))

    await Hooked([Breaks(stance, hangs=hangs)]).run(here.agent(), "go")

    assert here.ran == (["make deploy"] if stance is c.Stance.OPEN else [])


async def test_the_agent_that_is_handed_over_to_is_guarded_too(bench):
    here = bench(say("", Call("transfer_to_second", {})), RUN, say("ok"))
    no = Says("on_pre_tool_use", c.PreToolUseOutput(decision=c.Verdict.DENY, reason="NOT-TODAY"))
    second = here.agent(name="second")

    await Hooked([no]).run(here.agent(handoffs=[second]), "go")

    assert here.ran == []
    assert "NOT-TODAY" in here.heard[2]


async def test_a_tool_that_would_run_past_the_hooks_is_refused_at_once(bench):
    here = bench(say("never"))

    with pytest.raises(UsageError, match="its tool 'web_search' would run past the hooks"):
        await Hooked([Recorder()]).run(here.agent(tools=[WebSearchTool()]), "go")

    assert here.heard == []


@everything
async def test_many_runs_at_once_keep_to_themselves(bench):
    here = bench(lambda asked: say("ok") if "ran" in asked.news else RUN)
    recorder, agent = Recorder(), here.agent()
    hooked = Hooked([recorder])

    await asyncio.gather(*(hooked.run(agent, f"go {i}") for i in range(20)))

    by_session: dict[str, list[str]] = {}
    for event in recorder.events:
        by_session.setdefault(event.context.session_id, []).append(event.event_name)
    assert len(by_session) == 20
    assert {tuple(names) for names in by_session.values()} == {
        ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
    }
