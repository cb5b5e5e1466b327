"""A conversation is shortened, and what matters survives."""

from snaphook.agent import TurnStatus
from snaphook.canon import (
    PreCompactOutput,
    Verdict,
)
from snaphook.testing import Failure, ScriptedModel, ScriptedProvider, Turn, say


async def test_what_hooks_preserve_survives_compaction_and_what_they_export_is_kept(make):
    keep = PreCompactOutput(
        preserve_context=("Never touch main.",),
        export_state={"task": "T-1"},
        additional_context="Mention the tests.",
    )
    model = ScriptedModel("turn\n  say Hi.\nturn\n  say They greeted.\nturn\n  say Yes.")
    agent = make(model, ScriptedProvider("on_pre_compact", keep))
    await agent.send_message("hello")
    agent.conversation.tell_user("for the person alone")

    compacted = await agent.compact(instructions="Be short.")
    await agent.send_message("remember?")

    assert compacted.done
    assert not model.asked[1].heard("for the person alone")
    assert agent.state == {"task": "T-1"}
    assert model.asked[1].heard("Mention the tests.\n\nBe short.")
    told = model.asked[2].lines[0].text
    assert "They greeted." in told
    assert "Never touch main." in told
    assert "word for word:\nhello" in told


async def test_a_hook_can_stop_a_compaction(make):
    block = PreCompactOutput(decision=Verdict.BLOCK, reason="not now")
    agent = make("turn\n  say Hi.", ScriptedProvider("on_pre_compact", block))
    await agent.send_message("hello")
    before = agent.messages

    compacted = await agent.compact()

    assert (compacted.done, compacted.why) == (False, "not now")
    assert agent.messages == before


async def test_a_full_context_is_shortened_by_itself_and_the_work_goes_on(make):
    hook = ScriptedProvider("on_pre_compact")
    model = ScriptedModel(
        """
        turn
          call Glob {"pattern": "*"}
          usage 950 10
        turn without tools
          say Looking for files.
        turn
          say Found none.
        """
    )
    agent = make(model, hook, options={"context_tokens": 1000})

    result = await agent.send_message("any files?")

    assert (result.status, result.text) == (TurnStatus.DONE, "Found none.")
    assert (hook.events[0].trigger, hook.events[0].max_tokens) == ("auto", 1000)
    assert model.asked[2].heard("any files?")
    assert model.asked[2].heard("Looking for files.")


async def test_an_overflow_the_model_reports_is_answered_by_shortening(make):
    model = ScriptedModel(
        [
            Failure(status=400, message="prompt is too long"),
            Turn(answer=say("A summary."), tools=False),
            say("Now it fits."),
        ]
    )
    agent = make(model)

    result = await agent.send_message("go")

    assert (result.status, result.text) == (TurnStatus.DONE, "Now it fits.")


async def test_a_failed_summary_leaves_the_conversation_as_it_was(make):
    model = ScriptedModel([say("Hi."), Failure(status=401)])
    agent = make(model)
    await agent.send_message("hello")
    before = agent.messages

    compacted = await agent.compact()

    assert not compacted.done
    assert "401" in compacted.why
    assert agent.messages == before
