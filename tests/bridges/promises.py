"""What holds inside every SDK, told once; an SDK's own tests bring its ``bench`` and add the rest."""

import asyncio
from abc import ABC, abstractmethod
from typing import Any

import openai
import pytest
from tests.bridges.breaking import Breaks, everything, yes

from snaphook import canon as c
from snaphook.errors import PromptRefused
from snaphook.providers.policies import DefaultHooksProvider
from snaphook.testing import Call, Failure, ModelServer, Recorder, ScriptedProvider, say

RUN = say("", Call("run_shell", {"command": "make deploy"}))
BROKEN = say("", Call("run_shell", {"command": "broken"}))
DELEGATE = say("", Call("delegate", {"input": "help"}))
SECRET = "ghp_" + "Zq4R" * 9
ALLOW, _, ASK, DENY, BLOCK = c.Verdict
EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
"""What is heard of a run with one call."""


class Bench(ABC):
    """An agent inside one SDK, on a scripted model: it has a shell, and a child called 'child'."""

    def __init__(self, *answers: Any) -> None:
        self.server = ModelServer(answers[0] if callable(answers[0]) else answers)
        self.http = openai.DefaultAsyncHttpxClient(verify=False)  # certificates take long to load
        self.ran: list[str] = []

    @property
    def client(self) -> openai.AsyncOpenAI:
        """Return a client of the scripted model."""
        url = f"{self.server.url}/v1"
        return openai.AsyncOpenAI(base_url=url, api_key="x", max_retries=0, http_client=self.http)

    async def close(self) -> None:
        """Let go of the model."""
        await self.http.aclose()
        await asyncio.sleep(0)  # the transports close when the loop comes round
        self.server.close()

    @property
    def heard(self) -> list[str]:
        """Return what the model was told anew, request by request."""
        return [asked.news for asked in self.server.asked]

    @abstractmethod
    async def run(self, hooks: Any, prompt: str = "go", **options: Any) -> str:
        """Return what the agent says in the end."""

    def run_shell(self, command: str) -> str:
        """Run a command."""
        self.ran.append(command)
        if command == "broken":
            raise RuntimeError("tool broke")
        return f"TOKEN={SECRET}" if command == "cat .env" else f"ran {command}"


