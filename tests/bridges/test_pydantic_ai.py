"""pydantic-ai for real, on a scripted model that speaks OpenAI's wire."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from openai import AsyncOpenAI
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from tests.bridges.breaking import Breaks, everything, yes

from snaphook import canon as c
from snaphook.bridges.pydantic_ai import SnaphookCapability
from snaphook.errors import PromptRefused
from snaphook.testing import Call, Failure, ModelServer, Recorder, Says, say

pytestmark = [
    pytest.mark.needs("pydantic-ai"),
    # The client leaves idle connections to the collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
RUN = say("", Call("run_shell", {"command": "make deploy"}))


class Bench:
    """An agent with one tool, on a scripted model."""

    def __init__(self, *answers: Any) -> None:
        self.server = ModelServer(answers[0] if callable(answers[0]) else answers)
        self.ran: list[str] = []
        self.clients: list[AsyncOpenAI] = []

    def agent(self, providers: Any, *, output_type: Any = str, **options: Any) -> Agent[None, Any]:
        made = Agent(
            self.model(),
            name="main",
            output_type=output_type,
            capabilities=[SnaphookCapability(providers, **options)],
        )

        @made.tool_plain
        def run_shell(command: str) -> str:
            self.ran.append(command)
            if command == "broken":
                raise RuntimeError("tool broke")
            return f"ran {command}"

        return made

    def model(self, name: str = "scripted") -> OpenAIChatModel:
        client = AsyncOpenAI(base_url=f"{self.server.url}/v1", api_key="scripted", max_retries=0)
        self.clients.append(client)
        return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=client))

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
        for client in one.clients:
            await client.close()
        await asyncio.sleep(0)  # the transports close when the loop comes round
        one.server.close()


@pytest.mark.req("SQ-7")
async def test_every_event_of_a_run_is_heard_in_order(bench):
    here, recorder = bench(RUN, say("done")), Recorder()

    result = await here.agent([recorder]).run("go")

    assert result.output == "done"
    assert recorder.names == [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    ]
    assert recorder.of(c.PreToolUse)[0].tool_args == {"command": "make deploy"}
    assert recorder.of(c.PostToolUse)[0].tool_result == "ran make deploy"
    assert len({event.context.session_id for event in recorder.events}) == 1


async def test_a_denied_call_does_not_run_and_the_model_hears_why(bench):
    here = bench(RUN, say("then not"))
    no = Says("on_pre_tool_use", c.PreToolUseOutput(decision=c.Verdict.DENY, reason="NOT-TODAY"))

    await here.agent([no]).run("go")

    assert here.ran == []
    assert "NOT-TODAY" in here.heard[1]


async def test_changed_arguments_reach_the_tool_and_context_reaches_the_model(bench):
    here = bench(RUN, say("ok"))
    changed = c.PreToolUseOutput(
        modified_args={"command": "make test"}, additional_context="CONTEXT-MARK"
    )

    await here.agent([Says("on_pre_tool_use", changed)]).run("go")

    assert here.ran == ["make test"]
    assert "ran make test" in here.heard[1]
    assert "CONTEXT-MARK" in here.heard[1]


@everything
async def test_changed_arguments_that_the_tool_does_not_take_never_reach_it(bench):
    here = bench(RUN, say("ok"))
    changed = c.PreToolUseOutput(modified_args={"command": ["a", "list"]})

    await here.agent([Says("on_pre_tool_use", changed)]).run("go")

    assert here.ran == []


@everything
@pytest.mark.parametrize(
    ("said", "read"),
    [
        pytest.param(c.PostToolUseOutput(modified_result="[gone]"), "[gone]", id="replaced"),
        pytest.param(
            c.PostToolUseOutput(suppress_output=True), "(output withheld)", id="suppressed"
        ),
    ],
)
async def test_a_result_is_replaced_before_the_model_reads_it(bench, said, read):
    here = bench(RUN, say("ok"))

    await here.agent([Says("on_post_tool_use", said)]).run("go")

    assert read in here.heard[1]
    assert "ran make deploy" not in here.heard[1]


@everything
async def test_feedback_on_a_result_reaches_the_model_beside_it(bench):
    here = bench(RUN, say("ok"))
    block = c.PostToolUseOutput(decision=c.Verdict.BLOCK, reason="FORMAT-IT")

    await here.agent([Says("on_post_tool_use", block)]).run("go")

    assert "ran make deploy" in here.heard[1]
    assert "FORMAT-IT" in here.heard[1]


@everything
async def test_a_failed_call_is_told_and_advice_reaches_the_model(bench):
    here = bench(say("", Call("run_shell", {"command": "broken"})))
    recorder = Recorder()

    with pytest.raises(RuntimeError, match="tool broke"):
        await here.agent([recorder]).run("go")

    assert recorder.of(c.PostToolUseFailure)[0].error == "RuntimeError: tool broke"
    assert recorder.names[-1] == "SessionEnd"


async def test_a_prompt_is_refused_before_the_model_sees_it(bench):
    here = bench(say("never"))
    no = c.UserPromptOutput(decision=c.Verdict.DENY, reason="no secrets")

    with pytest.raises(PromptRefused, match="no secrets"):
        await here.agent([Says("on_user_prompt_submitted", no)]).run("sesame")

    assert here.heard == []


@everything
async def test_a_prompt_is_rewritten_and_the_session_is_told_what_to_know(bench):
    here = bench(say("ok"))
    start = Says("on_session_start", c.SessionStartOutput(additional_context="SESSION-MARK"))
    other = Says("on_user_prompt_submitted", c.UserPromptOutput(modified_prompt="open"))

    await here.agent([start, other]).run("sesame")

    assert "SESSION-MARK" in here.heard[0]
    assert "open" in here.heard[0]
    assert "sesame" not in here.heard[0]


async def test_a_stop_is_sent_back_with_a_reason_and_not_for_ever(bench):
    here = bench(*[say(f"done {i}") for i in range(9)])
    block = c.StopOutput(decision=c.Verdict.BLOCK, reason="TESTS-FAIL")
    never = Says("on_stop", *[block] * 9)

    result = await here.agent([never]).run("go")

    assert "TESTS-FAIL" in here.heard[1]
    assert result.output == "done 5"


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

    await here.agent([sure], ask=ask).run("go")

    assert here.ran == ran
    assert ran or "SURE?" in here.heard[1]


@everything
@pytest.mark.parametrize("approved", [True, False])
async def test_an_ask_becomes_the_approval_of_pydantic_ai(bench, approved):
    here = bench(RUN, say("ok"))
    ask = c.PreToolUseOutput(decision=c.Verdict.ASK, reason="SURE?")
    agent = here.agent(
        [Says("on_pre_tool_use", ask, ask)], output_type=[str, DeferredToolRequests], defers=True
    )

    first = await agent.run("go")
    [call] = first.output.approvals
    answer = DeferredToolResults(approvals={call.tool_call_id: approved})
    await agent.run(message_history=first.all_messages(), deferred_tool_results=answer)

    assert first.output.metadata == {call.tool_call_id: {"reason": "SURE?"}}
    assert here.ran == (["make deploy"] if approved else [])


@everything
async def test_a_person_who_approved_does_not_carry_a_call_past_a_deny(bench):
    here = bench(RUN, say("ok"))
    ask = c.PreToolUseOutput(decision=c.Verdict.ASK, reason="SURE?")
    deny = c.PreToolUseOutput(decision=c.Verdict.DENY, reason="NO-MORE")
    agent = here.agent(
        [Says("on_pre_tool_use", ask, deny)], output_type=[str, DeferredToolRequests], defers=True
    )

    first = await agent.run("go")
    [call] = first.output.approvals
    answer = DeferredToolResults(approvals={call.tool_call_id: True})
    await agent.run(message_history=first.all_messages(), deferred_tool_results=answer)

    assert here.ran == []


@everything
async def test_a_hook_may_answer_in_the_persons_place(bench):
    here = bench(RUN, say("ok"))
    ask = Says("on_pre_tool_use", c.PreToolUseOutput(decision=c.Verdict.ASK))
    grant = Says("on_permission_request", c.PermissionRequestOutput(decision=c.Verdict.ALLOW))

    await here.agent([ask, grant]).run("go")

    assert here.ran == ["make deploy"]


@pytest.mark.parametrize("hangs", [False, True], ids=["raises", "hangs"])
@pytest.mark.parametrize("stance", c.Stance)
async def test_a_provider_that_fails_is_held_to_its_stance(bench, stance, hangs):
    here = bench(RUN, say("ok"))

    await here.agent([Breaks(stance, hangs=hangs)]).run("go")

    assert here.ran == (["make deploy"] if stance is c.Stance.OPEN else [])


async def test_a_failed_request_is_tried_again_as_a_hook_says(bench):
    here = bench(Failure(status=529, message="Overloaded"), say("at last"))
    retry = Says("on_error_occurred", c.ErrorRecoveryOutput(retry=True, backoff_ms=1))

    result = await here.agent([retry]).run("go")

    assert result.output == "at last"
    assert retry.events[0].error_class == "overloaded"


@everything
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        pytest.param(None, "child done", id="taken"),
        pytest.param(
            c.SubagentStartOutput(decision=c.Verdict.DENY, reason="NO-CHILDREN"),
            "NO-CHILDREN",
            id="denied",
        ),
    ],
)
async def test_an_agent_that_a_tool_runs_is_a_subagent(bench, said, heard):
    ask_child = say("", Call("delegate", {}))
    answers = [ask_child, say("child done"), say("ok")] if said is None else [ask_child, say("ok")]
    here, recorder = bench(*answers), Recorder()
    hooks = [Says("on_subagent_start", said), recorder]
    parent = here.agent(hooks)
    child = Agent(here.model(), name="child", capabilities=[SnaphookCapability(hooks)])

    @parent.tool_plain
    async def delegate() -> str:
        return (await child.run("help")).output

    await parent.run("go")

    assert heard in here.heard[-1]
    assert ("SubagentStop" in recorder.names) is (said is None)
    assert recorder.names.count("SessionEnd") == 1
    assert {event.agent_name for event in recorder.of(c.SubagentStart)} == {"child"}


@everything
async def test_many_runs_at_once_keep_to_themselves(bench):
    here = bench(lambda asked: say("ok") if "ran" in asked.news else RUN)
    recorder = Recorder()
    agent = here.agent([recorder])

    await asyncio.gather(*(agent.run(f"go {i}") for i in range(20)))

    by_session: dict[str, list[str]] = {}
    for event in recorder.events:
        by_session.setdefault(event.context.session_id, []).append(event.event_name)
    assert len(by_session) == 20
    assert {tuple(names) for names in by_session.values()} == {
        ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
    }
