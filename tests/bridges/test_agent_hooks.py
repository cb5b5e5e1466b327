"""AGENT-HOOKS: every vector of its conformance kit, and our hooks as an interceptor in its own agent."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from agent_hooks import (
    ApprovalOutcome,
    ApprovalRequest,
    ApprovalResolution,
    CompositionConfig,
    EnforcementMode,
    Verdict,
)
from agent_hooks.ctk import RunOutcome, RunRecord, Scenario, load_vectors, run_vector
from agent_hooks.ctk.reference import ReferenceHarness
from tests.bridges.agent_hooks_harness import SnaphookHarness
from tests.bridges.breaking import Breaks, yes

from snaphook import canon as c
from snaphook.bridges.agent_hooks import Interceptor
from snaphook.testing import Recorder, ScriptedProvider

pytestmark = pytest.mark.needs("agent-hooks")

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "sdks" / "agent-hooks.md"
VECTORS: Mapping[str, dict[str, Any]] = {vector["id"]: vector for vector in load_vectors()}
STREAMS = (
    "for hosts that show an answer while it is made (`incremental_output`); "
    "ours holds it until its verdict"
)
INAPPLICABLE: Mapping[str, str] = {
    "AH-CTK-110": STREAMS,
    "AH-CTK-111": STREAMS,
    "AH-CTK-112": STREAMS,
    "AH-CTK-113": STREAMS,
}
"""The vectors that are not about an agent like ours, and why."""


@pytest.mark.req("SQ-7")
@pytest.mark.parametrize("name", [name for name in VECTORS if name not in INAPPLICABLE])
async def test_our_agent_passes(name: str):
    result = await run_vector(SnaphookHarness(), VECTORS[name])

    assert (result.status, result.failures) == ("pass", [])


@pytest.mark.parametrize("name", INAPPLICABLE)
async def test_what_is_listed_as_inapplicable_is_so_for_the_kit_too(name: str):
    result = await run_vector(SnaphookHarness(), VECTORS[name])

    assert (result.status, result.detail) == (
        "skip",
        'missing capabilities: ["incremental_output"]',
    )


def test_the_page_tells_every_vector_as_it_is_tested():
    page = PAGE.read_text()

    assert report() in page
    assert f"brings {len(VECTORS)} vectors" in page
    assert f"each of the {len(VECTORS) - len(INAPPLICABLE)} that apply" in page


def report() -> str:
    """Return the table of results, part by part, as the page has it."""
    parts: dict[tuple[str, str], list[str]] = {}
    for name, vector in VECTORS.items():
        result = f"inapplicable: {INAPPLICABLE[name]}" if name in INAPPLICABLE else "pass"
        part = vector.get("part", "the loop").replace("_", " ")
        parts.setdefault((part, result), []).append(name.removeprefix("AH-CTK-"))
    head = "| part | vectors (`AH-CTK-…`) | result |\n|---|---|---|\n"
    return head + "".join(
        f"| {part} | {', '.join(names)} | {result} |\n" for (part, result), names in parts.items()
    )


SCENARIO = {
    "input": {"content": "go", "role": "user"},
    "tools": [{"name": "run_shell", "behavior": [{"return": "ran"}]}],
    "model_script": [
        {
            "respond": {
                "content": None,
                "tool_calls": [
                    {"id": "tc-1", "name": "run_shell", "args": {"command": "make deploy"}}
                ],
                "finish_reason": "tool_calls",
            }
        },
        {"respond": {"content": "done", "tool_calls": [], "finish_reason": "stop"}},
    ],
}
MADE = [{"name": "run_shell", "args": {"command": "make deploy"}}]


class Seen:
    """An interceptor that comes after ours and sees what ours left."""

    def __init__(self) -> None:
        self.contexts: list[dict[str, Any]] = []

    def intercept(self, context: dict[str, Any], /) -> Verdict:
        self.contexts.append(context)
        return Verdict.allow()

    def targets(self, point: str) -> list[Any]:
        return [seen["target"] for seen in self.contexts if seen["interception_point"] == point]


class Approver:
    """A person who answers every question with *outcome*."""

    def __init__(self, outcome: ApprovalOutcome) -> None:
        self.outcome = outcome
        self.asked: list[str | None] = []

    def resolve(self, request: ApprovalRequest, /) -> ApprovalResolution:
        self.asked.append(request.verdict.message)
        said = Verdict.allow() if self.outcome is ApprovalOutcome.APPROVE else Verdict.deny()
        return ApprovalResolution(self.outcome, request.context_identity, said)


async def hosted(
    *hooks: c.AnyProvider, resolver: Approver | None = None, **options: Any
) -> tuple[RunRecord, Seen]:
    """Run the kit's own agent with *hooks* as its interceptor."""
    seen, agent = Seen(), ReferenceHarness()
    agent.setup(
        Scenario.from_wire(SCENARIO),
        [Interceptor(hooks, **options), seen],
        resolver,
        EnforcementMode.ENFORCE,
        CompositionConfig.default(),
    )
    return await agent.run(), seen


async def test_every_event_of_a_session_is_heard_in_order():
    recorder = Recorder()

    run, _ = await hosted(recorder)

    assert (run.outcome, run.final_output) == (RunOutcome.COMPLETED, "done")
    assert recorder.names == [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    ]
    assert recorder.of(c.PostToolUse)[0].tool_result == "ran"
    assert {event.context.host for event in recorder.events} == {"agent-hooks"}
    assert len({event.context.session_id for event in recorder.events}) == 1


