"""The MCP proxy in a real agent: Claude Code starts it, calls through it, and its model hears why not."""

import json
import sys

import pytest
from msgspec.structs import replace
from tests.bridges import mcp_server

from snaphook.stores.eventlog.read import records
from snaphook.testing import say
from snaphook.testing.script import Call

from .conftest import SNAPHOOK

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("claude-code", "mcp")]


def test_claude_code_is_told_why_a_tool_of_a_server_did_not_run(bench, tmp_path):
    here = bench(
        "claude-code",
        say("I shall tidy up", Call("mcp__demo__run_command", {"command": "rm -rf ~"})),
        say("Then look", Call("mcp__demo__run_command", {"command": "ls"})),
        say("done"),
    )
    here.ruled()
    config = tmp_path / "mcp.json"
    behind = [sys.executable, mcp_server.__file__]
    server = {"command": str(SNAPHOOK), "args": ["mcp-proxy", "--name", "demo", "--", *behind]}
    config.write_text(json.dumps({"mcpServers": {"demo": server}}))
    options = ["--mcp-config", str(config), "--allowedTools", "mcp__demo"]
    plain = here.agent.argv
    agent = replace(here.agent, argv=lambda prompt, resume: [*options, *plain(prompt, resume)])

    replace(here, agent=agent).run("tidy up")

    assert [asked.news for asked in here.asked if "delete.everything" in asked.news]
    assert [asked.news for asked in here.asked if "ran ls" in asked.news]
    assert [asked.news for asked in here.asked if "POST-MARK" in asked.news]
    log = here.place.home / ".local/share/snaphook/log"
    judged = [one for one in records(log) if one.event == "PreToolUse"]
    assert [(one.host, one.agent, one.tool, one.verdict) for one in judged] == [
        ("mcp-proxy", "claude-code", "Bash", "deny"),
        ("mcp-proxy", "claude-code", "Bash", None),
    ]
