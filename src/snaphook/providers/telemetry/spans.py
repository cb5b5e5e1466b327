"""What the record tells as traces: session, turn, tool call, hook.

Record + what is open  ->  Spans that are over

Events of one session come from many processes, and minutes apart. So every id is derived from what the
record says, and whatever is open is plain data that can lie on disk: told twice, a span is the same.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct, field

from snaphook.canon.hook_runs import HOOK_ENDED
from snaphook.stores.eventlog.record import Record

from . import names as n
from .hook_spans import background_span, hook_span
from .measures import name_of, printable
from .span import TraceSpan, set_only, span_id, text_of
from .usage import UsageReader

SESSIONS = 2_000
"""Sessions open at once; the one not heard of for longest is given up first."""
CALLS = 256
"""Tool calls, and subagents, open at once in one session."""
IDLE = 6 * 3600.0
"""Seconds after which a session that says nothing is over."""
LOST = "lost"
"""The status of what began and never ended."""


class SessionTrace(Struct, kw_only=True, omit_defaults=True):
    """What is open in one session."""

    span: TraceSpan
    seen: float
    turn: TraceSpan | None = None
    calls: dict[str, TraceSpan] = field(default_factory=dict)
    agents: dict[str, TraceSpan] = field(default_factory=dict)
    launched: str = ""
    """The call of this turn that came back at once and left a subagent to work."""


class StoredSpans(Struct, kw_only=True, omit_defaults=True):
    """Everything that is open, as it lies on disk."""

    sessions: dict[str, SessionTrace] = field(default_factory=dict)
    usage: UsageReader = field(default_factory=UsageReader)


class Traces:
    """Makes spans of records; tells commands, prompts and results only with *content*."""

    def __init__(self, kept: StoredSpans | None = None, *, content: bool = False) -> None:
        self.kept = kept or StoredSpans()
        self._content = content

    def take(self, record: Record) -> list[TraceSpan]:
        """Return what is over with *record*, children first."""
        if not record.session:
            return []  # a message that became no event belongs to nobody's story
        if record.event == HOOK_ENDED:
            session = self.kept.sessions.get(record.session)  # it may be over by now
            above = _above(record, session) if session else None
            return [background_span(record, run, above) for run in record.hooks]
        over: list[TraceSpan] = []
        session = self._session(record, over)
        session.seen = record.time
        self._tokens(record, session)
        place = self._place(record, session, over)
        over.insert(0, hook_span(record, place, content=self._content))
        self._close(record, session, over)
        return over

    def idle(self, now: float) -> list[TraceSpan]:
        """Return what will not be heard of again: sessions that fell silent."""
        silent = [key for key, one in self.kept.sessions.items() if now - one.seen > IDLE]
        return [span for key in silent for span in self._give_up(key)]

    def _session(self, record: Record, over: list[TraceSpan]) -> SessionTrace:
        sessions = self.kept.sessions
        session = sessions.pop(record.session, None)
        if session is not None and record.event == "SessionStart" and _source(record) == "startup":
            sessions[record.session] = session
            over += self._give_up(record.session)
            session = None
        if session is None:
            session = SessionTrace(span=self._root(record), seen=record.time)
        sessions[record.session] = session  # the last heard of stands last
        if len(sessions) > SESSIONS:
            over += self._give_up(next(iter(sessions)))
        return session

    def _root(self, record: Record) -> TraceSpan:
        parent = self.kept.sessions.get(record.parent) if record.parent else None
        above = parent and (parent.agents.get(record.session) or parent.turn or parent.span)
        return TraceSpan(
            trace=above.trace
            if above
            else span_id("trace", record.parent or record.session, size=16),
            id=span_id("session", record.session, record.id),
            parent=above.id if above else "",
            name=f"invoke_agent {printable(record.agent)}",
            start=record.time,
            attributes=set_only(
                {
                    n.OPERATION: "invoke_agent",
                    n.CONVERSATION: record.session,
                    n.AGENT: record.agent,
                    n.HOST: record.host,
                    n.REPO: name_of(record.project),
                    n.MODEL: text_of(record, "model"),
                    n.MODEL_PROVIDER: n.provider_name(text_of(record, "model"), record.host),
                    n.SOURCE: _source(record),
                }
            ),
        )

    def _place(self, record: Record, session: SessionTrace, over: list[TraceSpan]) -> TraceSpan:
        """Return the span in which *record*'s hook ran, opened where it begins with it."""
        match record.event:
            case "UserPromptSubmit":
                return self._turn(record, session, over)
            case "PreToolUse" | "PermissionRequest" | "PostToolUse" | "PostToolUseFailure":
                return self._call(record, session, over)
            case "SubagentStart" | "SubagentStop":
                return self._agent(record, session, over)
            case "SessionStart" | "SessionEnd":
                return session.span
            case _:
                return _above(record, session)

    def _turn(self, record: Record, session: SessionTrace, over: list[TraceSpan]) -> TraceSpan:
        over += _turn_ended(session, record.time)
        session.turn = TraceSpan(
            trace=session.span.trace,
            id=span_id("turn", record.session, record.turn or record.id),
            parent=session.span.id,
            name="turn",
            start=record.time,
            attributes=set_only({n.CONVERSATION: record.session, n.AGENT: record.agent}),
        )
        if self._content:
            session.turn.attributes |= set_only({n.PROMPT: text_of(record, "prompt")})
        return session.turn

    def _call(self, record: Record, session: SessionTrace, over: list[TraceSpan]) -> TraceSpan:
        named = text_of(record, "tool_use_id")
        key = named or f"{record.agent_id}/{record.tool}"
        if record.event == "PreToolUse" and key in session.calls:
            over.append(_finish(session.calls.pop(key), record.time, status=LOST))
        if key not in session.calls:
            took = record.input.get("duration_ms") if record.event != "PreToolUse" else 0
            session.calls[key] = self._new_call(record, session, named, _seconds(took))
            if len(session.calls) > CALLS:
                oldest = session.calls.pop(next(iter(session.calls)))
                over.append(_finish(oldest, record.time, status=LOST))
        return session.calls[key]

    def _new_call(
        self, record: Record, session: SessionTrace, named: str, took: float
    ) -> TraceSpan:
        above = _above(record, session)
        call = TraceSpan(
            trace=above.trace,
            id=span_id("tool", record.session, named or record.id),
            parent=above.id,
            name=f"execute_tool {printable(record.tool)}",
            start=record.time - took,
            attributes=set_only(
                {
                    n.OPERATION: "execute_tool",
                    n.CONVERSATION: record.session,
                    n.AGENT: record.agent,
                    n.TOOL: record.tool,
                    n.CALL: named,
                }
            ),
        )
        if self._content:
            call.attributes |= set_only({n.ARGUMENTS: _json(record.input.get("tool_args"))})
        return call

    def _agent(self, record: Record, session: SessionTrace, over: list[TraceSpan]) -> TraceSpan:
        name = text_of(record, "agent_name")
        key = text_of(record, "agent_id") or name
        if record.event == "SubagentStart" and key in session.agents:
            over.append(_finish(session.agents.pop(key), record.time, status=LOST))
        if key not in session.agents:
            took = record.input.get("duration_ms") if record.event == "SubagentStop" else 0
            session.agents[key] = TraceSpan(
                trace=session.span.trace,
                id=span_id("agent", record.session, key, record.id),
                parent=_spawning(session),
                name=f"invoke_agent {printable(name)}",
                start=record.time - _seconds(took),
                attributes=set_only(
                    {
                        n.OPERATION: "invoke_agent",
                        n.CONVERSATION: record.session,
                        n.AGENT: name,
                        n.AGENT_ID: text_of(record, "agent_id"),
                        n.MODEL: text_of(record, "model"),
                        n.MODEL_PROVIDER: n.provider_name(text_of(record, "model"), record.host),
                    }
                ),
            )
            if len(session.agents) > CALLS:
                oldest = session.agents.pop(next(iter(session.agents)))
                over.append(_finish(oldest, record.time, status=LOST))
        return session.agents[key]

    def _close(self, record: Record, session: SessionTrace, over: list[TraceSpan]) -> None:
        """End what ends with *record*, after its hook has run."""
        end = record.time + record.duration_ms / 1000
        match record.event:
            case "PreToolUse" if record.stops:
                self._end_call(record, session, over, end, "stopped")
            case "PostToolUse":
                self._end_call(record, session, over, end, "ok")
            case "PostToolUseFailure":
                self._end_call(record, session, over, end, "failed")
            case "SubagentStart" if record.stops:
                over.append(_finish(_taken(record, session), end, status="denied"))
            case "SubagentStop" if not record.stops:
                status = text_of(record, "status") or "completed"
                over.append(_finish(_taken(record, session), end, status=status))
            case "Stop" if not record.stops and not record.agent_id:
                over += _turn_ended(session, end)
            case "SessionEnd":
                over += _ended(session, end)
                over.append(_finish(session.span, end, status="completed"))
                del self.kept.sessions[record.session]

    def _end_call(
        self, record: Record, session: SessionTrace, over: list[TraceSpan], end: float, status: str
    ) -> None:
        key = text_of(record, "tool_use_id") or f"{record.agent_id}/{record.tool}"
        call = session.calls.pop(key)
        if self._content:
            result = record.input.get("tool_result", record.input.get("error"))
            call.attributes |= set_only({n.RESULT: _json(result)})
        if status == "ok" and _spawns(call):
            session.launched = call.id
        over.append(_finish(call, end, status=status))

    def _tokens(self, record: Record, session: SessionTrace) -> None:
        for used in self.kept.usage.used(record):
            span = session.agents.get(used.agent_id) or session.turn or session.span
            for each in (span, session.span) if span is not session.span else (span,):
                _count(each, n.INPUT_TOKENS, used.usage.input_tokens)
                _count(each, n.OUTPUT_TOKENS, used.usage.output_tokens)
                if used.model:
                    each.attributes.setdefault(n.MODEL, used.model)

    def _give_up(self, key: str) -> Iterator[TraceSpan]:
        session = self.kept.sessions.pop(key)
        yield from _ended(session, session.seen)
        yield _finish(session.span, session.seen, status=LOST)


