"""The MCP proxy in real agents: they start it, call through it, and their model hears why not."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.bridges import mcp_server

from snaphook.stores.eventlog.read import records
from snaphook.testing import say
from snaphook.testing.script import Call

from .conftest import SNAPHOOK

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("mcp")]
ARGS = ["mcp-proxy", "--name", "demo", "--", sys.executable, mcp_server.__file__]


def in_claude_code(argv: Sequence[str], folder: Path) -> Sequence[str]:
    """Return the words that have Claude Code read what the how-to writes into ``.mcp.json``."""
    config = folder / "mcp.json"
    server = {"command": str(SNAPHOOK), "args": ARGS}
    config.write_text(json.dumps({"mcpServers": {"demo": server}}))
    return ["--mcp-config", str(config), "--allowedTools", "mcp__demo", *argv]


def in_codex(argv: Sequence[str], _folder: Path) -> Sequence[str]:
    """Return the words that stand for what the how-to writes into ``config.toml``."""
    verb, *rest = argv
    server = {
        "command": str(SNAPHOOK),
        "args": ARGS,
        "required": True,
    }  # the first turn waits for it
    words = [f"mcp_servers.demo.{key}={json.dumps(value)}" for key, value in server.items()]
    return [verb, *(word for each in words for word in ("-c", each)), *rest]


@pytest.mark.parametrize(
    ("host", "configured", "client"),
    [
        pytest.param(
            "claude-code",
            in_claude_code,
            "claude-code",
            id="claude-code",
            marks=pytest.mark.needs("claude-code"),
        ),
        pytest.param(
            "codex", in_codex, "codex-mcp-client", id="codex", marks=pytest.mark.needs("codex")
        ),
    ],
)
def test_an_agent_is_told_why_a_tool_of_a_server_did_not_run(
    bench, tmp_path, host, configured: Callable[..., Any], client
):
    here = bench(
        host,
        say("I shall tidy up", Call("mcp__demo__run_command", {"command": "rm -rf ~"})),
        say("Then look", Call("mcp__demo__run_command", {"command": "ls"})),
        say("done"),
    )
    here.ruled()
    plain = here.agent.argv
    agent = replace(
        here.agent,
        argv=lambda prompt, resume, flags: configured(plain(prompt, resume, flags), tmp_path),
    )

    replace(here, agent=agent).run("tidy up")

    assert [asked.news for asked in here.asked if "delete.everything" in asked.news]
    assert [asked.news for asked in here.asked if "ran ls" in asked.news]
    assert [asked.news for asked in here.asked if "POST-MARK" in asked.news]
    log = here.place.home / ".local/share/snaphook/log"
    judged = [one for one in records(log) if one.event == "PreToolUse"]
    assert [(one.host, one.agent, one.tool, one.verdict) for one in judged] == [
        ("mcp-proxy", client, "Bash", "deny"),
        ("mcp-proxy", client, "Bash", None),
    ]
