"""Factory Droid.

PreToolUse(Execute)  ->  PreToolUse(Bash)  ->  {"hookSpecificOutput": {"permissionDecision": …}}

Claude Code's shape, with three differences: events are the top level of its hooks.json, the first hook
with a decision wins, and rewritten input is merged key by key.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import (
    Event,
    HostEvent,
    Notification,
    Output,
    PostToolUse,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import as_claude, reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import host_decision
from .tools import HostTool, ToolNames

NAME = "droid"
TITLE = "Factory Droid"
SILENCE = Reply()
_OTHERS = frozenset(
    {
        "DismissHandoffItems", "EndFeatureRun", "ExitMissionPlanning", "ExitSpecMode",
        "GenerateDroid", "GenerateImage", "Loop", "ProposeMission", "RecommendMission",
        "StageSettingsChanges", "StartMissionRun", "UpgradeSessionModel", "WaitForScript",
        "get_agent_effectiveness_usage", "render_agent_effectiveness_report",
        "slack_archive_code_channel", "slack_create_or_update_code_channel", "slack_list_channels",
        "slack_post_file", "slack_post_message", "store_agent_readiness_report",
    }
)  # fmt: skip
TOOLS = ToolNames(
    {
        "Execute": HostTool("Bash"),
        "Create": HostTool("Write"),
        "Edit": HostTool(
            "Edit", {"old_str": "old_string", "new_str": "new_string", "change_all": "replace_all"}
        ),
        "ApplyPatch": HostTool("Edit", {"input": "patch"}, patch=True),
        "LS": HostTool("LS", {"directory_path": "path"}),
        "Glob": HostTool("Glob", {"folder": "path"}),
        "Grep": HostTool("Grep", {"glob_pattern": "glob"}),
        "FetchUrl": HostTool("WebFetch"),
        "AskUser": HostTool("AskUserQuestion"),
        "Task": HostTool("Agent"),
    },
    mcp=("", "___"),
    others=_OTHERS,
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "UserPromptSubmit": Can(UserPromptSubmit, (_MODIFY, _DENY), context=True, replace=True),
    # It knows "ask", and 'droid exec' runs such a call in every mode; nothing in the message tells
    # that apart from a session with a person, so a question is a refusal here.
    "PreToolUse": Can(PreToolUse, (_ALLOW, _MODIFY, _DENY), context=True),
    "PostToolUse": Can(PostToolUse, (_BLOCK,), context=True),
    "Stop": Can(Stop, (_BLOCK,)),
    "SubagentStop": Can(SubagentStop, (_BLOCK,)),
    "PreCompact": Can(PreCompact),
    "Notification": Can(Notification),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".factory/hooks.json",
    project=".factory/hooks.json",
    shape=HooksFormat.EVENTS,
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        Wired("PreToolUse", matcher=".*"),
        Wired("PostToolUse", matcher=".*"),
        Wired("Stop", timeout=600),
        Wired("SubagentStop", timeout=600),
        Wired("PreCompact"),
        Wired("Notification"),
        Wired("SessionEnd", timeout=10),
    ),
    program="droid",
    signs=(".factory",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Droid tells; the variables it makes of its fields are not looked at."""
    payload = Payload.read(wire, NAME)
    return read(payload, call, can=CAN, tools=TOOLS, root="FACTORY_PROJECT_DIR")


def encode(event: Event, output: Output) -> Reply:
    """Return what Droid should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = as_claude(event, decision, name, TOOLS)
    if decision.prompt is not None and decision.verdict is Verdict.MODIFY:
        inner = body.get("hookSpecificOutput", {"hookEventName": name})
        body["hookSpecificOutput"] = inner | {"updatedInput": {"prompt": decision.prompt}}
    return reply(body)
