"""The budget speaks at the steps its settings name, and is right about the figures."""

import json
from pathlib import Path

import pytest

from snaphook.canon import (
    HookContext,
    HostEvent,
    HostEventOutput,
    Message,
    PostToolUse,
    PreToolUse,
    PreToolUseOutput,
    SessionEnd,
    SessionStart,
    SessionStartOutput,
    Stance,
    SubagentStart,
    SubagentStartOutput,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)
from snaphook.engine import Engine
from snaphook.providers.budget.provider import BudgetProvider
from snaphook.providers.budget.settings import BudgetSettings, LimitTable, PeriodTable
from snaphook.stores.budget import open_meter
from snaphook.testing.conformance import check_provider

RECORDED = Path(__file__).parents[2] / "transcripts" / "used"
HERE = HookContext(session_id="s1", team_root="/repo", cwd="/repo")
SONNET = "anthropic:claude-sonnet-5"
"""Ten dollars per million tokens written: a token is ten micro-dollars."""


def settings_of(dollars=1.0, **more):
    return BudgetSettings(session=LimitTable(dollars=dollars), repeats=0, **more)


@pytest.fixture
def make(tmp_path):
    def maker(settings=None, **more):
        return BudgetProvider(
            settings or settings_of(),
            open_meter("sqlite", tmp_path / "data"),
            reports=tmp_path / "reports",
            **more,
        )

    return maker


async def spend(provider, dollars, *, context=HERE, model=SONNET, id_=None):
    """Have an answer of *model* that wrote as much as costs *dollars*."""
    usage = {"input_tokens": 0, "output_tokens": round(dollars * 100_000)}
    payload = {"model": model, "token_usage": usage, "response_id": id_ or ""}
    event = HostEvent(context=context, kind="PostModelRequest", payload=payload)
    return await provider.on_host_event(event, context)


def call(tool="Bash", context=HERE, **args):
    return PreToolUse(context=context, tool_name=tool, tool_args=args or {"command": "ls"})


def spawn(model=SONNET, context=HERE):
    return SubagentStart(context=context, agent_name="scout", agent_id="sub1", model=model)


@pytest.mark.req("SQ-10")
async def test_every_step_on_the_way_to_the_limit_says_what_it_means(make):
    budget = make()

    assert await spend(budget, 0.49) is None
    assert await budget.on_subagent_start(spawn(), HERE) is None

    assert await spend(budget, 0.02) == HostEventOutput(
        messages=(
            Message("Budget: the session has used 51 % of $1.0000 ($0.5100, 51,000 tokens)."),
        )
    )
    assert await budget.on_subagent_start(spawn(), HERE) is None

    assert await spend(budget, 0.20) == HostEventOutput(
        modified_config={"model": "anthropic:claude-haiku-5-5"},
        messages=(
            Message(
                "Budget: the session has used 71 % of $1.0000 ($0.7100, 71,000 tokens). "
                "Cheaper models from here on."
            ),
        ),
    )
    assert await budget.on_subagent_start(spawn(), HERE) == SubagentStartOutput(
        modified_model="anthropic:claude-haiku-5-5"
    )
    assert await budget.on_pre_tool_use(call(), HERE) is None

    await spend(budget, 0.20)
    denied = await budget.on_subagent_start(spawn(), HERE)
    assert denied == SubagentStartOutput(
        decision=Verdict.DENY,
        reason=(
            "Budget: the session has used 91 % of $1.0000 ($0.9100, 91,000 tokens), so no more "
            "subagents are started. Do this work yourself."
        ),
    )
    assert (await budget.on_pre_tool_use(call("Agent"), HERE)).decision is Verdict.DENY
    assert await budget.on_pre_tool_use(call(), HERE) is None

    await spend(budget, 0.09)
    assert await budget.on_pre_tool_use(call(), HERE) == PreToolUseOutput(
        decision=Verdict.DENY,
        reason="Budget: the session has used 100 % of $1.0000 ($1.0000, 100,000 tokens). "
        "Ask the person: 'snaphook budget set session DOLLARS' raises it.",
    )
    prompt = UserPromptSubmit(context=HERE, prompt="go on")
    assert (await budget.on_user_prompt_submitted(prompt, HERE)).decision is Verdict.DENY


