"""One legal event of every kind, and a few that are legal and unusual.

session  ->  Event, Event, …
"""

from snaphook.canon import (
    AnyEvent,
    ErrorOccurred,
    ErrorType,
    HookContext,
    HostEvent,
    Notification,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionSource,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStatus,
    SubagentStop,
    UserPromptSubmit,
)


def sample_events(session_id: str = "session-1", root: str = "/project") -> tuple[AnyEvent, ...]:
    """Return a short session, in the order in which hosts tell it."""
    at = HookContext(
        session_id=session_id, team_root=root, cwd=root, timestamp=1_700_000_000.0, host="claude"
    )
    bare = HookContext(session_id=session_id)
    bash = {"command": "ls -la"}
    edit = {"file_path": f"{root}/src/app.py", "old_string": "a", "new_string": "b"}
    return (
        SessionStart(context=at, source=SessionSource.STARTUP, model="some-model"),
        SessionStart(context=bare, source=SessionSource.RESUME),
        UserPromptSubmit(context=at, prompt="Please fix the tests. From now on, use tabs."),
        UserPromptSubmit(context=bare, prompt=""),
        PreToolUse(context=at, tool_name="Bash", tool_args=bash, tool_use_id="call-1"),
        PreToolUse(context=at, tool_name="Edit", tool_args=edit, tool_use_id="call-2"),
        PreToolUse(context=at, tool_name="mcp__x__y", tool_args={"deep": [{"é": None}]}),
        PreToolUse(context=bare, tool_name="Unknown", tool_args={}),
        PermissionRequest(context=at, tool_name="Bash", tool_args=bash),
        PostToolUse(context=at, tool_name="Bash", tool_args=bash, tool_result="a\nb\n"),
        PostToolUse(context=at, tool_name="Edit", tool_args=edit, tool_result={"ok": True}),
        PostToolUse(context=bare, tool_name="Unknown", tool_args={}, tool_result=None),
        PostToolUseFailure(context=at, tool_name="Bash", tool_args=bash, error="exit status 1"),
        SubagentStart(context=at, agent_name="reviewer", model="some-model", task="Review."),
        SubagentStop(
            context=at,
            agent_name="reviewer",
            status=SubagentStatus.COMPLETED,
            last_assistant_message="Looks good.",
        ),
        PreCompact(context=at, trigger="auto", current_token_count=90_000, max_tokens=100_000),
        ErrorOccurred(context=at, error="429 Too Many Requests", error_type=ErrorType.MODEL),
        Notification(context=at, message="Waiting for your input"),
        HostEvent(context=at, kind="FileChanged", payload={"file": "README.md"}),
        HostEvent(context=bare, kind="SomethingNew"),
        Stop(context=at, last_assistant_message="Done."),
        Stop(context=at, stop_hook_active=True),
        SessionEnd(context=at, reason="other", tokens_used=1_234, tool_call_count=3),
    )
