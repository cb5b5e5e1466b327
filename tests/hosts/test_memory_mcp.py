"""The memory server in a real agent: Claude Code starts it, asks it, and tells its model."""

import json

import pytest
from msgspec.structs import replace

from snaphook.testing import say
from snaphook.testing.script import Call

from .conftest import SNAPHOOK

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("claude-code")]


def test_claude_code_remembers_and_recalls_over_mcp(bench, tmp_path):
    fact = "Deployments go through make ship, never by hand"
    here = bench(
        "claude-code",
        say("I shall keep that", Call("mcp__memory__remember", {"text": fact})),
        say("And ask", Call("mcp__memory__recall", {"query": "how are deployments done?"})),
        say("done"),
    )
    config = tmp_path / "mcp.json"
    server = {"command": str(SNAPHOOK), "args": ["memory", "serve"]}
    config.write_text(json.dumps({"mcpServers": {"memory": server}}))
    options = ["--mcp-config", str(config), "--allowedTools", "mcp__memory"]
    plain = here.agent.argv
    agent = replace(
        here.agent, argv=lambda prompt, resume, flags: [*options, *plain(prompt, resume, flags)]
    )

    replace(here, agent=agent).run("remember how we deploy")

    assert [asked.news for asked in here.asked if "Kept: " in asked.news]
    assert [asked.news for asked in here.asked if f'"{fact}" [mcp]' in asked.news]