async def test_a_denied_call_does_not_run_and_the_model_hears_why():
    no = c.PreToolUseOutput(decision=c.Verdict.DENY, reason="NOT-TODAY")

    run, seen = await hosted(ScriptedProvider("on_pre_tool_use", no))

    assert run.tool_invocations == []
    assert "NOT-TODAY" in str(seen.targets("pre_model_call")[1])


async def test_changed_arguments_reach_the_tool_and_context_reaches_the_model():
    changed = c.PreToolUseOutput(
        modified_args={"command": "make test"}, additional_context="CONTEXT-MARK"
    )

    run, seen = await hosted(ScriptedProvider("on_pre_tool_use", changed))

    assert run.tool_invocations == [{"name": "run_shell", "args": {"command": "make test"}}]
    assert seen.targets("pre_model_call")[1][-1] == {"role": "user", "content": "CONTEXT-MARK"}


@pytest.mark.parametrize(
    ("outcome", "ran"),
    [
        pytest.param(ApprovalOutcome.APPROVE, MADE, id="approved"),
        pytest.param(ApprovalOutcome.REJECT, [], id="rejected"),
    ],
)
async def test_an_ask_is_put_to_the_hosts_own_approval(outcome, ran):
    person = Approver(outcome)
    ask = c.PreToolUseOutput(decision=c.Verdict.ASK, reason="Sure?")

    run, _ = await hosted(ScriptedProvider("on_pre_tool_use", ask), resolver=person)

    assert (person.asked, run.tool_invocations) == (["Sure?"], ran)


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(c.PreToolUseOutput(decision=c.Verdict.ASK), id="nobody to ask"),
        pytest.param(
            c.PreToolUseOutput(decision=c.Verdict.ASK, modified_args={"command": "make test"}),
            id="about another call than the host would run",
        ),
    ],
)
async def test_an_ask_that_cannot_be_put_is_a_no(ask):
    resolver = Approver(ApprovalOutcome.APPROVE) if ask.modified_args else None

    run, _ = await hosted(ScriptedProvider("on_pre_tool_use", ask), resolver=resolver)

    assert run.tool_invocations == []


async def test_a_person_whom_the_bridge_can_ask_is_asked_there():
    ask = c.PreToolUseOutput(decision=c.Verdict.ASK)

    run, _ = await hosted(ScriptedProvider("on_pre_tool_use", ask), ask=yes(True))

    assert run.tool_invocations == MADE


async def test_a_prompt_is_changed_or_refused_before_the_turn_begins():
    said = ScriptedProvider(
        "on_user_prompt_submitted", c.UserPromptOutput(modified_prompt="go slowly")
    )
    changed, seen = await hosted(said)
    refusal = c.UserPromptOutput(decision=c.Verdict.DENY, reason="no")
    refused, unseen = await hosted(ScriptedProvider("on_user_prompt_submitted", refusal))

    assert changed.outcome is RunOutcome.COMPLETED
    assert seen.targets("input") == [{"content": "go slowly", "role": "user"}]
    assert refused.outcome is RunOutcome.BLOCKED
    assert unseen.targets("pre_model_call") == []


async def test_a_result_is_replaced_and_feedback_reaches_the_model():
    said = c.PostToolUseOutput(
        modified_result="[gone]", decision=c.Verdict.BLOCK, reason="FEEDBACK"
    )

    _, seen = await hosted(ScriptedProvider("on_post_tool_use", said))

    assert seen.targets("post_tool_call") == ["[gone]"]
    assert seen.targets("pre_model_call")[1][-1]["content"] == "FEEDBACK"


async def test_a_stop_that_is_sent_back_withholds_the_answer():
    said = c.StopOutput(decision=c.Verdict.BLOCK, reason="The tests have not run.")

    run, _ = await hosted(ScriptedProvider("on_stop", said))

    assert (run.outcome, run.final_output) == (RunOutcome.BLOCKED, None)
    assert run.records[-2]["verdict"]["message"] == "The tests have not run."


@pytest.mark.parametrize("hangs", [False, True], ids=["raises", "hangs"])
@pytest.mark.parametrize(
    ("stance", "ran"), [(c.Stance.OPEN, MADE), (c.Stance.CLOSED, [])], ids=["open", "closed"]
)
async def test_a_broken_provider_counts_as_its_stance_says(stance, ran, hangs):
    run, _ = await hosted(Breaks(stance, hangs=hangs))

    assert run.tool_invocations == ran


async def test_a_failed_call_is_told_as_one_and_a_session_ends_once():
    recorder = Recorder()
    interceptor = Interceptor([recorder])
    base = {"agent": {"id": "a", "framework": "x"}, "session": {"id": "s"}}
    call = {"id": "tc-1", "name": "run_shell", "args": {}}
    failed = {"tool_call": call, "tool_result": {"value": "no such file", "is_error": True}}
    ended = {"summary": {"reason": "error"}}

    for point, about in (("post_tool_call", failed), ("agent_shutdown", ended)):
        verdict = await interceptor.intercept({"interception_point": point, **base, **about})
        assert verdict == Verdict.allow()

    assert recorder.names == ["PostToolUseFailure", "SessionEnd"]
    assert recorder.events[0].error == "no such file"
    assert recorder.events[1].reason == "error"
