"""A payload in any of the hosts' spellings, read into a canonical event.

Payload + Can  ->  Event

Hosts differ in the names of events and tools more than in the names of fields: snake_case or
camelCase, and a handful of synonyms. So the fields are read here, for all of them, in whichever
spelling is there; what a host does in its own way stays in its module.
"""

from collections.abc import Callable, Mapping
from typing import Any

from snaphook.canon import (
    ErrorOccurred,
    ErrorType,
    Event,
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

from .host import Can, HostCall
from .payload import Payload
from .tools import ToolNames

EVENT_NAMES = ("hook_event_name", "hookEventName", "event", "event_type")
_SOURCES: Mapping[str, SessionSource] = {source.value: source for source in SessionSource}
_STATUSES: Mapping[str, SubagentStatus] = {
    "completed": SubagentStatus.COMPLETED,
    "success": SubagentStatus.COMPLETED,
    "error": SubagentStatus.ERROR,
    "failed": SubagentStatus.ERROR,
    "aborted": SubagentStatus.ERROR,
    "timeout": SubagentStatus.TIMEOUT,
}


def read(
    payload: Payload,
    call: HostCall,
    *,
    can: Mapping[str, Can],
    tools: ToolNames,
    root: str = "",
) -> Event:
    """Return the event in *payload*; one that the host's table does not hold is carried whole.

    *root* names the variable in which this host tells the project's directory. Others' variables
    are not looked at: an agent started from inside another inherits them.
    """
    name = next((n for n in EVENT_NAMES if isinstance(payload.whole.get(n), str)), None)
    kind = str(payload.whole[name]) if name else call.event
    row = can.get(kind) or can.get(call.event)
    if row is None or row.event is HostEvent:
        return host_event(payload, kind, context_from(payload, call, root))
    payload.fields.setdefault(EVENT_NAMES[0], kind)
    return read_as(row.event, payload, context_from(payload, call, root), tools)


def read_as(event: type[Event], payload: Payload, context: HookContext, tools: ToolNames) -> Event:
    """Return *payload* as an *event*, whatever it calls itself."""
    if (reader := _TOOL_READERS.get(event)) is not None:
        return reader(payload, context, tools)
    return _READERS[event](payload, context)


def host_event(payload: Payload, kind: str, context: HookContext) -> HostEvent:
    """Return *payload* carried whole, under the host's own name for it."""
    return HostEvent(context=context, kind=kind or "unknown", payload=payload.whole)


def context_from(payload: Payload, call: HostCall, root: str) -> HookContext:
    """Return where and when the event happened, as far as the host tells."""
    agent_id = payload.maybe("agent_id", "agentId")
    cwd = payload.text("cwd", "working_dir", "working_directory", default=call.cwd)
    return HookContext(
        session_id=payload.text(
            "session_id", "sessionId", "conversation_id", "conversationId", "taskId", default=""
        ),
        team_root=call.env.get(root) or cwd,
        timestamp=call.now,
        cwd=cwd,
        host=payload.host,
        transcript_path=payload.maybe("transcript_path", "transcriptPath"),
        permission_mode=payload.maybe("permission_mode", "permissionMode"),
        turn_id=payload.maybe("turn_id", "prompt_id", "promptId", "generation_id"),
        agent_id=agent_id,
        agent_type=payload.maybe("agent_type", "agentType"),
        parent_session_id=payload.maybe("parentAgentId", "parent_conversation_id"),
        depth=1 if agent_id else 0,
    )


def _tool(payload: Payload, context: HookContext, tools: ToolNames) -> dict[str, Any]:
    theirs = payload.needed_text("tool_name", "toolName")
    args = payload.needed_object("tool_input", "toolArgs", "toolInput")
    name, ours = tools.ours(theirs, args)
    if name != theirs:
        payload.fields["tool_name"] = theirs  # encode needs it to speak the host's words again
    return {
        "context": context,
        "tool_name": name,
        "tool_args": ours,
        "tool_use_id": payload.maybe("tool_use_id", "toolUseId", "tool_call_id"),
    }


def pre_tool_use(payload: Payload, context: HookContext, tools: ToolNames) -> PreToolUse:
    """Return the call that is about to happen."""
    return PreToolUse(**_tool(payload, context, tools), extra=payload.fields)


def permission_request(
    payload: Payload, context: HookContext, tools: ToolNames
) -> PermissionRequest:
    """Return the call a person is about to be asked about."""
    return PermissionRequest(
        **_tool(payload, context, tools),
        suggestions=payload.items("permission_suggestions", "permissionSuggestions"),
        extra=payload.fields,
    )


def post_tool_use(payload: Payload, context: HookContext, tools: ToolNames) -> PostToolUse:
    """Return the call that happened, with its result as the host shapes it."""
    return PostToolUse(
        **_tool(payload, context, tools),
        tool_result=payload.anything("tool_response", "tool_result", "toolResult", "tool_output"),
        duration_ms=payload.number("duration_ms", "durationMs", "duration"),
        extra=payload.fields,
    )


def post_tool_use_failure(
    payload: Payload, context: HookContext, tools: ToolNames
) -> PostToolUseFailure:
    """Return the call that failed."""
    return PostToolUseFailure(
        **_tool(payload, context, tools),
        error=payload.text("error", "error_message"),
        is_interrupt=payload.flag("is_interrupt"),
        duration_ms=payload.number("duration_ms", "durationMs", "duration"),
        extra=payload.fields,
    )


def _session_start(payload: Payload, context: HookContext) -> SessionStart:
    source = payload.text("source", default="startup")
    return SessionStart(
        context=context,
        source=_SOURCES.get(source, SessionSource.STARTUP),
        model=payload.text("model"),
        extra=payload.fields,
    )


def _prompt(payload: Payload, context: HookContext) -> UserPromptSubmit:
    if isinstance(parts := payload.fields.get("prompt"), list):
        payload.fields["prompt"] = _text_of(parts)
    prompt = payload.needed_text("prompt", "user_prompt", "message")
    return UserPromptSubmit(context=context, prompt=prompt, extra=payload.fields)


def _text_of(parts: list[Any]) -> str:
    """Return the text of a message in parts, as Kimi Code sends what a person typed."""
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _stop(payload: Payload, context: HookContext) -> Stop:
    return Stop(
        context=context,
        stop_hook_active=payload.flag("stop_hook_active", "stopHookActive"),
        last_assistant_message=payload.maybe(
            "last_assistant_message", "lastAssistantMessage", "prompt_response"
        ),
        background_tasks=_objects(payload, "background_tasks", "backgroundTasks"),
        session_crons=_objects(payload, "session_crons", "sessionCrons", "crons"),
        duration_seconds=payload.number("duration_seconds", "durationSeconds"),
        extra=payload.fields,
    )


def _agent_name(payload: Payload, context: HookContext) -> str:
    name = payload.text("agentName", "agent_name", "subagent_type", "subagentType", "task_name")
    return name or context.agent_type or ""


def _subagent_start(payload: Payload, context: HookContext) -> SubagentStart:
    return SubagentStart(
        context=context,
        agent_name=_agent_name(payload, context),
        agent_id=context.agent_id or payload.maybe("subagent_id"),
        model=payload.text("subagent_model", "model"),
        task_type=payload.text("task_type", "taskType"),
        charter_path=payload.text("charter_path", "charterPath"),
        task=payload.maybe("task"),
        extra=payload.fields,
    )


def _subagent_stop(payload: Payload, context: HookContext) -> SubagentStop:
    return SubagentStop(
        context=context,
        agent_name=_agent_name(payload, context),
        agent_id=context.agent_id or payload.maybe("subagent_id"),
        model=payload.text("subagent_model", "model"),
        duration_ms=payload.number("duration_ms", "durationMs"),
        tokens_used=_count(payload, "tokens_used", "tokensUsed", "total_tokens"),
        tool_call_count=_count(payload, "tool_call_count", "toolCallCount"),
        status=_STATUSES.get(payload.text("status"), SubagentStatus.COMPLETED),
        files_modified=_files(payload),
        stop_hook_active=payload.flag("stop_hook_active", "stopHookActive"),
        last_assistant_message=payload.maybe(
            "last_assistant_message",
            "lastAssistantMessage",
            "response",
            "result",
            "summary",
            "task_result",
        ),
        transcript_path=payload.maybe("agent_transcript_path", "agentTranscriptPath"),
        extra=payload.fields,
    )


def _pre_compact(payload: Payload, context: HookContext) -> PreCompact:
    return PreCompact(
        context=context,
        trigger=payload.text("trigger", default="auto"),
        current_token_count=int(payload.number("context_tokens", "estimated_tokens") or 0),
        max_tokens=int(payload.number("context_window_size") or 0),
        custom_instructions=payload.maybe("custom_instructions", "customInstructions"),
        extra=payload.fields,
    )


def _error(payload: Payload, context: HookContext) -> ErrorOccurred:
    error = payload.anything("error", "error_message")
    told = error if isinstance(error, dict) else {"message": error}
    return ErrorOccurred(
        context=context,
        error=str(told.get("message") or payload.text("error_details") or "unknown error"),
        error_type=_ERROR_TYPES.get(payload.text("errorContext", "error_context"), _UNKNOWN),
        error_class=told.get("name") if isinstance(told.get("name"), str) else None,
        extra=payload.fields,
    )


_UNKNOWN = ErrorType.UNKNOWN
_ERROR_TYPES: Mapping[str, ErrorType] = {
    "model_call": ErrorType.MODEL,
    "tool_execution": ErrorType.TOOL,
    "system": ErrorType.UNKNOWN,
}


def _notification(payload: Payload, context: HookContext) -> Notification:
    return Notification(
        context=context,
        message=payload.text("message"),
        notification_type=payload.text("notification_type", "notificationType"),
        title=payload.maybe("title"),
        extra=payload.fields,
    )


def _session_end(payload: Payload, context: HookContext) -> SessionEnd:
    return SessionEnd(
        context=context,
        reason=payload.text("reason", "end_source", default="other"),
        tokens_used=_count(payload, "tokens_used", "tokensUsed", "total_tokens"),
        tool_call_count=_count(payload, "tool_call_count", "toolCallCount"),
        files_modified=_files(payload),
        duration_ms=payload.number("duration_ms", "durationMs") or 0.0,
        extra=payload.fields,
    )


def _count(payload: Payload, *names: str) -> int:
    return max(0, int(payload.number(*names) or 0))


def _files(payload: Payload) -> list[str]:
    return [
        str(path) for path in payload.items("files_modified", "filesModified", "modified_files")
    ]


def _objects(payload: Payload, *names: str) -> list[dict[str, Any]]:
    return [item for item in payload.items(*names) if isinstance(item, dict)]


_TOOL_READERS: Mapping[type[Event], Callable[[Payload, HookContext, ToolNames], Event]] = {
    PreToolUse: pre_tool_use,
    PermissionRequest: permission_request,
    PostToolUse: post_tool_use,
    PostToolUseFailure: post_tool_use_failure,
}
_READERS: Mapping[type[Event], Callable[[Payload, HookContext], Event]] = {
    SessionStart: _session_start,
    UserPromptSubmit: _prompt,
    Stop: _stop,
    SubagentStart: _subagent_start,
    SubagentStop: _subagent_stop,
    PreCompact: _pre_compact,
    ErrorOccurred: _error,
    Notification: _notification,
    SessionEnd: _session_end,
}
