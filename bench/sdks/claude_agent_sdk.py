"""claude-agent-sdk: what its callbacks cost in our process; the agent itself is a program of its own."""

from typing import Any

from bench.sdks import CALLS, Go
from snaphook.bridges.claude_agent_sdk import SdkListener

BEFORE = {
    "hook_event_name": "PreToolUse",
    "session_id": "s",
    "transcript_path": "/dev/null",
    "cwd": "/tmp",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "tool_use_id": "1",
}
AFTER = BEFORE | {"hook_event_name": "PostToolUse", "tool_response": {"stdout": "a", "stderr": ""}}


def run(hooks: Any) -> Go:
    listener = SdkListener(hooks)

    async def called_back() -> None:
        for _ in range(CALLS):
            await listener.answer(BEFORE, "1", None)
            await listener.answer(AFTER, "1", None)

    return called_back
