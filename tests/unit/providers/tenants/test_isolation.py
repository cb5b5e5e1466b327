"""Attempts to reach another tenant's session, state, log or ledger; none gets through."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from snaphook.canon import (
    HookContext,
    HostEvent,
    PreToolUse,
    SubagentStart,
    UserPromptSubmit,
    Verdict,
)
from snaphook.config import Environment
from snaphook.engine import Engine, dispatch_sync
from snaphook.errors import ConfigError
from snaphook.providers.tenants.provider import TenantsProvider
from snaphook.testing.conformance import check_provider
from snaphook.wiring import assembly

SETTINGS = """
[budget]
repeats = 0
[budget.day]
dollars = 100
[tenants.acme]
projects = ["{root}/acme"]
[tenants.acme.budget.tenant]
dollars = 1.0
[tenants.acme.guard.rules]
"git.push-force" = "deny"
[tenants.globex]
projects = ["{root}/globex"]
"""


@pytest.fixture
def around(tmp_path):
    """Return a way to stand in one of the folders, in somebody's name."""
    home = tmp_path / "home"
    (home / ".config/snaphook").mkdir(parents=True)
    (home / ".config/snaphook/snaphook.toml").write_text(SETTINGS.format(root=tmp_path))
    for name in ("acme", "globex", "other"):
        (tmp_path / name).mkdir()

    def stand(folder="other", **env):
        return Environment(
            cwd=tmp_path / folder,
            home=home,
            env={"HOME": str(home), **env},
            managed=tmp_path / "etc",
        )

    return stand


def engine_of(around):
    return assembly.build_engine(around)


def call(session="s1", cwd="", tool="Bash", **args):
    context = HookContext(session_id=session, cwd=cwd, team_root=cwd)
    return PreToolUse(context=context, tool_name=tool, tool_args=args or {"command": "ls"})


def answer(engine, event) -> Any:
    return dispatch_sync(engine, event).output


@pytest.mark.req("SQ-11")
def test_each_tenant_has_its_own_rules_and_its_own_state(around):
    acme, here = assembly.tenanted(assembly.read_settings(around("acme")), around("acme"))
    globex, there = assembly.tenanted(assembly.read_settings(around("globex")), around("globex"))

    assert (here.tenant, there.tenant) == ("acme", "globex")
    assert here.data_dir == here.shared_dir / "tenants" / "acme"
    assert assembly.guard_settings(acme).rules == {"git.push-force": "deny"}
    assert assembly.guard_settings(globex).rules == {}
    assert acme.sections["budget"].values["day"] == {"dollars": 100}
    assert "tenant" not in globex.sections["budget"].values


@pytest.mark.req("SQ-11")
def test_what_one_tenant_spends_the_other_still_has(around):
    """A million tokens in acme's name end acme's day, and nobody else's."""
    usage = {"input_tokens": 0, "output_tokens": 1_000_000}
    payload = {"model": "claude-sonnet-5", "token_usage": usage}
    acme, globex = engine_of(around("acme")), engine_of(around("globex"))
    context = HookContext(session_id="a1")
    answer(acme, HostEvent(context=context, kind="PostModelRequest", payload=payload))

    assert answer(acme, call("a1")).decision is Verdict.DENY
    assert answer(acme, call("a2")).decision is Verdict.DENY
    assert answer(globex, call("g1")) is None


@pytest.mark.req("SQ-11")
def test_a_session_cannot_change_its_tenant_midway(around):
    acme, globex = engine_of(around("acme")), engine_of(around("globex"))
    assert answer(acme, call("s1")) is None
    context = HookContext(session_id="s1")

    for event in (
        call("s1"),
        UserPromptSubmit(context=context, prompt="go on"),
        SubagentStart(context=context, agent_name="scout"),
    ):
        said = answer(globex, event)
        assert said.decision is Verdict.DENY
        assert said.reason == (
            "Tenants: this session was started as 'acme' and cannot continue as 'globex'. "
            "Start a new session."
        )
    assert answer(engine_of(around("other")), call("s1")).decision is Verdict.DENY
    assert answer(acme, call("s1")) is None


def test_nor_can_its_subagent(around):
    answer(engine_of(around("acme")), call("s1"))
    child = HookContext(session_id="sub", parent_session_id="s1")
    event = PreToolUse(context=child, tool_name="Bash", tool_args={"command": "ls"})

    assert answer(engine_of(around("globex")), event).decision is Verdict.DENY


@pytest.mark.req("SQ-11")
@pytest.mark.parametrize(
    "args",
    [
        pytest.param({"file_path": "{tenants}/globex/log/x"}, id="a path"),
        pytest.param({"file_path": "{tenants}/acme/../globex/budget.sqlite"}, id="by a detour"),
        pytest.param({"file_path": "{link}/globex"}, id="through a link"),
        pytest.param({"path": "~/.local/share/snaphook/tenants/globex"}, id="from home"),
        pytest.param({"command": "cat {tenants}/globex/log/daemon/*.log"}, id="in a command"),
        pytest.param({"command": "ls '{tenants}'"}, id="the list of all"),
        pytest.param({"command": "SNAPHOOK_TENANT=globex snaphook log"}, id="in another's name"),
        pytest.param({"command": "env SNAPHOOK_TENANT= snaphook log"}, id="in nobody's name"),
        pytest.param({"edits": [{"path": "{tenants}/globex/x"}]}, id="nested"),
    ],
)
def test_the_tools_of_one_tenant_do_not_touch_what_another_keeps(
    around, tmp_path, monkeypatch, args
):
    here = around("acme")
    monkeypatch.setenv("HOME", str(here.home))
    tenants = here.shared_dir / "tenants"
    (tenants / "globex").mkdir(parents=True)
    (tmp_path / "acme" / "link").symlink_to(tenants)
    fence = TenantsProvider("acme", here.shared_dir)
    raw = json.dumps(args).replace("{tenants}", str(tenants))
    given = json.loads(raw.replace("{link}", str(tmp_path / "acme" / "link")))
    event = call("s1", str(tmp_path / "acme"), "Read", **given)

    said = answer(Engine([fence]), event)

    assert said is not None
    assert said.decision is Verdict.DENY


