"""Gemini CLI.

BeforeTool(run_shell_command)  ->  PreToolUse(Bash)  ->  {"decision": "deny", "reason": …}

Whatever parses as JSON on stdout beats the exit code. An ``ask`` without a person in front waits
for ever, and nothing in the payload tells whether one is there: so it is taken for unattended
unless SNAPHOOK_ATTENDED says otherwise. https://geminicli.com/docs/hooks
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from snaphook.canon import (
    Event,
    HostEvent,
    Notification,
    Output,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    PreToolUseOutput,
    SessionEnd,
    SessionStart,
    Stop,
    UserPromptSubmit,
    Verdict,
)
from snaphook.errors import WireError

from .host import Can, HostCall, Reply
from .json_reply import nested, noted, replacement, reply, with_context
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import HostDecision, host_decision, their_tool
from .tools import HostTool, ToolNames

MARK_VARIABLE = "SNAPHOOK_APPROVAL_MARK"
"""What ``init`` hands to our hook where calls may be approved; see ``install.gemini_policy``."""
MARK = "snaphook-approved-"
"""How every such mark begins."""

NAME = "gemini-cli"
TITLE = "Gemini CLI"
SILENCE = Reply()
_OTHERS = frozenset(
    {
        "activate_skill", "ask_user", "enter_plan_mode", "exit_plan_mode",
        "list_background_processes", "read_background_output", "save_memory", "update_topic",
    }
)  # fmt: skip
TOOLS = ToolNames(
    {
        "run_shell_command": HostTool("Bash", {"dir_path": "cwd"}),
        "read_file": HostTool("Read", {"absolute_path": "file_path"}),
        "write_file": HostTool("Write"),
        "replace": HostTool("Edit"),
        "edit": HostTool("Edit"),
        "glob": HostTool("Glob", {"dir_path": "path"}),
        "grep_search": HostTool("Grep", {"dir_path": "path"}),
        "search_file_content": HostTool("Grep", {"dir_path": "path"}),
        "list_directory": HostTool("LS", {"dir_path": "path"}),
        "web_fetch": HostTool("WebFetch"),
        "google_web_search": HostTool("WebSearch"),
        "invoke_agent": HostTool("Agent", {"agent_name": "subagent_type"}),
        "agent": HostTool("Agent"),
        "write_todos": HostTool("TodoWrite"),
    },
    mcp=("mcp_", "_"),
    others=_OTHERS,
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "BeforeAgent": Can(UserPromptSubmit, (_DENY,), context=True),
    "BeforeTool": Can(
        PreToolUse, (_ALLOW, _MODIFY, _ASK, _DENY), unattended=(_ALLOW, _MODIFY, _DENY)
    ),
    "AfterTool": Can(PostToolUse, (_BLOCK,), context=True, replace=True),
    "AfterAgent": Can(Stop, (_BLOCK,)),
    "PreCompress": Can(PreCompact),
    "Notification": Can(Notification),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".gemini/settings.json",
    project=".gemini/settings.json",
    shape=HooksFormat.NESTED,
    timeout_factor=1000,
    # PreCompress is left out: it fires before every model request, compression or not.
    wired=(
        Wired("SessionStart"),
        Wired("BeforeAgent"),
        Wired("BeforeTool", matcher="*"),
        Wired("AfterTool", matcher="*"),
        Wired("AfterAgent", timeout=600),
        Wired("Notification"),
        Wired("SessionEnd", timeout=10),
    ),
    program="gemini",
    signs=(".gemini/settings.json", ".gemini/tmp"),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Gemini CLI tells; a tool that came back with an error has failed."""
    payload = Payload.read(wire, NAME)
    mark = call.env.get(MARK_VARIABLE, "")
    if mark and mark.encode() in wire:
        raise WireError(
            where=NAME,
            what="the call carries the mark of an approval",
            fix="Leave dir_path out; only Snaphook sets the mark.",
        )
    event = read(payload, call, can=CAN, tools=TOOLS, root="GEMINI_PROJECT_DIR")
    if isinstance(event, PostToolUse) and (error := _error(event.tool_result)):
        return PostToolUseFailure(
            context=event.context,
            tool_name=event.tool_name,
            tool_args=event.tool_args,
            error=error,
            extra=event.extra | {"tool_response": event.tool_result},
        )
    if isinstance(event, PreToolUse):
        attended = call.env.get("SNAPHOOK_ATTENDED", "0") not in ("", "0")
        event = replace(event, context=replace(event.context, headless=not attended))
        if mark:
            event = replace(event, extra=event.extra | {"approval_mark": mark})
    return event


def encode(event: Event, output: Output) -> Reply:
    """Return what Gemini CLI should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = noted(event, decision)
    inner: dict[str, Any] = {}
    match event:
        case PreToolUse():
            body |= _decision(decision)
            if decision.args is not None and decision.verdict is not Verdict.DENY:
                inner = {"tool_input": TOOLS.theirs(their_tool(event), decision.args)}
            if decision.approved or _approves(output):
                inner = _marked(event, inner) or inner
        case PostToolUse() if decision.result is not UNSET:
            body |= {"decision": "deny", "reason": replacement(decision)}
        case PostToolUse() | UserPromptSubmit() | Stop():
            body |= _decision(decision)
    return reply(body | nested(name, with_context(inner, decision)))


def _decision(decision: HostDecision) -> dict[str, Any]:
    if decision.verdict is None or decision.verdict is Verdict.MODIFY:
        return {}
    word = "deny" if decision.verdict.stops else decision.verdict.value
    return {"decision": word} | ({"reason": decision.reason} if decision.reason else {})


def _approves(output: Output) -> bool:
    """Say whether the call itself was approved; an allow of somebody else's hook changes no prompt."""
    return (
        isinstance(output, PreToolUseOutput)
        and output.decision is Verdict.ALLOW
        and output.approved_args is not None
    )


def _marked(event: PreToolUse, inner: dict[str, Any]) -> dict[str, Any]:
    """Return the call with the mark that our policy in its settings lets through."""
    mark = event.extra.get("approval_mark")
    if not mark or their_tool(event) != "run_shell_command":
        return {}
    args = inner.get("tool_input") or TOOLS.theirs("run_shell_command", event.tool_args)
    folder = str(args.get("dir_path") or "")
    if folder.startswith("/"):
        return {}
    return {"tool_input": {**args, "dir_path": f"{mark}/../{folder}"}}


def _error(result: Any) -> str | None:
    error = result.get("error") if isinstance(result, dict) else None
    if isinstance(error, dict):
        error = error.get("message")
    return error if isinstance(error, str) and error else None
