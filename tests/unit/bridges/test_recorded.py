"""bridges/recorded: the hooks of a snaphook.toml, followed, and written down."""

import asyncio
from pathlib import Path

import pytest

from snaphook import canon as c
from snaphook.bridges import Bridge, SdkToolCall, from_settings
from snaphook.bridges.recorded import Recorded
from snaphook.bridges.table import PYDANTIC_AI
from snaphook.errors import ConfigError
from snaphook.stores.eventlog.audit import verify
from snaphook.stores.eventlog.read import records
from snaphook.testing import ScriptedProvider
from snaphook.wiring import assembly

DANGEROUS = SdkToolCall(name="Bash", args={"command": "rm -rf ~"}, id="1")
HARMLESS = SdkToolCall(name="Bash", args={"command": "ls"}, id="2")


@pytest.fixture
def home(tmp_path: Path, monkeypatch) -> Path:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "SNAPHOOK_TENANT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "project").mkdir()
    return tmp_path


def ruled(home: Path, text: str) -> None:
    file = home / ".config/snaphook/snaphook.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def session(hooks):
    return Bridge(hooks, sdk="some-sdk", can=PYDANTIC_AI.can).session("s1", agent_name="helper")


async def ran(args):
    return "ok"


def log_of(home: Path) -> Path:
    return home / ".local/share/snaphook/log"


async def test_a_run_is_judged_by_the_settings_and_leaves_a_record_that_verifies(home):
    hooks = from_settings(home / "project")
    here = session(hooks)

    await here.start()
    refused = await here.run_tool(DANGEROUS, ran)
    await here.run_tool(HARMLESS, ran)
    await here.end()

    assert "rm -rf" in refused
    await hooks.settled()
    kept = list(records(log_of(home)))
    assert [(one.event, one.tool, one.verdict, one.by) for one in kept] == [
        ("SessionStart", "", None, ""),
        ("PreToolUse", "Bash", "deny", "guard"),
        ("PreToolUse", "Bash", None, ""),
        ("PostToolUse", "Bash", None, ""),
        ("SessionEnd", "", None, ""),
    ]
    assert {(one.host, one.session, one.agent, one.project) for one in kept} == {
        ("some-sdk", "s1", "helper", str(home / "project"))
    }
    assert [(report.records, report.bad) for report in verify(log_of(home))] == [(5, None)]


async def test_a_denial_is_on_disk_before_anybody_hears_of_it(home):
    await session(from_settings(home / "project")).before(DANGEROUS)

    assert [one.verdict for one in records(log_of(home))] == ["deny"]


async def test_a_log_that_cannot_be_written_changes_no_decision(home, caplog):
    log_of(home).parent.mkdir(parents=True)
    log_of(home).write_text("in the way")
    here = session(from_settings(home / "project"))

    refused, allowed = await here.before(DANGEROUS), await here.before(HARMLESS)

    assert (refused.refused, allowed.refused) == (True, False)
    assert "Decisions are not affected." in caplog.text


async def test_nothing_is_written_where_the_settings_do_not_want_it(home):
    ruled(home, "[log]\nenabled = false\n")

    ruling = await session(from_settings(home / "project")).before(DANGEROUS)

    assert ruling.refused
    assert not log_of(home).exists()


async def test_settings_are_followed_while_the_program_runs(home):
    here = session(from_settings(home / "project"))
    assert (await here.before(HARMLESS)).refused is False

    ruled(home, '[[hooks.PreToolUse]]\ncommand = "echo not now >&2; exit 2"\n')

    assert (await here.before(HARMLESS)).reason == "not now"


async def test_providers_given_in_code_are_asked_after_those_of_the_settings(home):
    no = ScriptedProvider(
        "on_pre_tool_use", *[c.PreToolUseOutput(decision=c.Verdict.DENY, reason="mine")] * 2
    )
    here = session(from_settings(home / "project", providers=[no]))

    assert (await here.before(HARMLESS)).reason == "mine"
    assert (await here.before(DANGEROUS)).reason != "mine"


async def test_the_hooks_of_other_agents_files_count_where_that_is_asked_for(home):
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text(
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "exit 2"}]}]}}'
    )

    native = await session(from_settings(home / "project")).before(HARMLESS)
    every = from_settings(home / "project", dialects=assembly.EVERY)

    assert (native.refused, (await session(every).before(HARMLESS)).refused) == (False, True)


def test_settings_that_cannot_be_followed_are_told_at_once(home):
    ruled(home, "[guard]\nmode = 'sometimes'\n")

    with pytest.raises(ConfigError, match="mode"):
        from_settings(home / "project")


def test_a_synchronous_door_writes_its_record_too(home):
    hooks: Recorded = from_settings(home / "project")
    event = c.SessionEnd(context=c.HookContext(session_id="s2"))

    asyncio.run(hooks.dispatch(event))
    asyncio.run(hooks.settled())

    assert [one.session for one in records(log_of(home))] == ["s2"]
