"""hook: the verb that hosts call always answers, and means it."""

import json
import os
import subprocess
import sys
import time

import pytest

from snaphook.cli import hook
from snaphook.cli.main import main
from snaphook.cli.stdin import read_stdin
from snaphook.errors import UsageError, WireError
from snaphook.hosts import HostCall, Reply, host_named

CLAUDE = host_named("claude-code")
CALL = {
    "hook_event_name": "PreToolUse",
    "session_id": "s",
    "tool_name": "Bash",
    "tool_input": {"command": "git push --force origin main"},
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home without settings, and nothing of the developer's own."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(home, host, event, wire, **options):
    """Run the program as a host does."""
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "SNAPHOOK_NO_DAEMON": "1"}
    env["SNAPHOOK_DIRECT"] = "1"
    return subprocess.run(
        [sys.executable, "-m", "snaphook", "hook", host, *event],
        input=wire,
        capture_output=True,
        cwd=home,
        env=env,
        timeout=30,
        **options,
    )


def denial(reply: Reply) -> str:
    body = json.loads(reply.stdout)["hookSpecificOutput"]
    assert body["permissionDecision"] == "deny"
    return str(body["permissionDecisionReason"])


@pytest.mark.req("BB-1")
def test_a_dangerous_command_is_denied_and_a_harmless_one_passes(home):
    denied = run(home, "claude-code", ["PreToolUse"], json.dumps(CALL).encode())
    harmless = CALL | {"tool_input": {"command": "ls"}}
    passed = run(home, "claude-code", ["PreToolUse"], json.dumps(harmless).encode())

    assert json.loads(denied.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert (denied.stderr, denied.returncode) == (b"", 0)
    assert (passed.stdout, passed.stderr, passed.returncode) == (b"", b"", 0)


def test_trap_1_a_crash_of_ours_refuses_the_call(home, monkeypatch):
    def crash(*_words, **_more):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("snaphook.wiring.assembly.build_engine", crash)

    reply = hook.respond(CLAUDE, HostCall(event="PreToolUse"), json.dumps(CALL).encode())

    assert "internal error: ZeroDivisionError: oops" in denial(reply)


def test_settings_that_cannot_be_followed_refuse_the_call_and_say_where(home):
    settings = home / ".config/snaphook/snaphook.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[[hooks.PreToolUze]]\ncommand = 'true'\n")

    reply = hook.respond(CLAUDE, HostCall(event="PreToolUse"), json.dumps(CALL).encode())

    assert "PreToolUze" in denial(reply)
    assert "snaphook.toml:1" in denial(reply)


def test_trap_2_an_unknown_host_is_told_in_words(capsys):
    assert main(["hook", "claud-code", "PreToolUse"]) == 2
    assert "Did you mean 'claude-code'?" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--help"], ["a", "b", "c", "d"]])
def test_trap_2_a_wrong_call_is_told_in_words(words):
    with pytest.raises(UsageError, match="snaphook hook HOST"):
        hook.main(words)


def test_trap_3_an_engine_that_hangs_is_answered_for_in_time(home, monkeypatch):
    monkeypatch.setattr("snaphook.wiring.assembly.build_engine", lambda *_, **__: time.sleep(60))
    monkeypatch.setattr("snaphook.hosts.host.MARGIN", 0.002)

    reply = hook.respond(CLAUDE, HostCall(event="PreToolUse"), json.dumps(CALL).encode())

    assert "no answer within 0.12 s" in denial(reply)


def test_trap_22_a_pipe_that_stays_open_is_read_to_the_end_of_the_document(home):
    process = subprocess.Popen(
        [sys.executable, "-m", "snaphook", "hook", "claude-code", "PreToolUse"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=home,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "SNAPHOOK_NO_DAEMON": "1"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(json.dumps(CALL).encode())
        process.stdin.flush()  # and never closed, as Kiro 0.x does
        answered = process.stdout.read()

    assert b'"deny"' in answered


@pytest.fixture
def stdin():
    """A pipe in the place of stdin; yields the end to write to."""
    kept = os.dup(0)
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    os.close(reading)
    yield writing
    os.dup2(kept, 0)
    os.close(kept)


def test_trap_22_a_message_that_stops_in_the_middle_is_an_error_in_time(stdin):
    os.write(stdin, b'{"hook_event_name": ')

    with pytest.raises(WireError, match=r"no whole message within 0\.2 s"):
        read_stdin(patience=0.2)
    os.close(stdin)


def test_a_slow_message_is_waited_for(stdin):
    for piece in (b'{"a": {"b": 1}', b', "c"', b": 2}"):
        os.write(stdin, piece)
    os.close(stdin)

    assert read_stdin() == b'{"a": {"b": 1}, "c": 2}'


def test_a_message_too_large_to_judge_is_an_error(stdin, monkeypatch):
    monkeypatch.setattr("snaphook.cli.stdin.LIMIT", 10)
    os.write(stdin, b"x" * 20)

    with pytest.raises(WireError, match="in one message"):
        read_stdin()
    os.close(stdin)


def test_trap_22_a_payload_may_come_as_the_last_word(home):
    told = {"type": "agent-turn-complete", "thread-id": "t", "cwd": str(home)}

    ran = run(home, "codex", ["notify", json.dumps(told)], b"")

    assert (ran.stdout, ran.stderr, ran.returncode) == (b"", b"", 0)


def test_trap_15_copilot_running_claudes_settings_hears_its_own_words(home):
    wire = CALL | {"timestamp": "2026-01-01T00:00:00Z"}

    reply = hook.respond(
        CLAUDE,
        HostCall(event="PreToolUse", env={"COPILOT_CLI": "1"}, cwd=str(home)),
        json.dumps(wire).encode(),
    )

    assert json.loads(reply.stdout)["permissionDecision"] == "deny"


def test_lines_for_the_hosts_own_file_are_appended(tmp_path, capfdbinary):
    file = tmp_path / "env.sh"
    file.write_bytes(b"export A=1\n")

    hook.deliver(Reply(stdout=b"out", stderr=b"err", append_to=str(file), append=b"export B=2\n"))

    assert file.read_bytes() == b"export A=1\nexport B=2\n"
    assert capfdbinary.readouterr() == (b"out", b"err")
