"""What ``snaphook hook`` loads is paid on every tool call, so it is counted."""

import json
import os
import subprocess
import sys

import pytest

CALL = {
    "session_id": "s",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
}
HEAVY = {
    "asyncio", "click", "email", "http", "hypothesis", "importlib.metadata", "pydantic",
    "rich", "sqlglot", "sqlite3", "tomlkit", "unittest", "urllib.request", "yaml",
}  # fmt: skip
OURS = {
    "snaphook.hosts.claude_code", "snaphook.hosts.express", "snaphook.hosts.host",
    "snaphook.hosts.json_reply", "snaphook.hosts.payload", "snaphook.hosts.placement",
    "snaphook.hosts.reading", "snaphook.hosts.refusal", "snaphook.hosts.signs",
    "snaphook.hosts.table", "snaphook.hosts.tools",
}  # fmt: skip


COUNT = (
    "import sys; from snaphook.cli.main import main; main(sys.argv[1:]); "
    "print(*sys.modules, sep='\\n', file=sys.stderr)"
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory) -> set[str]:
    """The modules of a hook that judged a harmless command, with no settings anywhere."""
    home = tmp_path_factory.mktemp("home")
    ran = subprocess.run(
        [sys.executable, "-c", COUNT, "hook", "claude-code", "PreToolUse"],
        input=json.dumps(CALL | {"cwd": str(home)}).encode(),
        capture_output=True,
        cwd=home,
        env={
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "SNAPHOOK_DIRECT": "1",
            "SNAPHOOK_NO_DAEMON": "1",
        },
        check=True,
    )
    return set(ran.stderr.decode().splitlines())


def test_nothing_heavy_is_loaded(loaded):
    assert loaded & HEAVY == set()


def test_one_host_is_loaded_and_no_other(loaded):
    assert {name for name in loaded if name.startswith("snaphook.hosts.")} == OURS
