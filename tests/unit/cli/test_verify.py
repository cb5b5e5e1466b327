"""init tries what it wrote: an agent that ignores its hooks is an error, one nobody can run is told."""

import re
import sys
from pathlib import Path

import pytest

from snaphook.cli.doctor import unknown_tools
from snaphook.cli.main import main
from snaphook.cli.proven import proven_here, remember_proven
from snaphook.config.environment import Environment
from snaphook.hosts.checkup import HostStatus
from snaphook.hosts.verified import all_verified, drift

IGNORES = """\
#!{python}
import json, pathlib, sys, urllib.request
if "--version" in sys.argv:
    print("9.9.9"); sys.exit()
home = pathlib.Path.home()
model = json.loads((home / ".factory/settings.json").read_text())["customModels"][0]
hooks = json.loads((home / ".factory/hooks.json").read_text())
body = {{"model": "m", "messages": [{{"role": "user", "content": "go"}}],
        "tools": [{{"type": "function", "function": {{"name": "Execute", "parameters": {{}}}}}}]}}
asking = urllib.request.Request(model["baseUrl"] + "/chat/completions", json.dumps(body).encode(),
                                {{"Content-Type": "application/json"}})
urllib.request.urlopen(asking).read()
if {calls}:
    import subprocess
    line = hooks["PreToolUse"][0]["hooks"][0]["command"]
    wire = {{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/", "tool_name": "Execute",
            "tool_input": {{"command": "ls"}}}}
    subprocess.run(line, shell=True, input=json.dumps(wire).encode(), check=True)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch) -> Path:
    home, bin_folder = tmp_path / "home", tmp_path / "bin"
    (tmp_path / "project/.git").mkdir(parents=True)
    home.mkdir()
    bin_folder.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{bin_folder}:/bin:/usr/bin")
    monkeypatch.chdir(tmp_path / "project")
    return home


def agent(home: Path, name: str, text: str) -> None:
    program = home.parent / "bin" / name
    program.write_text(text)
    program.chmod(0o755)


def droid(*, calls: bool) -> str:
    return IGNORES.format(python=sys.executable, calls=calls)


def test_an_agent_that_ignores_its_hooks_is_an_error(home, capsys):
    agent(home, "droid", droid(calls=False))

    assert main(["init", "--yes", "--host", "droid"]) == 1

    told = capsys.readouterr().out
    assert "Factory Droid 9.9.9 ran a command without calling the hook before it" in told
    assert "verified with 0.225.2, you have 9.9.9" in told
    assert "Done, with problems" in told


def test_an_agent_that_calls_them_is_told_with_what_it_called(home, capsys):
    agent(home, "droid", droid(calls=True))

    assert main(["init", "--yes", "--host", "droid"]) == 0
    assert "Factory Droid 9.9.9 called the hooks: PreToolUse." in capsys.readouterr().out


def test_an_agent_that_cannot_be_run_by_itself_is_not_called_a_failure(home, capsys):
    agent(home, "droid", "#!/bin/sh\necho 'log in first' >&2\nexit 1\n")

    assert main(["init", "--yes", "--host", "droid"]) == 0
    assert "were not tried (log in first)" in capsys.readouterr().out


def test_an_agent_that_no_test_runs_is_called_unverified(home, capsys):
    agent(home, "crush", "#!/bin/sh\necho crush 1.2.3\n")

    assert main(["init", "--yes", "--host", "crush"]) == 0
    assert "Crush: not verified on the real program" in capsys.readouterr().out


def test_a_listing_without_our_hooks_is_an_error(home, capsys):
    agent(home, "grok", "#!/bin/sh\necho '{\"hooks\": []}'\n")

    assert main(["init", "--yes", "--host", "grok"]) == 1
    assert "lists none of our hooks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("host", "file", "text", "key"),
    [
        ("claude-code", ".claude/settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
        (
            "gemini-cli",
            ".gemini/settings.json",
            '{"hooksConfig": {"enabled": false}}',
            "hooksConfig",
        ),
        ("droid", ".factory/settings.json", '{"hooksDisabled": true}', "hooksDisabled"),
    ],
)
def test_settings_that_switch_all_hooks_off_are_an_error(home, capsys, host, file, text, key):
    (home / file).parent.mkdir()
    (home / file).write_text(text)

    assert main(["init", "--yes", "--host", host]) == 1
    assert key in capsys.readouterr().out
    assert main(["doctor", host]) == 1
    assert "switches all hooks off" in capsys.readouterr().out


def test_no_verify_tries_nothing(home, capsys):
    agent(home, "droid", droid(calls=False))

    assert main(["init", "--yes", "--no-verify", "--host", "droid"]) == 0
    assert "ran a command" not in capsys.readouterr().out


def test_another_version_than_the_tested_one_is_told_until_it_is_proven_here(home, capsys):
    seen = all_verified()["claude-code"].version
    agent(home, "claude", "#!/bin/sh\necho 9.9.9\n")

    assert main(["doctor", "claude-code"]) == 0
    assert f"verified with {seen}, you have 9.9.9: run 'snaphook doctor claude-code --live'" in (
        " ".join(capsys.readouterr().out.split())
    )
    around = Environment.here()
    remember_proven(around, [HostStatus(host="claude-code", version="9.9.9")])
    assert proven_here(around) == {"claude-code": "9.9.9"}
    assert drift("claude-code", "9.9.9", "9.9.9") == drift("claude-code", seen) == ""


def test_tools_in_no_table_are_counted():
    called = {"Bash": 9, "Execute": 3, "Script": 2, "NewTool": 5, "mcp__a__b": 1}

    assert unknown_tools("droid", called) == (
        "tools in no table, judged by their arguments: NewTool (5), Script (2)."
    )
    assert unknown_tools("droid", {"Bash": 1}) == ""


def test_what_was_seen_of_each_agent_is_complete():
    for name, seen in all_verified().items():
        assert seen.version, name
        assert (seen.refused, seen.question, seen.own_hooks) == (True, "refused", True), name
        assert {seen.crash, seen.hang, seen.missing} <= {"runs", "refused"}, name
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", seen.date), name
