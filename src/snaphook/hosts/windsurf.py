"""Windsurf Cascade.

pre_run_command  ->  PreToolUse(Bash)  ->  exit 2, the reason on stderr

From its documents, not driven by our tests. The event names the tool; only exit 2 of a ``pre_``
event is heard, and nothing we print reaches the model.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import (
    Event,
    HookContext,
    HostEvent,
    Output,
    PostToolUse,
    PreToolUse,
    Stop,
    UserPromptSubmit,
    Verdict,
)

from .exit_reply import by_exit_code
from .host import Can, HostCall, Reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import host_event
from .tighten import host_decision
from .tools import ToolNames

NAME = "windsurf"
TITLE = "Windsurf"
SILENCE = Reply()
TOOLS = ToolNames()

_DENY = (Verdict.DENY,)
CAN: Mapping[str, Can] = {
    "pre_run_command": Can(PreToolUse, _DENY),
    "pre_write_code": Can(PreToolUse, _DENY),
    "pre_read_code": Can(PreToolUse, _DENY),
    "pre_mcp_tool_use": Can(PreToolUse, _DENY),
    "pre_user_prompt": Can(UserPromptSubmit, _DENY),
    "post_run_command": Can(PostToolUse),
    "post_write_code": Can(PostToolUse),
    "post_read_code": Can(PostToolUse),
    "post_mcp_tool_use": Can(PostToolUse),
    "post_cascade_response": Can(Stop),
}
PLACEMENT = Placement(
    user=".codeium/windsurf/hooks.json",
    project=".windsurf/hooks.json",
    shape=HooksFormat.FLAT,
    typed=False,
    timeout_key=None,
    wired=tuple(Wired(event) for event in CAN),
    program="windsurf",
    signs=(".codeium/windsurf",),
)
_TOOLS = {"run_command": "Bash", "write_code": "Edit", "read_code": "Read"}


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Cascade tells: its action is the tool, ``tool_info`` the arguments."""
    payload = Payload.read(wire, NAME)
    action = payload.text("agent_action_name", default=call.event)
    info = payload.anything("tool_info")
    told = Payload(info if isinstance(info, dict) else {}, NAME)
    cwd = told.text("cwd", default=call.cwd)
    context = HookContext(
        session_id=payload.text("trajectory_id"),
        team_root=cwd,
        timestamp=call.now,
        cwd=cwd,
        host=NAME,
        turn_id=payload.maybe("execution_id"),
    )
    if action not in CAN:
        return host_event(payload, action, context)
    extra = payload.fields | {"hook_event_name": action}
    match CAN[action].event.__name__:
        case "UserPromptSubmit":
            prompt = told.needed_text("user_prompt")
            return UserPromptSubmit(context=context, prompt=prompt, extra=extra)
        case "Stop":
            last = told.maybe("response")
            return Stop(context=context, last_assistant_message=last, extra=extra)
        case "PreToolUse":
            return PreToolUse(context=context, **_tool(action, told), extra=extra)
        case _:
            result = told.anything("mcp_result")
            call_ = _tool(action, told)
            return PostToolUse(context=context, **call_, tool_result=result, extra=extra)


def encode(event: Event, output: Output) -> Reply:
    """Return what Cascade should hear."""
    name = event.extra.get("hook_event_name", event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    return by_exit_code(decision)


def _tool(action: str, told: Payload) -> dict[str, Any]:
    kind = action.partition("_")[2]
    if kind == "run_command":
        return {"tool_name": "Bash", "tool_args": {"command": told.needed_text("command_line")}}
    if kind == "mcp_tool_use":
        server, tool = told.text("mcp_server_name"), told.needed_text("mcp_tool_name")
        args = told.needed_object("mcp_tool_arguments")
        return {"tool_name": f"mcp__{server}__{tool}", "tool_args": args}
    told.needed_text("file_path")
    return {"tool_name": _TOOLS[kind], "tool_args": dict(told.whole)}
