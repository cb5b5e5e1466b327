"""Our agent under interceptors of AGENT-HOOKS: where they stand, and what they cannot get past."""

from collections.abc import Callable
from typing import Any

import pytest
from agent_hooks import Decision, InterceptionEmitter, Transform, Verdict
from msgspec.structs import replace

from snaphook import canon as c
from snaphook.agent import AgentOptions, Listener, Mode, Permissions, TurnResult, TurnStatus
from snaphook.agent.tools import TOOLS
from snaphook.bridges.mediated import Mediated
from snaphook.testing import Call, Reply, Say, ScriptedModel, ScriptedProvider, Think, say

pytestmark = pytest.mark.needs("agent-hooks")

NO = Verdict.deny(reason="policy:no", message="Not here.")
THOUGHT = Reply(steps=(Think("thinking SECRET"), Say("SECRET")))
LOOK = say("I'll look.", Call("Bash", {"command": "echo SECRET"}))


def becomes(path: str, value: Any) -> Verdict:
    return Verdict(decision=Decision.TRANSFORM, transform=Transform(path, value))


class Policy:
    """Answers at the points it is told about, and remembers what it saw at all of them."""

    def __init__(self, **said: Verdict | Callable[[Any], Verdict]) -> None:
        self._said = said
        self.seen: list[dict[str, Any]] = []

    def intercept(self, context: dict[str, Any], /) -> Verdict:
        self.seen.append(context)
        said = self._said.get(context["interception_point"], Verdict.allow())
        return said if isinstance(said, Verdict) else said(context["target"])

    @property
    def points(self) -> list[str]:
        return [context["interception_point"] for context in self.seen]

    def at(self, point: str) -> list[Any]:
        return [seen["target"] for seen in self.seen if seen["interception_point"] == point]


class Watcher(Listener):
    """Keeps every word it is shown."""

    def __init__(self) -> None:
        self.shown = ""

    def on_text(self, text: str) -> None:
        self.shown += text

    def on_reasoning(self, text: str) -> None:
        self.shown += text


class Bench:
    """An agent under one policy, on a scripted model."""

    def __init__(self, policy: Policy, *answers: Any, **about: Any) -> None:
        self.policy, self.model, self.watcher = policy, ScriptedModel(answers), Watcher()
        self.agent = Mediated(
            InterceptionEmitter().register(policy),
            model=self.model,
            listener=self.watcher,
            permissions=Permissions(mode=Mode.ALLOW_ALL),
            **about,
        )

    async def run(self, *prompts: str) -> list[TurnResult]:
        async with self.agent as agent:
            return [await agent.send_message(prompt) for prompt in prompts or ("go",)]

    @property
    def heard(self) -> list[str]:
        return [asked.news for asked in self.model.asked]

    @property
    def kept(self) -> str:
        return str(self.agent.agent.messages)


async def test_each_turn_is_mediated_between_one_start_and_one_end():
    policy = Policy()

    first, second = await Bench(policy, LOOK, say("one"), say("two")).run("a", "b")

    assert (first.text, second.text) == ("one", "two")
    assert policy.points == [
        *("agent_startup", "input"),
        *("pre_model_call", "post_model_call", "pre_tool_call", "post_tool_call"),
        *("pre_model_call", "post_model_call", "output"),
        *("input", "pre_model_call", "post_model_call", "output", "agent_shutdown"),
    ]
    assert [seen["sequence"] for seen in policy.seen] == list(range(len(policy.seen)))
    assert policy.at("agent_shutdown") == [{"reason": "completed"}]


@pytest.mark.parametrize("point", ["input", "pre_model_call", "post_model_call", "output"])
async def test_what_is_refused_blocks_the_turn_and_was_never_seen(point):
    bench = Bench(Policy(**{point: NO}), THOUGHT)

    (result,) = await bench.run()

    assert (result.status, result.text) == (TurnStatus.BLOCKED, "")
    assert "policy:no: Not here." in (result.error or "")
    assert "SECRET" not in bench.watcher.shown + bench.kept
    assert bench.policy.at("agent_shutdown") == [{"reason": "error"}]


async def test_a_session_that_may_not_begin_refuses_every_prompt():
    bench = Bench(Policy(agent_startup=NO), say("never"))

    results = await bench.run("a", "b")

    assert [result.status for result in results] == [TurnStatus.BLOCKED, TurnStatus.BLOCKED]
    assert bench.policy.points == ["agent_startup", "agent_shutdown"]