async def test_a_step_is_told_once_whoever_passes_it(make):
    first, second = make(), make()

    assert (await spend(first, 0.6)).messages
    assert await spend(second, 0.01) is None


@pytest.mark.req("SQ-10")
async def test_the_steps_are_settings(make):
    budget = make(settings_of(warn_at=10, cheaper_at=20, deny_spawns_at=30, stop_at=40))
    await spend(budget, 0.41)

    assert (await budget.on_pre_tool_use(call(), HERE)).decision is Verdict.DENY


@pytest.mark.parametrize(
    ("limits", "spender"),
    [
        pytest.param({"tree": LimitTable(dollars=1)}, {"parent_session_id": "s1"}, id="tree"),
        pytest.param({"project": PeriodTable(dollars=1)}, {}, id="project"),
        pytest.param({"project": PeriodTable(dollars=1, per="day")}, {}, id="project and day"),
        pytest.param({"day": LimitTable(dollars=1)}, {"team_root": "/other"}, id="day"),
        pytest.param({"month": LimitTable(tokens=100_000)}, {"team_root": "/x"}, id="tokens"),
        pytest.param(
            {"tree": LimitTable(dollars=99), "day": LimitTable(dollars=1)},
            {"team_root": "/x"},
            id="several at once: the closest counts",
        ),
    ],
)
async def test_a_limit_holds_for_everybody_under_it(make, limits, spender):
    budget = make(BudgetSettings(repeats=0, **limits))
    await budget.on_pre_tool_use(call(), HERE)
    other = HookContext(**{"session_id": "s2", "team_root": "/repo", "cwd": "/repo"} | spender)
    await spend(budget, 1.0, context=other)

    assert (await budget.on_pre_tool_use(call(), HERE)).decision is Verdict.DENY


async def test_one_sessions_spending_is_not_anothers(make):
    budget = make()
    other = HookContext(session_id="s2", team_root="/repo")
    await spend(budget, 2.0, context=other)

    assert await budget.on_pre_tool_use(call(), HERE) is None


