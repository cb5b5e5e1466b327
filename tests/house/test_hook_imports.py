"""What the hook path imports is paid on every tool call, so it is pinned."""

import json
import subprocess
import sys

WIRE = {
    "hook_event_name": "PreToolUse",
    "session_id": "s",
    "tool_name": "Bash",
    "tool_input": {"command": "ls -la"},
}
NEVER = {
    "asyncio",
    "base64",
    "click",
    "dataclasses",
    "difflib",
    "email",
    "filelock",
    "gzip",
    "hashlib",
    "importlib.metadata",
    "inspect",
    "json",
    "logging",
    "rich",
    "shlex",
    "snaphook.config.gather",
    "snaphook.config.plugins",
    "snaphook.config.trust",
    "snaphook.providers.commands",
    "snaphook.wiring.recording",
    "snaphook.scrub",
    "snaphook.stores.eventlog.log",
    "socket",
    "sqlglot",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "tomllib",
    "tree_sitter",
    "typing_extensions",
    "yaml",
}


def loaded(script, home, stdin=b""):
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"{script}\nimport sys; print(*sys.modules, file=sys.stderr)"],
        input=stdin,
        capture_output=True,
        env={"HOME": str(home), "SNAPHOOK_DIRECT": "1", "SNAPHOOK_NO_DAEMON": "1"},
        cwd=home,
        check=True,
    )
    return set(done.stderr.decode().split())


def test_the_client_in_python_imports_next_to_nothing(tmp_path):
    modules = loaded("import snaphook.cli.main, snaphook.cli.ask, snaphook.daemon.client", tmp_path)

    assert {name for name in modules if name.startswith("snaphook")} == {
        "snaphook",
        "snaphook.cli",
        "snaphook.cli.ask",
        "snaphook.cli.main",
        "snaphook.cli.table",
        "snaphook.cli.stdin",
        "snaphook.daemon",
        "snaphook.daemon.client",
        "snaphook.daemon.socket_path",
        "snaphook.errors",
    }
    assert not modules & {"msgspec", "asyncio", "pathlib", "logging", "click"}


def test_a_call_without_a_daemon_loads_no_room_it_does_not_need(tmp_path):
    script = "from snaphook.cli.main import main; main(['hook', 'claude-code', 'PreToolUse'])"

    assert loaded(script, tmp_path, json.dumps(WIRE).encode()) & NEVER == set()


def test_the_guard_loads_the_rules_and_programs_that_a_call_is_about(tmp_path):
    script = "from snaphook.cli.main import main; main(['hook', 'claude-code', 'PreToolUse'])"
    guard, shell = "snaphook.providers.guard.", "snaphook.shell."

    modules = loaded(script, tmp_path, json.dumps(WIRE).encode())

    about = {
        name.removeprefix(guard).removeprefix(shell)
        for name in modules
        if name.startswith((guard, shell))
    }
    assert {name for name in about if name.startswith(("rules.", "programs.", "languages."))} == {
        "languages.table",
        "programs.network",
        "programs.program",
        "programs.shells",
        "rules.allowed_hosts",
        "rules.remote_code",
        "rules.rule",
        "rules.self_named",
    }