class Promises:
    """A class of tests for one SDK inherits these."""

    @pytest.mark.req("SQ-7")
    async def test_every_event_of_a_run_is_heard_in_order(self, bench):
        here, recorder = bench(RUN, say("done")), Recorder()

        assert await here.run([recorder]) == "done"

        assert tuple(recorder.names) == EVENTS
        assert recorder.of(c.PreToolUse)[0].tool_args == {"command": "make deploy"}
        assert recorder.of(c.PostToolUse)[0].tool_result == "ran make deploy"
        assert len({event.context.session_id for event in recorder.events}) == 1

    async def test_a_denied_call_does_not_run_and_the_model_hears_why(self, bench):
        here = bench(RUN, say("then not"))

        await here.run([before(decision=DENY, reason="NOT-TODAY")])

        assert here.ran == []
        assert "NOT-TODAY" in here.heard[1]

    async def test_changed_arguments_reach_the_tool_and_context_reaches_the_model(self, bench):
        here = bench(RUN, say("ok"))

        await here.run(
            [before(modified_args={"command": "make test"}, additional_context="CONTEXT-MARK")]
        )

        assert here.ran == ["make test"]
        assert "ran make test" in here.heard[1]
        assert "CONTEXT-MARK" in here.heard[1]

    @everything
    async def test_changed_arguments_that_the_tool_does_not_take_never_reach_it(self, bench):
        here = bench(RUN, say("ok"))

        await here.run([before(modified_args={"command": ["a", "list"]})])

        assert here.ran == []

    async def test_what_the_model_was_told_once_it_still_knows_later(self, bench):
        here = bench(RUN, RUN, say("ok"))
        start = ScriptedProvider(
            "on_session_start", c.SessionStartOutput(additional_context="SESSION-MARK")
        )

        await here.run([start])

        told = ["\n".join(line.text for line in asked.lines) for asked in here.server.asked]
        assert [text.count("SESSION-MARK") for text in told] == [1, 1, 1]

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
    async def test_a_result_is_replaced_before_the_model_reads_it(self, bench, said, read):
        here = bench(RUN, say("ok"))

        await here.run([ScriptedProvider("on_post_tool_use", said)])

        assert read in here.heard[1]
        assert "ran make deploy" not in here.heard[1]

    async def test_a_secret_in_a_result_never_reaches_the_model(self, bench):
        here = bench(say("", Call("run_shell", {"command": "cat .env"})), say("ok"))

        await here.run([DefaultHooksProvider({"scrub_secrets": True})])

        assert here.ran == ["cat .env"]
        assert "TOKEN=" in here.heard[1]
        assert SECRET not in here.heard[1]

    async def test_feedback_on_a_result_reaches_the_model_beside_it(self, bench):
        here = bench(RUN, say("ok"))
        block = c.PostToolUseOutput(decision=BLOCK, reason="FORMAT-IT")

        await here.run([ScriptedProvider("on_post_tool_use", block)])

        assert "ran make deploy" in here.heard[1]
        assert "FORMAT-IT" in here.heard[1]

    @everything
    async def test_a_call_that_fails_is_told_and_the_session_ends(self, bench):
        here, recorder = bench(BROKEN), Recorder()

        with pytest.raises(Exception, match="tool broke"):
            await here.run([recorder])

        assert recorder.of(c.PostToolUseFailure)[0].error == "RuntimeError: tool broke"
        assert recorder.names[-1] == "SessionEnd"

    async def test_a_prompt_is_refused_before_the_model_sees_it(self, bench):
        here, recorder = bench(say("never")), Recorder()
        no = c.UserPromptOutput(decision=DENY, reason="no secrets")

        with pytest.raises(PromptRefused, match="no secrets"):
            await here.run([ScriptedProvider("on_user_prompt_submitted", no), recorder], "sesame")

        assert here.heard == []
        assert recorder.names == ["SessionStart", "UserPromptSubmit", "SessionEnd"]

    @everything
    async def test_a_prompt_is_rewritten_and_the_session_is_told_what_to_know(self, bench):
        here = bench(say("ok"))
        start = ScriptedProvider(
            "on_session_start", c.SessionStartOutput(additional_context="SESSION-MARK")
        )
        other = ScriptedProvider(
            "on_user_prompt_submitted", c.UserPromptOutput(modified_prompt="open")
        )

        await here.run([start, other], "sesame")

        assert "SESSION-MARK" in here.heard[0]
        assert "open" in here.heard[0]
        assert "sesame" not in here.heard[0]

    async def test_a_stop_is_sent_back_with_a_reason_and_not_for_ever(self, bench):
        here = bench(*[say(f"done {i}") for i in range(9)])
        block = c.StopOutput(decision=BLOCK, reason="TESTS-FAIL")

        assert await here.run([ScriptedProvider("on_stop", *[block] * 9)]) == "done 5"

        assert "TESTS-FAIL" in here.heard[1]

    @pytest.mark.parametrize(
        ("ask", "ran"),
        [
            pytest.param(None, [], id="nobody to ask, so no"),
            pytest.param(yes(False), [], id="the person says no"),
            pytest.param(yes(True), ["make deploy"], id="the person says yes"),
        ],
    )
    async def test_an_ask_goes_to_the_person(self, bench, ask, ran):
        here = bench(RUN, say("ok"))

        await here.run([before(decision=ASK, reason="SURE?")], ask=ask)

        assert here.ran == ran
        assert ran or "SURE?" in here.heard[1]

    @everything
    async def test_a_hook_may_answer_in_the_persons_place(self, bench):
        here = bench(RUN, say("ok"))
        grant = ScriptedProvider("on_permission_request", c.PermissionRequestOutput(decision=ALLOW))

        await here.run([before(decision=ASK), grant])

        assert here.ran == ["make deploy"]

    @pytest.mark.parametrize("hangs", [False, True], ids=["raises", "hangs"])
    @pytest.mark.parametrize("stance", c.Stance)
    async def test_a_provider_that_fails_is_held_to_its_stance(self, bench, stance, hangs):
        here = bench(RUN, say("ok"))

        await here.run([Breaks(stance, hangs=hangs)])

        assert here.ran == (["make deploy"] if stance is c.Stance.OPEN else [])

    async def test_a_failed_request_is_tried_again_as_a_hook_says(self, bench):
        here = bench(Failure(status=529, message="Overloaded"), say("at last"))
        retry = ScriptedProvider(
            "on_error_occurred", c.ErrorRecoveryOutput(retry=True, backoff_ms=1)
        )

        assert await here.run([retry]) == "at last"

        assert retry.events[0].error_class == "overloaded"

    @everything
    async def test_a_request_that_fails_for_ever_is_given_up(self, bench):
        here = bench(*[Failure(status=529, message="Overloaded")] * 9)
        retry = ScriptedProvider("on_error_occurred", *[c.ErrorRecoveryOutput(retry=True)] * 9)
        recorder = Recorder()

        with pytest.raises(Exception, match="Overloaded"):
            await here.run([retry, recorder])

        assert [event.attempt for event in recorder.of(c.ErrorOccurred)] == [1, 2, 3, 4, 5]
        assert recorder.names[-1] == "SessionEnd"

    @pytest.mark.parametrize(
        ("said", "heard"),
        [
            pytest.param(None, "child done", id="taken"),
            pytest.param(
                c.SubagentStartOutput(decision=DENY, reason="NO-CHILDREN"),
                "NO-CHILDREN",
                id="denied",
            ),
        ],
    )
    async def test_an_agent_that_a_tool_runs_is_a_subagent(self, bench, said, heard):
        answers = (
            [DELEGATE, say("child done"), say("ok")] if said is None else [DELEGATE, say("ok")]
        )
        here, recorder = bench(*answers), Recorder()

        await here.run([ScriptedProvider("on_subagent_start", said), recorder])

        assert heard in here.heard[-1]
        assert ("SubagentStop" in recorder.names) is (said is None)
        assert recorder.names.count("SessionEnd") == 1
        assert {event.agent_name for event in recorder.of(c.SubagentStart)} == {"child"}

    async def test_what_a_subagent_does_is_asked_about_in_its_name(self, bench):
        here, recorder = bench(DELEGATE, RUN, say("child done"), say("ok")), Recorder()
        no = ScriptedProvider(
            "on_pre_tool_use", None, c.PreToolUseOutput(decision=DENY, reason="NOT-YOU")
        )

        await here.run([no, recorder])

        inner = recorder.of(c.PreToolUse)[1]
        assert here.ran == []
        assert "NOT-YOU" in here.heard[2]
        assert (inner.context.agent_name, inner.context.depth) == ("child", 1)

    @everything
    async def test_many_runs_at_once_keep_to_themselves(self, bench):
        here = bench(lambda asked: say("ok") if "ran" in asked.news else RUN)
        recorder = Recorder()

        await asyncio.gather(*(here.run([recorder], f"go {i}") for i in range(20)))

        by_session: dict[str, list[str]] = {}
        for event in recorder.events:
            by_session.setdefault(event.context.session_id, []).append(event.event_name)
        assert len(by_session) == 20
        assert {tuple(names) for names in by_session.values()} == {EVENTS}


class PromisesOfModels(Promises):
    """The same, where a bench knows models by their name."""

    async def test_a_session_starts_on_another_model_and_a_failure_falls_back_to_a_third(
        self, bench
    ):
        here = bench(Failure(status=529, message="Overloaded"), say("ok"))
        start = ScriptedProvider(
            "on_session_start", c.SessionStartOutput(modified_config={"model": "second"})
        )
        retry = ScriptedProvider(
            "on_error_occurred", c.ErrorRecoveryOutput(retry=True, fallback_model="third")
        )

        await here.run([start, retry])

        assert [asked.model for asked in here.server.asked] == ["second", "third"]
        assert retry.events[0].current_model == "second"


def before(**said: Any) -> ScriptedProvider:
    """Return a hook that says so of the first call."""
    return ScriptedProvider("on_pre_tool_use", c.PreToolUseOutput(**said))
