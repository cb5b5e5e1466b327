"""A message as a host would send it, to see how we answer.

host + event + command  ->  wire bytes        Reply  ->  is it a refusal?

Pure.
"""

import json
from typing import Any

from snaphook.canon import PreToolUse, SubagentStart, ToolEvent, UserPromptSubmit
from snaphook.config.probes import SESSION as SESSION
from snaphook.hosts.host import Host, Reply


def probe(host: Host, event: str, command: str, cwd: str) -> bytes:
    """Return a message about *command* in the words of *host*; other events get what they need."""
    kind = host.CAN[event].event
    shell = next((name for name, tool in host.TOOLS.tools.items() if tool.name == "Bash"), "Bash")
    args = {"command": command}
    wire: dict[str, Any] = {"hook_event_name": event, "session_id": SESSION, "cwd": cwd}
    match host.NAME:
        case "generic":
            own = {"tool_name": "Bash", "tool_args": args} if issubclass(kind, ToolEvent) else {}
            wire = {"event": event, "context": {"session_id": SESSION, "cwd": cwd}, **own}
        case "opencode" | "kilo":
            given = {"sessionID": SESSION, "tool": shell, "prompt": command}
            wire = {"hook": event, "directory": cwd, "input": given, "output": {"args": args}}
        case "windsurf":
            info = {"command_line": command, "user_prompt": command, "file_path": f"{cwd}/x"}
            info |= {"cwd": cwd, "mcp_tool_name": "t"}
            wire = {"agent_action_name": event, "tool_info": info | {"mcp_tool_arguments": args}}
        case "cline":
            wire = {"hookName": event, "tool_call": {"name": shell, "input": args}}
        case "antigravity":
            wire |= {"toolCall": {"name": shell, "args": {"CommandLine": command}}}
        case "cursor" if event.startswith("before"):
            wire |= {"cursor_version": "doctor", "command": command, "file_path": f"{cwd}/x"}
            wire |= {"tool_name": shell, "tool_input": args}
        case _ if issubclass(kind, ToolEvent):
            wire |= {"tool_name": shell, "tool_input": args, "tool_response": ""}
    if issubclass(kind, UserPromptSubmit):
        wire |= {"prompt": command, "submitted_prompt": command}
    if issubclass(kind, SubagentStart):
        wire |= {"agent_id": "a", "agent_type": "doctor"}
    return json.dumps(wire).encode()


def judged(host: Host) -> str | None:
    """Return the wired event that asks us about a shell command, if this host has one."""
    wired = host.PLACEMENT.wired if host.PLACEMENT else ()
    events = [entry.event for entry in wired if host.CAN[entry.event].event is PreToolUse]
    return events[0] if events else None


def is_refusal(reply: Reply) -> bool:
    """Say whether a host would take *reply* for a no."""
    if reply.exit_code == 2 and reply.stderr.strip():
        return True
    try:
        body = json.loads(reply.stdout)
    except ValueError:
        return False
    if not isinstance(body, dict):
        return False
    inner = body.get("hookSpecificOutput")
    decision = {**(inner if isinstance(inner, dict) else {}), **body}
    if isinstance(decision.get("decision"), dict):  # how permission requests are answered
        decision |= decision.pop("decision")
    words = [
        decision.get(key) for key in ("decision", "permissionDecision", "permission", "behavior")
    ]
    refused = any(word in ("deny", "block") for word in words)
    return (
        refused
        or decision.get("continue") is False
        or "deny" in decision
        or decision.get("cancel") is True
    )
