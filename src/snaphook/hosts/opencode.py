"""OpenCode, through the small plugin we ship.

tool.execute.before  ->  PreToolUse  ->  {"deny": …} or {"args": …}

OpenCode has no command hooks: its hooks are functions of a JavaScript plugin. Ours (opencode.js
beside this file) hands each call to ``snaphook hook opencode HOOK`` and acts on the JSON that comes
back. What it does when nothing comes back is written there: it refuses the tool call.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from snaphook.canon import (
    ErrorOccurred,
    Event,
    HookContext,
    HostEvent,
    Notification,
    Output,
    PostToolUse,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionSource,
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
from .tighten import host_decision, their_tool
from .tools import HostTool, ToolNames

NAME = "opencode"
TITLE = "OpenCode"
SILENCE = Reply(stdout=b"{}\n")
_FILE = {"filePath": "file_path"}
_EDIT = {
    "filePath": "file_path",
    "oldString": "old_string",
    "newString": "new_string",
    "replaceAll": "replace_all",
}
TOOLS = ToolNames(
    {
        "bash": HostTool("Bash", {"workdir": "cwd"}),
        "read": HostTool("Read", _FILE),
        "write": HostTool("Write", _FILE),
        "edit": HostTool("Edit", _EDIT),
        "patch": HostTool("Edit", {"patchText": "patch"}, patch=True),
        "apply_patch": HostTool("Edit", {"patchText": "patch"}, patch=True),
        "glob": HostTool("Glob"),
        "grep": HostTool("Grep"),
        "list": HostTool("LS"),
        "webfetch": HostTool("WebFetch"),
        "websearch": HostTool("WebSearch"),
        "todowrite": HostTool("TodoWrite"),
        "task": HostTool("Agent"),
        "skill": HostTool("Skill"),
    },
    others=frozenset(
        {"batch", "invalid", "lsp", "plan_enter", "plan_exit", "question", "todoread"}
    ),
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
_CLOSED = Stance.CLOSED
CAN: Mapping[str, Can] = {
    "session.start": Can(SessionStart, context=True),
    "chat.message": Can(
        UserPromptSubmit, (_MODIFY, _DENY), context=True, replace=True, crash=_CLOSED
    ),
    "tool.execute.before": Can(PreToolUse, (_MODIFY, _DENY), crash=_CLOSED, timeout=_CLOSED),
    "tool.execute.after": Can(PostToolUse, (_BLOCK,), context=True, replace=True),
    "session.idle": Can(Stop, (_BLOCK,)),
    "session.compacting": Can(PreCompact, context=True),
    "session.error": Can(ErrorOccurred),
    "permission.asked": Can(Notification),
    "session.deleted": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".config/opencode/plugin/snaphook.js",
    project=".opencode/plugin/snaphook.js",
    home="XDG_CONFIG_HOME",
    shape=HooksFormat.FILE,
    wired=tuple(Wired(name) for name in CAN),
    program="opencode",
    plugin="opencode.js",
    signs=(".config/opencode", ".local/share/opencode"),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what our plugin hands over: ``{hook, directory, input, output}``."""
    return decode_for(NAME, TOOLS, wire, call)


def decode_for(host: str, tools: ToolNames, wire: bytes, call: HostCall) -> Event:
    """Return what our plugin hands over in *host*, which is OpenCode or a fork of it."""
    payload = Payload.read(wire, host)
    hook = payload.text("hook", default=call.event)
    told = payload.anything("input")
    input_ = Payload(told if isinstance(told, dict) else {}, host)
    session = input_.text("sessionID")
    directory = payload.text("directory", default=call.cwd)
    context = HookContext(
        session_id=session,
        team_root=_root(payload.text("worktree"), directory),
        timestamp=call.now,
        cwd=directory,
        host=host,
        headless=payload.flag("headless"),
    )
    if hook not in CAN:
        return host_event(payload, hook, context)
    out = payload.anything("output")
    output = Payload(out if isinstance(out, dict) else {}, host)
    input_.fields["hook_event_name"] = hook
    return _event(hook, context, input_, output, tools)


def _root(worktree: str, directory: str) -> str:
    """Return the project's root; outside a repository OpenCode says "/", which is no project."""
    return worktree if worktree not in ("", "/") else directory


def _event(
    hook: str, context: HookContext, given: Payload, output: Payload, tools: ToolNames
) -> Event:
    extra = given.fields  # what is read below is gone from it by the time the event is made
    match hook:
        case "tool.execute.before":
            return PreToolUse(**_tool(context, given, output, tools), extra=extra)
        case "tool.execute.after":
            tool = _tool(context, given, given, tools)
            return PostToolUse(**tool, tool_result=output.text("output"), extra=extra)
        case "chat.message":
            prompt = given.needed_text("prompt")
            return UserPromptSubmit(context=context, prompt=prompt, extra=extra)
        case "session.start":
            source = SessionSource.RESUME if given.flag("resumed") else SessionSource.STARTUP
            return SessionStart(context=context, source=source, extra=extra)
        case "session.idle":
            active = given.flag("stop_hook_active")
            last = given.maybe("last_assistant_message")
            return Stop(
                context=context, stop_hook_active=active, last_assistant_message=last, extra=extra
            )
        case "session.compacting":
            return PreCompact(context=context, extra=extra)
        case "session.error":
            return ErrorOccurred(context=context, error=given.text("error"), extra=extra)
        case "permission.asked":
            return Notification(
                context=context,
                message=given.text("message"),
                notification_type="permission_prompt",
                extra=extra,
            )
        case _:
            return SessionEnd(context=context, reason="deleted", extra=extra)


def _tool(
    context: HookContext, given: Payload, holds_args: Payload, tools: ToolNames
) -> dict[str, Any]:
    theirs = given.needed_text("tool")
    name, args = tools.ours(theirs, holds_args.needed_object("args"))
    given.fields["tool_name"] = theirs
    return {
        "context": context,
        "tool_name": name,
        "tool_args": args,
        "tool_use_id": given.maybe("callID"),
    }


def encode(event: Event, output: Output) -> Reply:
    """Return what our plugin should do."""
    return encode_for(TITLE, TOOLS, event, output)


def encode_for(title: str, tools: ToolNames, event: Event, output: Output) -> Reply:
    """Return what our plugin should do in the host called *title*."""
    name = event.extra.get("hook_event_name", event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), title)
    body: dict[str, Any] = {}
    if decision.verdict is Verdict.DENY:
        body["deny"] = decision.reason
    elif decision.verdict is Verdict.BLOCK:
        body["block"] = decision.reason
    elif isinstance(event, PreToolUse) and decision.args is not None:
        body["args"] = tools.theirs(their_tool(event), decision.args)
    if decision.prompt is not None:
        body["prompt"] = decision.prompt
    if decision.result is not UNSET:
        body["output"] = str(decision.result)
    if decision.context:
        body["context"] = decision.context
    if decision.note:
        body["note"] = decision.note
    return reply(body) if body else SILENCE
