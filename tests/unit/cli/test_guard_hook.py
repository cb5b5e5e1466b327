"""Rules of one's own, as a host meets them: each event a process of its own, and no daemon."""

import json
import os
import subprocess
import sys
import time

import pytest

from snaphook.cli.main import main

RULES = """
[[guard.rule]]
id = "read-first"
tool = "Edit"
unless_read = true
verdict = "deny"

[[guard.rule]]
id = "tests-first"
program = "git"
subcommand = "push"
unless_ran = "make test"
verdict = "deny"

[[guard.rule]]
id = "slow"
program = "npm"
verdict = "warn"
message = "pnpm is faster"
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".config/snaphook").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    (tmp_path / "project/app.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def settings(home, text):
    (home / ".config/snaphook/snaphook.toml").write_text(text)


def hook(home, event, tool, **args):
    """Report *event* as Claude Code does, and return what it hears: nothing, or its JSON."""
    wire = {
        "hook_event_name": event,
        "session_id": "s-1",
        "cwd": str(home / "project"),
        "tool_name": tool,
        "tool_input": args,
    }
    if event == "PostToolUse":
        wire["tool_response"] = {"stdout": "", "interrupted": False}
    done = subprocess.run(
        [sys.executable, "-m", "snaphook", "hook", "claude-code", event],
        input=json.dumps(wire).encode(),
        capture_output=True,
        cwd=home / "project",
        env={
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "SNAPHOOK_NO_DAEMON": "1",
            "SNAPHOOK_DIRECT": "1",
        },
        timeout=30,
        check=True,
    )
    return json.loads(done.stdout) if done.stdout else {}


def logged(capsys):
    """Return the one record there is, once it is there: it is written after the reply."""
    for _ in range(100):
        main(["log", "--json"])
        if line := capsys.readouterr().out.strip():
            return line
        time.sleep(0.05)
    raise AssertionError("no record")


def decision(reply):
    return reply.get("hookSpecificOutput", {}).get("permissionDecision")


@pytest.mark.req("BB-PT-8")
def test_what_must_come_first_is_remembered_from_process_to_process(home):
    settings(home, RULES)
    edit = {"file_path": "app.py", "old_string": "1", "new_string": "2"}

    assert decision(hook(home, "PreToolUse", "Edit", **edit)) == "deny"
    hook(home, "PostToolUse", "Read", file_path="app.py")
    assert decision(hook(home, "PreToolUse", "Edit", **edit)) is None
    assert decision(hook(home, "PreToolUse", "Bash", command="git push origin topic")) == "deny"
    hook(home, "PostToolUse", "Bash", command="make test")
    assert decision(hook(home, "PreToolUse", "Bash", command="git push origin topic")) is None
    hook(home, "PostToolUse", "Edit", **edit)
    assert decision(hook(home, "PreToolUse", "Bash", command="git push origin topic")) == "deny"


def test_a_warning_is_heard_and_stops_nothing(home):
    settings(home, RULES)

    reply = hook(home, "PreToolUse", "Bash", command="npm ci")

    assert decision(reply) is None
    assert "pnpm is faster" in json.dumps(reply)


@pytest.mark.req("BB-PT-8", "BB-F")
def test_an_audit_stops_nothing_and_leaves_a_record_for_later_review(home, capsys):
    settings(home, '[guard]\nmode = "audit"\n')

    assert hook(home, "PreToolUse", "Bash", command="rm -rf ~") == {}

    record = json.loads(logged(capsys))
    [said] = [answer for answer in record["answers"] if answer["by"] == "guard"]
    assert (said["would"], "verdict" in said) == ("deny", False)
    assert said["rule"].startswith("delete.")
    assert "verdict" not in record
    main(["stats"])
    assert "Enforcing would have interrupted 1 call (1 deny)" in capsys.readouterr().out


@pytest.mark.req("BB-F")
def test_a_project_that_nobody_approved_forbids_and_does_not_allow(home):
    (home / "project/snaphook.toml").write_text(
        '[guard]\nmode = "audit"\n'
        '[[guard.rule]]\nid = "mine"\nprogram = "npm"\nverdict = "deny"\n'
        '[[guard.rule]]\nid = "theirs"\nabout = "*"\nverdict = "allow"\n'
    )

    assert decision(hook(home, "PreToolUse", "Bash", command="npm ci")) == "deny"
    assert decision(hook(home, "PreToolUse", "Bash", command="git reset --hard")) == "ask"
