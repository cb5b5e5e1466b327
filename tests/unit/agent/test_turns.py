"""A turn can be interrupted, limited, shared, and survives what breaks."""

import asyncio

import pytest

from snaphook.agent import Permission, Permissions, SessionFolder, Stage, TurnStatus, Usage
from snaphook.canon import METHODS, HooksProvider, PreToolUseOutput, Verdict
from snaphook.engine import Engine
from snaphook.testing import Call, Recorder, ScriptedModel, say

from .conftest import EVERYTHING, shown


@pytest.mark.parametrize("method", sorted(METHODS))
async def test_a_provider_that_breaks_does_not_break_the_agent(make, method):
    class Broken(HooksProvider):
        pass

    async def explode(self, event, context):
        raise RuntimeError("boom")

    setattr(Broken, method, explode)
    agent = make(EVERYTHING, Broken())

    result = await agent.send_message("go")
    await agent.compact()
    await agent.close()

    assert (result.status, result.text) == (TurnStatus.DONE, "All done.")


async def test_an_engine_that_breaks_lets_no_tool_run_unchecked(make, tmp_path):
    class Broken:
        async def dispatch(self, event):
            raise RuntimeError("boom")

    agent = make(
        [say("", Call("Write", {"file_path": "x", "content": ""})), say("ok")], engine=Broken()
    )

    result = await agent.send_message("go")

    assert result.status is TurnStatus.DONE
    assert not (tmp_path / "x").exists()
    assert "hooks could not be asked" in agent.messages[1].tools[0].result


async def test_abort_ends_the_turn_and_closes_what_was_open(make):
    recorder = Recorder()
    model = ScriptedModel(
        [say("Wait.", Call("Bash", {"command": "sleep 30"})), say("Where were we?")]
    )
    agent = make(model, recorder)
    asyncio.get_running_loop().call_later(0.2, agent.abort)

    result = await agent.send_message("go")

    assert result.status is TurnStatus.INTERRUPTED
    tool = agent.messages[1].tools[0]
    assert (tool.stage, tool.error) == (Stage.END, "interrupted")
    names = recorder.names
    assert names[-2:] == ["PostToolUseFailure", "Interrupt"]
    assert "Stop" not in names
    assert (await agent.send_message("on")).text == "Where were we?"


async def test_what_was_said_before_an_interruption_is_kept(make):
    agent = make("turn\n  say Half a thou\n  wait 30\nturn\n  say ght.")
    asyncio.get_running_loop().call_later(0.1, agent.abort)

    await agent.send_message("go")

    assert shown(agent.messages)[1] == ("assistant", "TextBlock", "Half a thou")


async def test_cancelling_the_caller_interrupts_the_turn_and_is_not_swallowed(make):
    agent = make("turn\n  wait 30\nturn\n  say Hello.")
    talking = asyncio.create_task(agent.send_message("go"))
    await asyncio.sleep(0.05)
    talking.cancel()

    with pytest.raises(asyncio.CancelledError):
        await talking
    assert (await agent.send_message("again")).text == "Hello."


async def test_limits_on_answers_and_on_money_end_a_turn(make):
    again = lambda _: say("", Call("Glob", {"pattern": "*"}))  # noqa: E731

    few = await make(again, options={"max_turns": 3}).send_message("go")
    cheap = await make(
        again, options={"max_micro_dollars": 1000, "model": "anthropic:claude-sonnet-5"}
    ).send_message("go")

    assert (few.status, few.turns) == (TurnStatus.MAX_TURNS, 3)
    assert (cheap.status, cheap.turns, cheap.micro_dollars) == (TurnStatus.MAX_COST, 3, 1200)
    assert cheap.usage == Usage(input_tokens=300, output_tokens=60)


async def test_calls_that_allow_it_run_side_by_side_and_the_others_in_order(make):
    running: list[str] = []
    most = 0

    class Watch(HooksProvider):
        async def on_pre_tool_use(self, event, context):
            nonlocal most
            running.append(event.tool_name)
            most = max(most, len(running))
            await asyncio.sleep(0.02)

        async def on_post_tool_use(self, event, context):
            running.remove(event.tool_name)

    reads = [Call("Glob", {"pattern": "*"}) for _ in range(4)]
    await make([say("", *reads), say("ok")], Watch()).send_message("go")
    assert most == 4

    most = 0
    shells = [Call("Bash", {"command": "true"}) for _ in range(3)]
    await make([say("", *shells), say("ok")], Watch()).send_message("go")
    assert most == 1


