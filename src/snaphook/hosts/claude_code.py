"""Claude Code.

PreToolUse(Bash)  ->  PreToolUse  ->  {"hookSpecificOutput": {"permissionDecision": …}}

A JSON answer counts at any exit code but 2, so we always exit 0: exit 2 shows the model our whole
command line, a JSON deny shows it the reason alone. https://code.claude.com/docs/en/hooks
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from snaphook.canon import (
    Event,
    HostEvent,
    Notification,
    Output,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    SessionStartOutput,
    Stance,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import as_claude, refusal, reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import HostDecision, host_decision
from .tools import HostTool, ToolNames

NAME = "claude-code"
TITLE = "Claude Code"
SILENCE = Reply()
_OTHERS = frozenset(
    {
        "CronCreate", "CronDelete", "CronList", "DeferredToolPlaceholder", "EnterWorktree",
        "ExitWorktree", "ListAgents", "ListMcpResourcesTool", "ReadMcpResourceTool",
        "ReportFindings", "ScheduleWakeup", "SendMessage", "SlashCommand", "TaskCreate", "TaskGet",
        "TaskList", "TaskUpdate", "Workflow",
    }
)  # fmt: skip
TOOLS = ToolNames({"Task": HostTool("Agent"), "KillShell": HostTool("TaskStop")}, others=_OTHERS)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
_CLOSED = Stance.CLOSED
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "UserPromptSubmit": Can(
        UserPromptSubmit, (_DENY,), context=True, crash=_CLOSED, timeout=_CLOSED
    ),
    "PreToolUse": Can(
        PreToolUse,
        (_ALLOW, _MODIFY, _ASK, _DENY),
        context=True,
        crash=_CLOSED,
        timeout=_CLOSED,
    ),
    "PermissionRequest": Can(PermissionRequest, (_ALLOW, _MODIFY, _DENY)),
    "PostToolUse": Can(PostToolUse, (_BLOCK,), context=True, replace=True),
    "PostToolUseFailure": Can(PostToolUseFailure, context=True),
    "Stop": Can(Stop, (_BLOCK,), context=True),
    "SubagentStart": Can(SubagentStart, context=True),
    "SubagentStop": Can(SubagentStop, (_BLOCK,)),
    "PreCompact": Can(PreCompact, (_BLOCK,), context=True),
    "Notification": Can(Notification, context=True),
    "SessionEnd": Can(SessionEnd),
    "PostToolBatch": Can(HostEvent, context=True),
    "UserPromptExpansion": Can(HostEvent, context=True),
    "Setup": Can(HostEvent, context=True),
    "PostModelSwitch": Can(HostEvent, context=True),
}
PLACEMENT = Placement(
    user=".claude/settings.json",
    project=".claude/settings.json",
    home="CLAUDE_CONFIG_DIR",
    shape=HooksFormat.NESTED,
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit", extra={"onFailure": "block"}),
        Wired("PreToolUse", matcher="*", extra={"onFailure": "block"}),
        Wired("PostToolUse", matcher="*"),
        Wired("PostToolUseFailure", matcher="*"),
        Wired("Stop", timeout=600),
        Wired("SubagentStart"),
        Wired("SubagentStop", timeout=600),
        Wired("PreCompact"),
        Wired("Notification"),
        Wired("SessionEnd", timeout=10),
    ),
    program="claude",
    signs=(".claude",),
    http=True,
    not_http=("SessionStart",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Claude Code tells."""
    payload = Payload.read(wire, NAME)
    if (env_file := call.env.get("CLAUDE_ENV_FILE")) is not None:
        payload.fields["env_file"] = env_file
    return read(payload, call, can=CAN, tools=TOOLS, root="CLAUDE_PROJECT_DIR")


def encode(event: Event, output: Output) -> Reply:
    """Return what Claude Code should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    if isinstance(event, PreCompact):
        return _about_compaction(decision)
    body = as_claude(event, decision, name, TOOLS)
    more = replaced(event, decision) if isinstance(event, PostToolUse) else _beginning(output)
    if more:
        inner: dict[str, Any] = body.get("hookSpecificOutput", {"hookEventName": name})
        body["hookSpecificOutput"] = inner | more
    return _with_environment(reply(body), event, output)


def replaced(event: PostToolUse, decision: HostDecision) -> dict[str, Any]:
    """Return the new result in the shape of the tool's own; a bare string would be dropped."""
    if decision.result is UNSET:
        return {}
    result = decision.result
    if isinstance(result, str) and isinstance(event.tool_result, dict):
        texts = [key for key in ("stdout", "content", "result") if key in event.tool_result]
        if not texts:
            return {"updatedMCPToolOutput": result}
        blank = {"stderr": ""} if "stderr" in event.tool_result else {}
        result = event.tool_result | blank | {texts[0]: result}
    key = "updatedMCPToolOutput" if event.tool_name.startswith("mcp__") else "updatedToolOutput"
    return {key: result}


def _about_compaction(decision: HostDecision) -> Reply:
    """Return a refusal, or text that joins the instructions for the summary."""
    if decision.verdict is Verdict.BLOCK:
        return refusal(decision.reason)
    return Reply(stdout=decision.context.encode(), stderr=decision.note.encode())


def _beginning(output: Output) -> dict[str, Any]:
    """Return what is told of a beginning, besides context: Claude Code leaves alone what it does not know."""
    first = output.initial_user_message if isinstance(output, SessionStartOutput) else None
    details: dict[str, Any] = getattr(output, "details", {})
    return details | ({"initialUserMessage": first} if first else {})


def _with_environment(answered: Reply, event: Event, output: Output) -> Reply:
    """Return *answered* with export lines for the file that Claude Code sources before Bash."""
    env_file = event.extra.get("env_file")
    if not isinstance(output, SessionStartOutput) or not output.environment or not env_file:
        return answered
    from shlex import quote  # only a session that sets variables needs it

    lines = "".join(f"export {key}={quote(val)}\n" for key, val in output.environment.items())
    return Reply(
        stdout=answered.stdout,
        stderr=answered.stderr,
        append_to=str(env_file),
        append=lines.encode(),
    )
