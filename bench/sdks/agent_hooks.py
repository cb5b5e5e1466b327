"""AGENT-HOOKS: what an interceptor costs its host at the two points around a call."""

from typing import Any

from bench.sdks import CALLS, Go
from snaphook.bridges.agent_hooks import Interceptor

ABOUT: dict[str, Any] = {"session": {"id": "s"}, "agent": {"id": "a"}}
CALL = {"id": "1", "name": "work", "args": {"step": 1}}
RESULT = {"value": "did 1", "is_error": False}
BEFORE = ABOUT | {"interception_point": "pre_tool_call", "tool_call": CALL}
AFTER = ABOUT | {
    "interception_point": "post_tool_call",
    "tool_call": CALL,
    "tool_result": RESULT,
}


def run(hooks: Any) -> Go:
    interceptor = Interceptor(hooks)

    async def intercepted() -> None:
        for _ in range(CALLS):
            await interceptor.intercept(BEFORE)
            await interceptor.intercept(AFTER)

    return intercepted
