"""Cline.

PreToolUse  ->  PreToolUse  ->  {"cancel": true, "errorMessage": …}

Read from its package, not driven by our tests. It has no settings for hooks: an executable file named
after the event, in ``~/.cline/hooks`` or ``.cline/hooks``, is the hook. Exit codes are ignored.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import (
    ErrorOccurred,
    Event,
    HookContext,
    HostEvent,
    Output,
    PostToolUse,
    PreToolUse,
    SessionEnd,
    SessionStart,
    UserPromptSubmit,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import reply
from .payload import Payload
from .reading import host_event
from .tighten import HostDecision, clip, host_decision, their_tool
from .tools import HostTool, ToolNames

NAME = "cline"
TITLE = "Cline"
SILENCE = Reply(stdout=b"{}\n")
TOOLS = ToolNames(
    {
        "execute_command": HostTool("Bash"),
        "bash": HostTool("Bash"),
        "read_file": HostTool("Read", {"path": "file_path"}),
        "write_to_file": HostTool("Write", {"path": "file_path"}),
        "replace_in_file": HostTool("Edit", {"path": "file_path"}),
        "search_files": HostTool("Grep", {"regex": "pattern"}),
        "list_files": HostTool("LS"),
    }
)
PLACEMENT = None

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "PreToolUse": Can(PreToolUse, (_MODIFY, _ASK, _DENY), context=True),
    "PostToolUse": Can(PostToolUse, (_BLOCK,), context=True),
    "UserPromptSubmit": Can(UserPromptSubmit),
    "TaskStart": Can(SessionStart),
    "TaskResume": Can(SessionStart),
    "TaskError": Can(ErrorOccurred),
    "SessionShutdown": Can(SessionEnd),
}
_NAMES = {
    "tool_call": "PreToolUse",
    "tool_result": "PostToolUse",
    "prompt_submit": "UserPromptSubmit",
    "agent_start": "TaskStart",
    "agent_resume": "TaskResume",
    "agent_error": "TaskError",
    "session_shutdown": "SessionShutdown",
}
CONTEXT_LIMIT = 50_000


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Cline tells, by its new names or by the file's name."""
    payload = Payload.read(wire, NAME)
    told = payload.text("hookName")
    kind = _NAMES.get(told, told or call.event)
    roots = [root for root in payload.items("workspaceRoots") if isinstance(root, str)]
    cwd = roots[0] if roots else call.cwd
    context = HookContext(
        session_id=payload.text("taskId"),
        team_root=cwd,
        timestamp=call.now,
        cwd=cwd,
        host=NAME,
        agent_id=payload.maybe("agent_id"),
    )
    if kind not in CAN:
        return host_event(payload, kind, context)
    payload.fields["hook_event_name"] = kind
    return _event(kind, context, payload)


def _event(kind: str, context: HookContext, payload: Payload) -> Event:
    extra = payload.fields
    match kind:
        case "PreToolUse":
            return PreToolUse(context=context, **_tool(payload, "preToolUse"), extra=extra)
        case "PostToolUse":
            tool = _tool(payload, "postToolUse")
            result = Payload(payload.whole.get("postToolUse") or {}, NAME).anything("result")
            return PostToolUse(context=context, **tool, tool_result=result, extra=extra)
        case "UserPromptSubmit":
            inner = payload.anything("userPromptSubmit")
            prompt = Payload(inner if isinstance(inner, dict) else payload.whole, NAME)
            return UserPromptSubmit(
                context=context, prompt=prompt.needed_text("prompt"), extra=extra
            )
        case "TaskStart" | "TaskResume":
            return SessionStart(context=context, extra=extra)
        case "TaskError":
            return ErrorOccurred(context=context, error=payload.text("error"), extra=extra)
        case _:
            return SessionEnd(context=context, extra=extra)


def _tool(payload: Payload, old: str) -> dict[str, Any]:
    """Return the call from ``tool_call``, or from the older twin whose parameters are strings."""
    new = payload.anything("tool_call")
    twin = payload.anything(old)
    if isinstance(new, dict):
        told = Payload(new, NAME)
        theirs, args = told.needed_text("name"), told.needed_object("input")
    else:
        told = Payload(twin if isinstance(twin, dict) else {}, NAME)
        theirs, args = told.needed_text("toolName"), told.needed_object("parameters")
    name, ours = TOOLS.ours(theirs, args)
    payload.fields["tool_name"] = theirs
    return {"tool_name": name, "tool_args": ours, "tool_use_id": told.maybe("id")}


def encode(event: Event, output: Output) -> Reply:
    """Return what Cline should hear."""
    name = event.extra.get("hook_event_name", event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body = _decision(decision)
    if (
        isinstance(event, PreToolUse)
        and decision.args is not None
        and decision.verdict is Verdict.MODIFY
    ):
        body["overrideInput"] = TOOLS.theirs(their_tool(event), decision.args)
    if decision.context:
        body["contextModification"] = clip(decision.context, CONTEXT_LIMIT)
    return Reply(stdout=reply(body).stdout or SILENCE.stdout, stderr=decision.note.encode())


def _decision(decision: HostDecision) -> dict[str, Any]:
    if decision.verdict is not None and decision.verdict.stops:
        return {"cancel": True, "errorMessage": decision.reason}
    if decision.verdict is Verdict.ASK:
        return {"review": True, "errorMessage": decision.reason}
    return {}