@pytest.mark.req("SQ-11")
async def test_a_project_reached_by_a_link_has_the_same_purse(make, tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    budget = make(BudgetSettings(project=PeriodTable(dollars=1), repeats=0))
    await spend(budget, 1.0, context=HookContext(session_id="s2", team_root=str(real)))
    linked = HookContext(session_id="s3", team_root=str(link))

    assert (await budget.on_pre_tool_use(call(context=linked), linked)).decision is Verdict.DENY


@pytest.mark.req("SQ-10")
@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini-cli", "qwen-code"])
async def test_what_a_host_wrote_down_is_counted_as_it_grows(make, tmp_path, host):
    """Three answers of 100 tokens in and 20 out, told in any number of pieces, by two processes."""
    raw = (RECORDED / f"{host}.jsonl").read_bytes()
    transcript = tmp_path / "t.jsonl"
    context = HookContext(
        session_id="s1", team_root="/repo", host=host, transcript_path=str(transcript)
    )
    ran = PostToolUse(context=context, tool_name="Bash", tool_args={})
    providers = [make(), make()]
    for number, end in enumerate(range(0, len(raw) + 2000, 2000)):
        transcript.write_bytes(raw[:end])
        await providers[number % 2].on_post_tool_use(ran, context)

    report = make().report(context)
    assert (report.tokens, [line.answers for line in report.models]) == (360, [3])


async def test_a_subagents_transcript_beside_its_parents_is_counted_too(make, tmp_path):
    transcript = tmp_path / "chat.jsonl"
    transcript.write_text("")
    beside = tmp_path / "chat" / "subagents" / "agent-1.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_bytes((RECORDED / "claude-code.jsonl").read_bytes())
    context = HookContext(
        session_id="s1", host="claude-code", transcript_path=str(transcript), team_root="/repo"
    )
    budget = make()
    await budget.on_pre_tool_use(call(context=context), context)
    stopped = SubagentStop(
        context=context, agent_name="scout", transcript_path=str(beside), tokens_used=999
    )
    await budget.on_subagent_stop(stopped, context)

    assert budget.report(context).tokens == 360


async def test_a_charge_says_whose_it_is(make, tmp_path):
    """The transcript of a subagent has its id for a name; what it is called, its events tell."""
    transcript = tmp_path / "chat.jsonl"
    transcript.write_bytes((RECORDED / "claude-code.jsonl").read_bytes())
    for name in ("sub1", "stranger"):
        beside = tmp_path / "chat" / "subagents" / f"agent-{name}.jsonl"
        beside.parent.mkdir(parents=True, exist_ok=True)
        answer = {"id": name, "model": "claude-sonnet-5", "usage": {"output_tokens": 5}}
        beside.write_text(json.dumps({"type": "assistant", "message": answer}) + "\n")
    context = HookContext(
        session_id="s1", host="claude-code", transcript_path=str(transcript), team_root="/repo"
    )
    budget = make()
    await budget.on_subagent_start(spawn(context=context), context)

    with budget.meter._database.reading() as run:
        found = run("SELECT DISTINCT host, agent FROM budget_charge ORDER BY agent")
    assert found == [
        ("claude-code", "main"),
        ("claude-code", "scout"),
        ("claude-code", "subagent"),
    ]


@pytest.mark.req("SQ-10")
async def test_a_bare_count_of_tokens_is_priced_dearly_where_nothing_better_is_told(make):
    budget = make()
    stopped = SubagentStop(
        context=HERE, agent_name="scout", agent_id="sub1", model="mystery", tokens_used=1000
    )
    await budget.on_subagent_stop(stopped, HERE)
    await budget.on_subagent_stop(stopped, HERE)

    (line,) = budget.report(HERE).models
    assert (line.micro_dollars, line.estimated) == (600_000, True)


async def test_a_count_is_not_believed_where_the_agent_told_of_every_answer(make):
    budget = make()
    child = HookContext(session_id="sub1", parent_session_id="s1", team_root="/repo")
    await spend(budget, 0.01, context=child)
    stopped = SubagentStop(context=HERE, agent_name="scout", agent_id="sub1", tokens_used=5000)
    await budget.on_subagent_stop(stopped, HERE)
    await budget.on_session_end(SessionEnd(context=HERE, tokens_used=5000), HERE)

    assert budget.report(HERE).tokens == 1000


@pytest.mark.req("SQ-10")
async def test_helpers_that_run_at_once_must_all_fit(make):
    budget = make(settings_of(spawn_reserve=0.4))
    starts = [
        SubagentStart(context=HERE, agent_name="scout", agent_id=f"sub{n}", model=SONNET)
        for n in range(3)
    ]
    said = [await budget.on_subagent_start(start, HERE) for start in starts]

    assert [getattr(each, "decision", None) for each in said] == [None, None, Verdict.DENY]
    assert "no budget left for another subagent" in said[2].reason

    await budget.on_subagent_stop(
        SubagentStop(context=HERE, agent_name="scout", agent_id="sub0"), HERE
    )
    again = await budget.on_subagent_start(starts[2], HERE)
    assert again is None or again.decision is not Verdict.DENY


@pytest.mark.req("SQ-10")
async def test_going_in_circles_has_a_person_asked(make):
    budget = make(BudgetSettings(repeats=3))
    said = [await budget.on_pre_tool_use(call(command="make"), HERE) for _ in range(3)]

    assert said[:2] == [None, None]
    assert said[2] == PreToolUseOutput(
        decision=Verdict.ASK,
        reason="Budget: the same Bash call 3 times in a row. Try a different approach.",
    )
    assert await budget.on_pre_tool_use(call(command="make test"), HERE) is None


@pytest.mark.req("SQ-10")
async def test_money_that_goes_too_fast_has_a_person_asked(make):
    budget = make(BudgetSettings(per_minute=0.5, repeats=0))
    await spend(budget, 0.6)

    assert (await budget.on_pre_tool_use(call(), HERE)).reason == (
        "Budget: $0.6000 in the last minute; $0.5000 is the limit you set."
    )


@pytest.mark.req("SQ-10")
async def test_a_session_ends_with_a_report_in_a_file_and_in_words(make, tmp_path):
    budget = make()
    await spend(budget, 0.25)
    await spend(budget, 0.10, model="claude-opus-5")
    ended = await budget.on_session_end(SessionEnd(context=HERE), HERE)

    (message,) = ended.messages
    assert message.text.splitlines() == [
        "Budget: Session s1: $0.5000, 35,000 tokens",
        "  anthropic:claude-sonnet-5: $0.2500 for 1 answer, 0 tokens read, 25,000 written",
        "  claude-opus-5: $0.2500 for 1 answer, 0 tokens read, 10,000 written",
        "  session: 50 % of $1.0000 ($0.5000)",
    ]
    kept = json.loads((tmp_path / "reports" / "s1.json").read_text())
    assert kept["micro_dollars"] == sum(line["micro_dollars"] for line in kept["models"])


async def test_a_sessions_name_cannot_lead_its_report_elsewhere(make, tmp_path):
    sly = HookContext(session_id="../../etc/cron.d/x", team_root="/repo")
    budget = make()
    await spend(budget, 0.1, context=sly)
    await budget.on_session_end(SessionEnd(context=sly), sly)

    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["______etc_cron_d_x.json"]


async def test_a_session_that_begins_poor_begins_cheap(make):
    budget = make(BudgetSettings(day=LimitTable(dollars=1), repeats=0))
    await spend(budget, 0.8, context=HookContext(session_id="earlier"))
    said = await budget.on_session_start(SessionStart(context=HERE, model=SONNET), HERE)

    assert isinstance(said, SessionStartOutput)
    assert said.modified_config == {"model": "anthropic:claude-haiku-5-5"}


@pytest.mark.parametrize(
    ("model", "instead"),
    [
        ("claude-opus-5", "claude-haiku-5-5"),
        ("claude-haiku-5-5", None),
        ("openai:gpt-6-astra", "openai:gpt-6-luna"),
        ("gemini-4-argon", "gemini-2.5-flash-lite"),
        ("llama-9", None),
    ],
)
async def test_the_cheaper_model_is_of_the_same_family_and_really_cheaper(make, model, instead):
    budget = make()
    await spend(budget, 0.8)
    said = await budget.on_subagent_start(spawn(model), HERE)

    assert (said.modified_model if said else None) == instead


@pytest.mark.req("SQ-10")
async def test_claude_codes_task_is_given_the_cheaper_model_in_its_arguments(make):
    """Its SubagentStart cannot change a model; the call that starts the subagent can."""
    context = HookContext(session_id="s1", team_root="/repo", host="claude-code")
    budget = make()
    await spend(budget, 0.8, context=context)
    task = call("Agent", context, prompt="look", model="opus")

    assert await budget.on_pre_tool_use(task, context) == PreToolUseOutput(
        decision=Verdict.MODIFY, modified_args={"prompt": "look", "model": "haiku"}
    )


@pytest.mark.req("SQ-10")
@pytest.mark.parametrize(("stance", "verdict"), [("closed", Verdict.DENY), ("open", None)])
async def test_a_store_that_cannot_be_asked_means_what_the_stance_says(tmp_path, stance, verdict):
    (tmp_path / "in-the-way").write_text("")
    meter = open_meter("sqlite", tmp_path / "in-the-way")
    budget = BudgetProvider(settings_of(stance=stance), meter)
    output = await Engine([budget]).dispatch(call())

    assert budget.stance is Stance(stance)
    assert getattr(output, "decision", None) is verdict


@pytest.mark.req("SQ-10")
async def test_spending_lost_with_a_damaged_store_is_told_and_a_transcript_brings_it_back(
    make, tmp_path
):
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes((RECORDED / "claude-code.jsonl").read_bytes())
    context = HookContext(session_id="s1", host="claude-code", transcript_path=str(transcript))
    budget = make()
    await budget.on_pre_tool_use(call(context=context), context)
    before = budget.report(context).micro_dollars
    budget.meter.close()
    for tail in ("-wal", "-shm"):
        (tmp_path / "data" / f"budget.sqlite{tail}").unlink(missing_ok=True)
    (tmp_path / "data" / "budget.sqlite").write_bytes(b"rubbish" * 999)

    again = make()
    said = await again.on_session_start(SessionStart(context=context), context)
    await again.on_pre_tool_use(call(context=context), context)

    assert "budget.sqlite.damaged-" in said.messages[0].text
    assert again.report(context).micro_dollars == before


def test_it_keeps_the_contract_of_a_provider(make):
    assert check_provider(make, isolated=False) == []