@pytest.mark.parametrize(
    "args",
    [
        {"command": "ls -la && git status"},
        {"file_path": "{tenants}/acme/notes.md"},
        {"command": "SNAPHOOK_TENANT=acme snaphook log"},
        {"content": "the tenants' folder\nis no business of ours"},
    ],
)
def test_what_is_ones_own_is_left_alone(around, args):
    here = around("acme")
    fence = TenantsProvider("acme", here.shared_dir)
    given = json.loads(json.dumps(args).replace("{tenants}", str(here.shared_dir / "tenants")))

    assert dispatch_sync(Engine([fence]), call("s1", "/tmp", **given)).output is None


@pytest.mark.req("SQ-11")
def test_an_unknown_tenant_stops_the_call(around, tmp_path):
    """Through the very command that hosts call: a clear word, and the exit status of a no."""
    here = around("other")
    wire = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": str(here.cwd),
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
    }
    done = subprocess.run(
        [sys.executable, "-m", "snaphook", "hook", "claude-code", "PreToolUse"],
        input=json.dumps(wire).encode(),
        capture_output=True,
        cwd=here.cwd,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(here.home),
            "SNAPHOOK_TENANT": "initech",
            "SNAPHOOK_DIRECT": "1",
            "SNAPHOOK_NO_DAEMON": "1",
        },
    )

    told = (done.stdout + done.stderr).decode()
    assert "SNAPHOOK_TENANT='initech' is unknown. There are: acme, globex." in told
    assert done.returncode == 2 or '"deny"' in told


def test_a_name_where_there_are_no_tenants_is_unknown_too(tmp_path):
    bare = Environment(
        cwd=tmp_path, home=tmp_path, env={"SNAPHOOK_TENANT": "acme"}, managed=tmp_path
    )

    with pytest.raises(ConfigError, match="There are: none at all"):
        assembly.build_engine(bare)


@pytest.mark.req("SQ-11")
@pytest.mark.parametrize("words", [["log"], ["budget", "status"], ["audit", "verify"]])
def test_no_command_shows_one_tenant_what_is_anothers(around, monkeypatch, capsys, words):
    """In acme's project globex's name is an error, whatever the command."""
    from snaphook.cli.main import main

    here = around("acme")
    monkeypatch.chdir(here.cwd)
    monkeypatch.setenv("HOME", str(here.home))
    monkeypatch.setenv("SNAPHOOK_TENANT", "globex")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)

    assert main(words) == 1
    assert "is a project of 'acme'" in capsys.readouterr().err


@pytest.mark.req("SQ-11")
def test_an_untrusted_project_cannot_name_tenants(around, tmp_path):
    """Its own file would make it globex's; nobody approved that."""
    (tmp_path / "other" / "snaphook.toml").write_text(
        f'[tenants.globex]\nprojects = ["{tmp_path}/other"]\n'
    )
    settings, here = assembly.tenanted(assembly.read_settings(around("other")), around("other"))

    assert here.tenant == ""
    assert settings.sections["tenants"].values["globex"] == {"projects": [f"{tmp_path}/globex"]}


@pytest.mark.req("SQ-8")
@pytest.mark.req("SQ-11")
async def test_a_session_is_handed_its_tenants_hooks_and_hears_nobody_elses(around):
    acme: Any = assembly.tenant_hooks("acme", "s1", around=around("other"))
    globex: Any = assembly.tenant_hooks("globex", "s2", around=around("other"))
    mine, other = (call(session, command="git push --force origin x") for session in ("s1", "s2"))

    assert (await acme["on_pre_tool_use"](mine, mine.context)).decision is Verdict.DENY
    assert (await globex["on_pre_tool_use"](other, other.context)).decision is Verdict.ASK
    assert acme["on_pre_tool_use"](other, other.context) is None


def test_a_tenant_that_is_not_there_has_no_hooks(around):
    with pytest.raises(ConfigError, match="'initech' is unknown"):
        assembly.tenant_hooks("initech", around=around())


def test_two_that_claim_a_session_at_once_agree_on_whose_it_is(tmp_path):
    fences = [TenantsProvider(name, tmp_path) for name in ("acme", "globex")]
    context = HookContext(session_id="../../s1")

    assert [fence._owner(context) for fence in fences] == ["acme", "acme"]
    assert {path.name for path in tmp_path.iterdir()} == {"tenants"}


def test_a_fence_that_cannot_be_put_up_is_closed(tmp_path):
    (tmp_path / "tenants").write_text("in the way")
    said = answer(Engine([TenantsProvider("acme", tmp_path)]), call())

    assert said.decision is Verdict.DENY


def test_it_keeps_the_contract_of_a_provider(tmp_path):
    assert check_provider(lambda: TenantsProvider("acme", tmp_path)) == []
