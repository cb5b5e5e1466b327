"""What a session is told, and what is kept of what a person says."""

from pathlib import Path

import pytest
from tests.unit.config.helpers import put

from snaphook.agent import Agent, AgentOptions
from snaphook.canon import (
    HookContext,
    PreCompact,
    PreCompactOutput,
    SessionStart,
    SubagentStart,
    SubagentStartOutput,
    UserPromptOutput,
    UserPromptSubmit,
)
from snaphook.engine import Engine
from snaphook.providers.context import ContextProvider, ContextSettings
from snaphook.providers.context.assemble import Part, assemble
from snaphook.providers.context.skills import Skill, match, read_skill
from snaphook.stores.directives import Directives
from snaphook.stores.eventlog import EventLog, Record
from snaphook.testing import ScriptedModel, say
from snaphook.testing.conformance import check_provider

pytestmark = pytest.mark.req("SQ-12")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@pytest.fixture
def provider(tmp_path: Path) -> ContextProvider:
    return ContextProvider(state=tmp_path / "state", log=tmp_path / "log")


def at(root: Path, session: str = "s1", agent: str = "ada") -> HookContext:
    return HookContext(session_id=session, team_root=str(root), agent_name=agent)


async def told(provider: ContextProvider, root: Path, charter: str | None = None) -> str:
    context = at(root)
    event = SessionStart(context=context, charter_content=charter)
    said = await provider.on_session_start(event, context)
    return str(said.additional_context) if said else ""


async def test_a_session_begins_with_orders_decisions_history_and_the_skills_of_its_role(
    provider, root, tmp_path
):
    Directives(tmp_path / "state" / "directives", root).add("Never push to main.")
    put(root / ".squad/decisions.md", "# Decisions\n\n## Use SQLite\nIt is enough.\n")
    put(root / ".squad/agents/ada/history.md", "# History\n\n## Monday\nWrote the parser.\n")
    put(
        root / ".claude/skills/migrations/SKILL.md",
        "---\nname: migrations\ndescription: Write reversible database migrations\n---\nOne step.\n",
    )
    put(
        root / ".claude/skills/slides/SKILL.md",
        "---\nname: slides\ndescription: Make presentations\n---\nBig letters.\n",
    )

    assert await told(provider, root, "You keep the database and its migrations.") == (
        "## Standing instructions for this project\n- Never push to main.\n\n"
        "## Decisions (.squad/decisions.md)\n## Use SQLite\nIt is enough.\n\n"
        "## What was done before\n## Monday\nWrote the parser.\n\n"
        "## Skill: migrations\nOne step."
    )


async def test_of_the_history_the_last_twenty_entries_are_told(provider, root):
    entries = "".join(f"## Day {number}\n" for number in range(1, 31))
    put(root / ".squad/agents/ada/history.md", entries)

    days = [line for line in (await told(provider, root)).splitlines() if "Day" in line]
    assert days == [f"## Day {number}" for number in range(11, 31)]


async def test_without_a_file_the_history_is_what_the_event_log_has(provider, root, tmp_path):
    log = EventLog(tmp_path / "log", stream="direct")
    here = str(root)
    stop = {"last_assistant_message": "Done."}
    log.append(
        [
            Record(
                id="1",
                time=1.0,
                event="UserPromptSubmit",
                session="s0",
                project=here,
                input={"prompt": "Fix it"},
            ),
            Record(id="2", time=2.0, event="Stop", session="s0", project=here, input=stop),
            Record(id="3", time=3.0, event="Stop", session="s9", project="/elsewhere", input=stop),
        ]
    )
    log.close()

    assert await told(provider, root) == "## What was done before\n- Fix it -> Done."


async def test_a_project_without_anything_to_tell_says_nothing(provider, root):
    assert await told(provider, root, "You review code.") == ""


async def test_files_that_lead_out_of_the_project_are_not_told(provider, root, tmp_path):
    put(tmp_path / "secret.md", "## Secret\n")
    (root / "DECISIONS.md").symlink_to(tmp_path / "secret.md")
    outside = ContextSettings(decisions=("../secret.md",))

    assert await told(provider, root) == ""
    assert await told(ContextProvider(outside, state=tmp_path), root) == ""


