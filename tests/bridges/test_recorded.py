"""The settings' hooks inside a real SDK: what they said is in the event log."""

import pytest

from snaphook.bridges import from_settings
from snaphook.hosts.tools import Tool
from snaphook.stores.eventlog.audit import verify
from snaphook.stores.eventlog.read import records

pytestmark = pytest.mark.needs("pydantic-ai")


@pytest.mark.req("SQ-7")
async def test_a_run_in_an_sdk_is_recorded_under_its_name(tmp_path, monkeypatch):
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    from snaphook.bridges.pydantic_ai import SnaphookCapability

    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    heard: list[str] = []

    def model(messages, _info):
        parts = [part for message in messages for part in message.parts]
        heard.extend(str(part.content) for part in parts if isinstance(part, ToolReturnPart))
        called = {"command": "rm -rf ~"}
        return ModelResponse(
            parts=[TextPart("done")] if heard else [ToolCallPart("run_shell", called)]
        )

    hooks = from_settings(tmp_path)
    shell = {"run_shell": Tool("Bash")}
    agent = Agent(FunctionModel(model), capabilities=[SnaphookCapability(hooks, tools=shell)])

    @agent.tool_plain
    def run_shell(command: str) -> str:
        raise AssertionError("never reached")

    await agent.run("clean up")

    await hooks.settled()
    log = tmp_path / ".local/share/snaphook/log"
    kept = list(records(log))
    assert "rm -rf" in heard[0]
    assert [(one.event, one.tool, one.verdict, one.by) for one in kept] == [
        ("SessionStart", "", None, ""),
        ("UserPromptSubmit", "", None, ""),
        ("PreToolUse", "Bash", "deny", "guard"),
        ("Stop", "", None, ""),
        ("SessionEnd", "", None, ""),
    ]
    assert {one.host for one in kept} == {"pydantic-ai"}
    assert len({one.session for one in kept}) == 1
    assert [(report.records, report.bad) for report in verify(log)] == [(5, None)]