@pytest.mark.parametrize(
    ("call", "why"),
    [
        pytest.param(Call("Fly", {}), "Fly: there is no such tool. Use: Read,", id="no such tool"),
        pytest.param(
            Call("Read", {}), "Read: Object missing required field `file_path`", id="missing"
        ),
        pytest.param(
            Call("Read", {"file_path": 1}), "Read: Expected `str`, got `int`", id="wrong type"
        ),
        pytest.param(
            Call("Read", {"file_path": "a", "x": 1}), "Read: Object contains unknown", id="unknown"
        ),
    ],
)
async def test_a_call_that_makes_no_sense_is_told_so_and_never_reaches_the_hooks(make, call, why):
    recorder = Recorder()
    agent = make([say("", call), say("ok")], recorder)

    await agent.send_message("go")

    assert agent.messages[1].tools[0].result.startswith(why)
    assert "PreToolUse" not in recorder.names


@pytest.mark.req("SQ-8")
async def test_each_session_can_have_hooks_of_its_own(make):
    """Two tenants, one process: neither hears the other."""
    mine, yours = Recorder(), Recorder()
    first = make("turn\n  say Hi.", engine=Engine([mine.as_session_hooks()]))
    second = make("turn\n  say Ho.", engine=Engine([yours.as_session_hooks()]))

    await asyncio.gather(first.send_message("a"), second.send_message("b"))

    assert {event.context.session_id for event in mine.events} == {first.session_id}
    assert {event.context.session_id for event in yours.events} == {second.session_id}


async def test_a_hundred_agents_work_side_by_side_in_one_process(make, tmp_path):
    recorder = Recorder()
    model = ScriptedModel(
        lambda asked: (
            say("", Call("Glob", {"pattern": "*"}))
            if asked.lines[-1].kind == "text"
            else say(f"I am {asked.lines[0].text}")
        )
    )
    sessions = SessionFolder(tmp_path / "kept", "/project")
    agents = [make(model, recorder, sessions=sessions) for _ in range(100)]

    results = await asyncio.gather(*(a.send_message(str(n)) for n, a in enumerate(agents)))

    assert [result.text for result in results] == [f"I am {n}" for n in range(100)]
    assert len({event.context.session_id for event in recorder.events}) == 100


async def test_two_tools_that_need_a_permission_ask_one_after_the_other(make):
    asked: list[str] = []
    asking = 0

    async def ask(question):
        nonlocal asking
        asking += 1
        assert asking == 1, "a person can answer one question at a time"
        await asyncio.sleep(0.01)
        asked.append(question.parameters["pattern"])
        asking -= 1
        return Permission.ALLOW

    class Careful(HooksProvider):
        async def on_pre_tool_use(self, event, context):
            return PreToolUseOutput(decision=Verdict.ASK, reason="sure?")

    calls = [Call("Glob", {"pattern": name}) for name in "abc"]
    agent = make([say("", *calls), say("ok")], Careful(), permissions=Permissions(ask=ask))

    await agent.send_message("go")

    assert asked == ["a", "b", "c"]


async def test_closing_an_agent_at_work_leaves_things_in_order(make):
    recorder = Recorder()
    agent = make([say("Wait.", Call("Bash", {"command": "sleep 30"}))], recorder)
    working = asyncio.create_task(agent.send_message("go"))
    await asyncio.sleep(0.2)

    await agent.close()

    assert (await working).status is TurnStatus.INTERRUPTED
    assert recorder.names[-3:] == ["PostToolUseFailure", "Interrupt", "SessionEnd"]


async def test_a_prompt_that_no_hook_has_let_pass_does_not_stay(make):
    """Interrupted while a hook still looks at it: the next turn must not carry it along."""

    class Slow(HooksProvider):
        async def on_user_prompt_submitted(self, event, context):
            if "secret" in event.prompt:
                await asyncio.sleep(30)

    model = ScriptedModel([say("Hello.")])
    agent = make(model, Slow())
    asyncio.get_running_loop().call_later(0.1, agent.abort)

    result = await agent.send_message("my secret")
    await agent.send_message("hello")

    assert result.status is TurnStatus.INTERRUPTED
    assert [line.text for line in model.asked[0].lines] == ["hello"]