async def test_a_directive_is_kept_reported_and_told_to_later_sessions(provider, root):
    context = at(root)
    prompt = UserPromptSubmit(context=context, prompt="Fix it. Never push to main.")

    said = await provider.on_user_prompt_submitted(prompt, context)

    assert isinstance(said, UserPromptOutput)
    assert said.captured_directives == ("Never push to main.",)
    assert "Never push to main." in said.messages[0].text
    assert "- Never push to main." in await told(provider, root)

    child = SubagentStart(context=context, agent_name="scout")
    heard = await provider.on_subagent_start(child, context)
    assert isinstance(heard, SubagentStartOutput)
    assert "- Never push to main." in str(heard.additional_context)
    kept = await provider.on_pre_compact(PreCompact(context=context), context)
    assert kept == PreCompactOutput(preserve_context=("Never push to main.",))


async def test_directives_of_one_project_are_not_told_in_another(provider, root, tmp_path):
    context = at(root)
    prompt = UserPromptSubmit(context=context, prompt="Never push to main.")
    await provider.on_user_prompt_submitted(prompt, context)

    assert await told(provider, tmp_path / "other") == ""


async def test_a_secret_in_a_directive_is_not_kept(provider, root, tmp_path):
    token = "ghp_" + "a1B2" * 9
    context = at(root)
    prompt = UserPromptSubmit(context=context, prompt=f"Always use the token {token} for pushes.")

    said = await provider.on_user_prompt_submitted(prompt, context)

    assert isinstance(said, UserPromptOutput)
    assert token not in str(said)
    [file] = (tmp_path / "state" / "directives").iterdir()
    assert token not in file.read_text()


async def test_capturing_can_be_switched_off(root, tmp_path):
    provider = ContextProvider(ContextSettings(capture=False), state=tmp_path)
    context = at(root)
    prompt = UserPromptSubmit(context=context, prompt="Never push to main.")

    assert await provider.on_user_prompt_submitted(prompt, context) is None


async def test_an_agent_hears_in_its_second_session_what_was_ordered_in_the_first(provider, root):
    for number, prompt in enumerate(("Never push to main.", "What now?")):
        model = ScriptedModel([say("ok")])
        options = AgentOptions(cwd=str(root), agent_name="ada")
        agent = Agent(model=model, engine=Engine([provider]), options=options)
        await agent.send_message(prompt)
        await agent.close()
        ordered = model.asked[0].heard("Standing instructions for this project")
        assert ordered is bool(number)


def test_what_does_not_fit_is_left_out_oldest_first_and_said_so():
    entries = tuple(f"entry {number:03}" for number in range(100))
    parts = [
        Part(title="First", entries=("short",)),
        Part(title="Many", entries=entries, source="x"),
    ]

    text = assemble(parts, tokens=100)

    assert text is not None
    assert len(text) <= 400
    assert text.startswith("## First\nshort\n\n## Many\n(")
    assert "more left out; see x)" in text
    assert text.endswith("entry 099")
    assert assemble(parts, tokens=0) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no front matter",
        "---\n: [\n---\n",
        "---\n- a list\n---\n",
        "---\ndescription: x\n---\n",
    ],
)
def test_a_file_that_tells_no_skill_is_passed_over(text):
    assert read_skill("x/SKILL.md", text) is None


def test_words_that_every_skill_has_match_none():
    skills = [
        Skill(name=name, description=f"{name} for our backend", body="", path="")
        for name in ("testing", "releasing", "profiling")
    ]

    matched = match("You write backend tests and do testing all day.", skills)

    assert [skill.name for skill in matched] == []


@pytest.mark.parametrize(
    ("table", "where"),
    [
        ({"tokens": -1}, [("tokens",)]),
        ({"decisions": ["../x.md", "/etc/passwd", "fine.md"]}, [("decisions",)] * 2),
        ({"skills": ["skills/*/SKILL.md"], "tokens": 0}, []),
    ],
)
def test_settings_that_lead_astray_are_found(table, where):
    assert [flaw[0] for flaw in ContextSettings.find_errors(table)] == where


def test_it_keeps_every_promise_of_a_provider(tmp_path):
    folders = iter(range(100))

    def fresh() -> ContextProvider:
        return ContextProvider(state=tmp_path / str(next(folders)), root=tmp_path)

    assert check_provider(fresh, isolated=False) == []