async def test_a_refused_request_is_not_tried_again_whatever_hooks_say():
    again = ScriptedProvider(
        "on_error_occurred", *[c.ErrorRecoveryOutput(retry=True, backoff_ms=0)] * 5
    )
    bench = Bench(Policy(pre_model_call=NO), say("never"), hooks=[again])

    (result,) = await bench.run()

    assert (result.status, bench.heard) == (TurnStatus.BLOCKED, [])
    assert len(bench.policy.at("pre_model_call")) == 1


async def test_what_interceptors_change_is_what_the_model_reads_and_the_caller_hears():
    told = becomes("$target", [{"role": "user", "content": "READ-THIS"}])
    answered = becomes("$target.content", "as changed")
    returned = becomes("$target.content", "as let out")
    bench = Bench(
        Policy(pre_model_call=told, post_model_call=answered, output=returned),
        THOUGHT,
    )

    (result,) = await bench.run()

    assert bench.heard == ["READ-THIS"]
    assert bench.policy.at("output")[0]["content"] == "as changed"
    assert (result.text, bench.watcher.shown) == ("as let out", "as let out")
    assert "SECRET" not in bench.kept


async def test_the_models_instructions_and_thoughts_are_shown_to_interceptors():
    policy = Policy()
    bench = Bench(policy, THOUGHT, options=AgentOptions(system="Be brief."))

    await bench.run()

    assert policy.at("pre_model_call")[0][0] == {"role": "system", "content": "Be brief."}
    (answer,) = (s for s in policy.seen if s["interception_point"] == "post_model_call")
    assert answer["extensions"] == {"snaphook": {"reasoning": "thinking SECRET"}}


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("echo SECRET", id="that succeeded"),
        pytest.param("echo SECRET; exit 3", id="that failed"),
    ],
)
async def test_a_discarded_result_reaches_neither_model_nor_conversation(command):
    bench = Bench(Policy(post_tool_call=NO), say("", Call("Bash", {"command": command})), say("ok"))

    (result,) = await bench.run()

    assert result.status is TurnStatus.DONE
    assert "policy:no" in bench.heard[1]
    assert "SECRET" not in bench.heard[1] + str(
        [m.tools[0].result for m in bench.agent.agent.messages if m.tools]
    )


async def test_a_call_that_an_interceptor_changed_goes_past_our_hooks_again():
    def guard(event: c.PreToolUse, _: c.HookContext) -> c.PreToolUseOutput | None:
        if "rm" not in event.tool_args["command"]:
            return None
        return c.PreToolUseOutput(decision=c.Verdict.DENY, reason="GUARDED")

    policy = Policy(pre_tool_call=becomes("$target.command", "rm -rf ."))
    bench = Bench(policy, LOOK, say("ok"), hooks=[{"on_pre_tool_use": guard}])

    await bench.run()

    assert "GUARDED" in bench.heard[1]
    assert policy.at("post_tool_call") == []


async def test_a_tool_that_breaks_is_told_once_and_not_run_again():
    ran: list[Any] = []

    async def breaks(args: Any, context: Any) -> Any:
        ran.append(args)
        raise RuntimeError("SECRET")

    again = ScriptedProvider("on_error_occurred", c.ErrorRecoveryOutput(retry=True, backoff_ms=0))
    tool = replace(TOOLS["Bash"], run=breaks)
    policy = Policy()
    bench = Bench(policy, LOOK, say("ok"), hooks=[again], options=AgentOptions(tools=(tool,)))

    await bench.run()

    assert len(ran) == 1
    assert policy.at("post_tool_call") == ["Bash: failed with RuntimeError: SECRET"]


async def test_a_subagents_work_is_mediated_inside_its_parents_session():
    policy = Policy()
    bench = Bench(
        policy,
        say("", Call("Task", {"subagent_type": "general", "prompt": "look", "description": "d"})),
        LOOK,
        say("found it"),
        say("done"),
    )

    await bench.run()

    assert policy.points.count("agent_startup") == policy.points.count("input") == 1
    assert policy.points.count("agent_shutdown") == 1
    names = [s["tool_call"]["name"] for s in policy.seen if "tool_result" in s]
    assert names == ["Bash", "Task"]
    assert policy.at("output") == [{"content": "done"}]
    assert {seen["session"]["id"] for seen in policy.seen} == {bench.agent.agent.session_id}


async def test_a_summary_is_mediated_but_is_no_output():
    policy = Policy()
    bench = Bench(policy, say("one"), say("a summary"))
    async with bench.agent as agent:
        await agent.send_message("go")
        before = len(policy.seen)
        await agent.agent.compact()
        await agent.agent.clear()

        assert policy.points[before:] == ["pre_model_call", "post_model_call"]


async def test_a_session_without_a_prompt_has_a_beginning_and_an_end():
    bench = Bench(Policy(), say("never"))

    await bench.agent.close()

    assert bench.policy.points == ["agent_startup", "agent_shutdown"]
