"""The settings' hooks inside a real SDK: what they said is in the event log."""

import pytest

from snaphook.bridges import from_settings
from snaphook.hosts.tools import HostTool
from snaphook.stores.eventlog.audit import verify
from snaphook.stores.eventlog.read import records


@pytest.fixture(autouse=True)
def _at_home(tmp_path, monkeypatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "SNAPHOOK_TENANT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.needs("claude-agent-sdk")
async def test_a_callback_of_claude_code_is_recorded_under_the_name_of_its_sdk(tmp_path):
    from snaphook.bridges.claude_agent_sdk import SdkListener

    hooks = from_settings(tmp_path)
    told = {
        "hook_event_name": "PreToolUse",
        "session_id": "s1",
        "cwd": str(tmp_path),
        "tool_name": "Bash",
        "tool_input": {"command": "rm -rf ~"},
    }

    said = await SdkListener(hooks).answer(told, None, None)

    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"
    kept = list(records(tmp_path / ".local/share/snaphook/log"))
    assert [(one.host, one.session, one.tool, one.verdict) for one in kept] == [
        ("claude-agent-sdk", "s1", "Bash", "deny")
    ]


@pytest.mark.req("SQ-7")
@pytest.mark.needs("pydantic-ai")
async def test_a_run_in_an_sdk_is_recorded_under_its_name(tmp_path):
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    from snaphook.bridges.pydantic_ai import SnaphookCapability

    heard: list[str] = []

    def model(messages, _info):
        parts = [part for message in messages for part in message.parts]
        heard.extend(str(part.content) for part in parts if isinstance(part, ToolReturnPart))
        called = {"command": "rm -rf ~"}
        return ModelResponse(
            parts=[TextPart("done")] if heard else [ToolCallPart("run_shell", called)]
        )

    hooks = from_settings(tmp_path)
    shell = {"run_shell": HostTool("Bash")}
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