def _above(record: Record, session: SessionTrace) -> TraceSpan:
    """Return what *record* happened in: a subagent, a turn, or just the session."""
    return session.agents.get(record.agent_id) or session.turn or session.span


def _spawning(session: SessionTrace) -> str:
    """Return the id of what starts a subagent: an open call, or one that launched it and came back."""
    calls = [*reversed(session.calls.values())]
    if spawn := next(filter(_spawns, calls), None):
        return spawn.id
    return session.launched or (calls[0] if calls else session.turn or session.span).id


def _spawns(call: TraceSpan) -> bool:
    """Say whether *call* is of a tool that starts subagents, whatever its host calls it."""
    tool = str(call.attributes.get(n.TOOL, "")).lower()
    return "agent" in tool or tool == "task"


def _taken(record: Record, session: SessionTrace) -> TraceSpan:
    return session.agents.pop(text_of(record, "agent_id") or text_of(record, "agent_name"))


def _turn_ended(session: SessionTrace, end: float) -> list[TraceSpan]:
    """Return the turn and its own calls, ended; subagents may work on behind it, and stay open."""
    if session.turn is None:
        return []
    within = {agent.id for agent in session.agents.values()}
    own = [key for key, call in session.calls.items() if call.parent not in within]
    over = [_finish(session.calls.pop(key), end, status=LOST) for key in own]
    over.append(_finish(session.turn, end, status="completed"))
    session.turn, session.launched = None, ""
    return over


def _ended(session: SessionTrace, end: float) -> list[TraceSpan]:
    """Return everything below the session, ended; what never said so is lost."""
    over = _turn_ended(session, end)
    over += [_finish(call, end, status=LOST) for call in session.calls.values()]
    over += [_finish(agent, end, status=LOST) for agent in session.agents.values()]
    session.calls, session.agents = {}, {}
    return over


def _finish(span: TraceSpan, end: float, *, status: str) -> TraceSpan:
    span.end = max(end, span.start)
    span.attributes[n.STATUS] = status
    if status in ("failed", "error", "timeout"):
        span.error = span.attributes[n.ERROR] = status
    return span


def _count(span: TraceSpan, name: str, more: int) -> None:
    before = span.attributes.get(name, 0)
    span.attributes[name] = (before if isinstance(before, int) else 0) + more


def _source(record: Record) -> str:
    return (text_of(record, "source") or "startup") if record.event == "SessionStart" else ""


def _seconds(milliseconds: Any) -> float:
    return milliseconds / 1000 if isinstance(milliseconds, int | float) else 0.0


def _json(value: Any) -> str:
    if value in (None, "", {}, []):
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
