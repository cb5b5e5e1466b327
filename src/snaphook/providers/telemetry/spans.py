"""What the record tells as traces: session, turn, tool call, hook.

Record + what is open  ->  Spans that are over

Events of one session come from many processes, and minutes apart. So every id is derived from what the
record says, and whatever is open is plain data that can lie on disk: told twice, a span is the same.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field

from snaphook.canon.hook_runs import HOOK_ENDED, RecordedRun
from snaphook.stores.eventlog.record import Record

from . import names as n
from .measures import name_of, printable
from .usage import UsageReader

SESSIONS = 2_000
"""Sessions open at once; the one not heard of for longest is given up first."""
CALLS = 256
"""Tool calls, and subagents, open at once in one session."""
IDLE = 6 * 3600.0
"""Seconds after which a session that says nothing is over."""
LOST = "lost"
"""The status of what began and never ended."""

Attributes: TypeAlias = dict[str, str | int | float | bool]


class TraceSpan(Struct, kw_only=True, omit_defaults=True):
    """A stretch of time; open until *end* is set."""

    trace: str
    id: str
    parent: str = ""
    name: str
    start: float
    end: float = 0.0
    attributes: Attributes = field(default_factory=dict)
    error: str = ""
    """Why it counts as failed."""


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
            return [self._background(record, run) for run in record.hooks]
        over: list[TraceSpan] = []
        session = self._session(record, over)
        session.seen = record.time
        self._tokens(record, session)
        place = self._place(record, session, over)
        over.insert(0, self._hook(record, place))
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
            else _hash("trace", record.parent or record.session, size=16),
            id=_hash("session", record.session, record.id),
            parent=above.id if above else "",
            name=f"invoke_agent {printable(record.agent)}",
            start=record.time,
            attributes=_set(
                {
                    n.OPERATION: "invoke_agent",
                    n.CONVERSATION: record.session,
                    n.AGENT: record.agent,
                    n.HOST: record.host,
                    n.REPO: name_of(record.project),
                    n.MODEL: _said(record, "model"),
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
            id=_hash("turn", record.session, record.turn or record.id),
            parent=session.span.id,
            name="turn",
            start=record.time,
            attributes=_set({n.CONVERSATION: record.session, n.AGENT: record.agent}),
        )
        if self._content:
            session.turn.attributes |= _set({n.PROMPT: _said(record, "prompt")})
        return session.turn

    def _call(self, record: Record, session: SessionTrace, over: list[TraceSpan]) -> TraceSpan:
        named = _said(record, "tool_use_id")
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
            id=_hash("tool", record.session, named or record.id),
            parent=above.id,
            name=f"execute_tool {printable(record.tool)}",
            start=record.time - took,
            attributes=_set(
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
            call.attributes |= _set({n.ARGUMENTS: _json(record.input.get("tool_args"))})
        return call

    def _agent(self, record: Record, session: SessionTrace, over: list[TraceSpan]) -> TraceSpan:
        name = _said(record, "agent_name")
        key = _said(record, "agent_id") or name
        if record.event == "SubagentStart" and key in session.agents:
            over.append(_finish(session.agents.pop(key), record.time, status=LOST))
        if key not in session.agents:
            took = record.input.get("duration_ms") if record.event == "SubagentStop" else 0
            session.agents[key] = TraceSpan(
                trace=session.span.trace,
                id=_hash("agent", record.session, key, record.id),
                parent=_spawning(session),
                name=f"invoke_agent {printable(name)}",
                start=record.time - _seconds(took),
                attributes=_set(
                    {
                        n.OPERATION: "invoke_agent",
                        n.CONVERSATION: record.session,
                        n.AGENT: name,
                        n.AGENT_ID: _said(record, "agent_id"),
                        n.MODEL: _said(record, "model"),
                    }
                ),
            )
            if len(session.agents) > CALLS:
                oldest = session.agents.pop(next(iter(session.agents)))
                over.append(_finish(oldest, record.time, status=LOST))
        return session.agents[key]

    def _hook(self, record: Record, place: TraceSpan) -> TraceSpan:
        rule = next((said.rule for said in record.answers if said.by == record.by), "")
        failed = [said for said in record.answers if said.error]
        hook = TraceSpan(
            trace=place.trace,
            id=_hash("hook", record.id),
            parent=place.id,
            name=f"hook {printable(record.event)}",
            start=record.time,
            end=record.time + record.duration_ms / 1000,
            attributes=_set(
                {
                    n.EVENT: record.event,
                    n.HOST: record.host,
                    n.VERDICT: record.verdict or "silent",
                    n.PROVIDER: record.by,
                    n.RULE: rule,
                    n.RECORD: record.id,
                    n.ERROR: failed[0].by if failed else "",
                }
            ),
            error=f"{failed[0].by} failed" if failed else "",
        )
        # Exit 2 is how a hook refuses: that is its work done, not a failure of it.
        if broken := [run for run in record.hooks if run.failed and run.exit_code != 2]:
            hook.error = hook.error or f"hook '{broken[0].hook}': {broken[0].ended}"
        if record.hooks:
            ended = "; ".join(f"{run.hook}: {run.ended}" for run in record.hooks)
            hook.attributes |= _set({n.HOOK: printable(ended)})
        if self._content:
            hook.attributes |= _set({n.REASON: record.reason or ""})
        return hook

    def _background(self, record: Record, run: RecordedRun) -> TraceSpan:
        """Return the span of a hook that nobody waited for; its session may be over by now."""
        session = self.kept.sessions.get(record.session)
        above = _above(record, session) if session else None
        return TraceSpan(
            trace=above.trace
            if above
            else _hash("trace", record.parent or record.session, size=16),
            id=_hash("hook", record.id),
            parent=above.id if above else "",
            name=f"hook {printable(run.hook)}",
            start=record.time - run.duration_ms / 1000,
            end=record.time,
            attributes=_set(
                {
                    n.EVENT: _said(record, "event"),
                    n.HOST: record.host,
                    n.CONVERSATION: record.session,
                    n.RECORD: record.id,
                    n.HOOK: printable(f"{run.hook}: {run.ended}"),
                }
            ),
            error=f"hook '{run.hook}': {run.ended}" if run.failed and run.exit_code != 2 else "",
        )

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
                status = _said(record, "status") or "completed"
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
        key = _said(record, "tool_use_id") or f"{record.agent_id}/{record.tool}"
        call = session.calls.pop(key)
        if self._content:
            result = record.input.get("tool_result", record.input.get("error"))
            call.attributes |= _set({n.RESULT: _json(result)})
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
    return session.agents.pop(_said(record, "agent_id") or _said(record, "agent_name"))


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


def _hash(*parts: str, size: int = 8) -> str:
    """Return an id of *size* bytes; never the zero that stands for none."""
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=size).hexdigest()


def _set(attributes: Attributes) -> Attributes:
    return {name: value for name, value in attributes.items() if value != ""}


def _said(record: Record, name: str) -> str:
    value = record.input.get(name)
    return value if isinstance(value, str) else ""


def _source(record: Record) -> str:
    return (_said(record, "source") or "startup") if record.event == "SessionStart" else ""


def _seconds(milliseconds: Any) -> float:
    return milliseconds / 1000 if isinstance(milliseconds, int | float) else 0.0


def _json(value: Any) -> str:
    if value in (None, "", {}, []):
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
