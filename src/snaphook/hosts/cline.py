"""Cline.

PreToolUse  ->  PreToolUse  ->  {"cancel": true, "errorMessage": …}

It has no settings for hooks: an executable file named after the event, in ``~/.cline/hooks`` or
``.cline/hooks``, is the hook. Exit codes are ignored, and so is the wish to have a call reviewed.
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
    Stance,
    Stop,
    UserPromptSubmit,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import host_event
from .tighten import HostDecision, clip, host_decision, their_tool
from .tools import HostTool, ToolNames

NAME = "cline"
TITLE = "Cline"
SILENCE = Reply(stdout=b"{}\n")
_OTHERS = frozenset(
    {
        "team_attach_outcome_fragment", "team_await_runs", "team_broadcast", "team_cancel_run",
        "team_cleanup", "team_create_outcome", "team_finalize_outcome", "team_list_outcomes",
        "team_list_runs", "team_mission_log", "team_read_mailbox", "team_review_outcome_fragment",
        "team_run_task", "team_send_message", "team_shutdown_teammate", "team_spawn_teammate",
        "team_status", "team_task",
    }
)  # fmt: skip
TOOLS = ToolNames(
    {
        "run_commands": HostTool("Bash", commands="commands"),
        "read_files": HostTool("Read"),
        "editor": HostTool(
            "Edit", {"path": "file_path", "old_text": "old_string", "new_text": "new_string"}
        ),
        "search_codebase": HostTool("Grep"),
        "fetch_web_content": HostTool("WebFetch"),
        "spawn_agent": HostTool("Agent", {"task": "prompt"}),
        "ask_question": HostTool("AskUserQuestion"),
        # What earlier versions called them.
        "execute_command": HostTool("Bash"),
        "bash": HostTool("Bash"),
        "read_file": HostTool("Read", {"path": "file_path"}),
        "write_to_file": HostTool("Write", {"path": "file_path"}),
        "replace_in_file": HostTool("Edit", {"path": "file_path"}),
        "search_files": HostTool("Grep", {"regex": "pattern"}),
        "list_files": HostTool("LS"),
    },
    others=_OTHERS,
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "PreToolUse": Can(PreToolUse, (_MODIFY, _DENY), context=True, crash=Stance.CLOSED),
    "PostToolUse": Can(PostToolUse, (_BLOCK,), context=True),
    "UserPromptSubmit": Can(UserPromptSubmit),
    "TaskStart": Can(SessionStart),
    "TaskResume": Can(SessionStart),
    "TaskComplete": Can(Stop),
    "TaskError": Can(ErrorOccurred),
    "SessionShutdown": Can(SessionEnd),
}
_NAMES = {
    "tool_call": "PreToolUse",
    "tool_result": "PostToolUse",
    "prompt_submit": "UserPromptSubmit",
    "agent_start": "TaskStart",
    "agent_resume": "TaskResume",
    "agent_end": "TaskComplete",
    "agent_error": "TaskError",
    "session_shutdown": "SessionShutdown",
}
CONTEXT_LIMIT = 50_000
PLACEMENT = Placement(
    user=".cline/hooks",
    project=".cline/hooks",
    home="CLINE_DIR",
    shape=HooksFormat.SCRIPTS,
    wired=tuple(Wired(name) for name in CAN),
    program="cline",
    signs=(".cline",),
    silence_refuses='{"cancel": true, "errorMessage": "snaphook gave no answer. Run: snaphook doctor cline"}',
)


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
            told = payload.whole.get("tool_result") or payload.whole.get("postToolUse")
            result = Payload(told if isinstance(told, dict) else {}, NAME).anything(
                "output", "result"
            )
            return PostToolUse(context=context, **tool, tool_result=result, extra=extra)
        case "UserPromptSubmit":
            inner = payload.anything("userPromptSubmit")
            prompt = Payload(inner if isinstance(inner, dict) else payload.whole, NAME)
            return UserPromptSubmit(
                context=context, prompt=prompt.needed_text("prompt"), extra=extra
            )
        case "TaskStart" | "TaskResume":
            return SessionStart(context=context, extra=extra)
        case "TaskComplete":
            turn = payload.anything("turn")
            said = Payload(turn if isinstance(turn, dict) else {}, NAME).maybe("outputText")
            return Stop(context=context, last_assistant_message=said, extra=extra)
        case "TaskError":
            return ErrorOccurred(context=context, error=payload.text("error"), extra=extra)
        case _:
            return SessionEnd(context=context, extra=extra)


def _tool(payload: Payload, old: str) -> dict[str, Any]:
    """Return the call from ``tool_call``, or from the older twin whose parameters are strings."""
    new = payload.anything("tool_call", "tool_result")
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
    return {}
