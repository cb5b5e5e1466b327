"""Find the tool calls of the past, whoever wrote them down.

files and folders  ->  Sources  ->  PastCalls
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from snaphook.canon import HookContext, PreToolUse
from snaphook.config import Environment
from snaphook.errors import UsageError
from snaphook.hosts import host_named
from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.read import RecordQuery, records
from snaphook.transcripts import ToolCalled, ToolReturned, read

from .policy import ReplayRuling

TRANSCRIPTS = (
    ".claude/projects/**/*.jsonl",
    ".codex/sessions/**/*.jsonl",
    ".gemini/tmp/*/chats/*.json*",
)
"""Where the agents keep what they write down, below the home."""
_OURS = "[Snaphook Guard: "


class SourceKind(StrEnum):
    """Who wrote it down."""

    TRANSCRIPT = "transcript"
    RECORD = "record"


class CallSource(Struct, frozen=True, kw_only=True):
    """One place to read past calls from."""

    kind: SourceKind
    path: Path


class PastCall(Struct, frozen=True, kw_only=True):
    """A tool call as it was made, and what came of it then."""

    event: PreToolUse
    then: ReplayRuling
    source: str
    result: str = ""
    """What it printed, where that was written down."""


def sources(paths: Iterable[Path], around: Environment, record: Path) -> Iterator[CallSource]:
    """Yield what there is to read at *paths*: transcripts, folders of them, or our own record.

    Without any, every agent's transcripts below the home, and *record*.
    """
    named = list(paths)
    for path in named:
        if not path.exists():
            raise UsageError(
                where="snaphook replay",
                what=f"no such file or folder: {path}",
                fix="Give a transcript, a folder of transcripts, or the folder of the record.",
            )
        if streams(path):
            yield CallSource(kind=SourceKind.RECORD, path=path)
        elif path.is_dir():
            yield from map(_transcript, sorted(path.rglob("*.json*")))
        else:
            yield _transcript(path)
    if not named:
        for shape in TRANSCRIPTS:
            yield from map(_transcript, sorted(around.home.glob(shape)))
        if streams(record):
            yield CallSource(kind=SourceKind.RECORD, path=record)


def past_calls(source: CallSource, *, since: float = 0.0) -> Iterator[PastCall]:
    """Yield the calls that *source* tells of, from *since* on."""
    if source.kind is SourceKind.RECORD:
        yield from _recorded(source.path, since)
    elif source.path.stat().st_mtime >= since:
        yield from (call for call in _transcribed(source.path) if _when(call) >= since)


def _transcript(path: Path) -> CallSource:
    return CallSource(kind=SourceKind.TRANSCRIPT, path=path)


def _when(call: PastCall) -> float:
    return call.event.context.timestamp


def _transcribed(path: Path) -> Iterator[PastCall]:
    """Yield the calls of one transcript; its end tells of a call whether we stopped it."""
    waiting: dict[str, ToolCalled] = {}
    for entry in read(path):
        if isinstance(entry, ToolCalled):
            waiting[entry.id or f"#{len(waiting)}"] = entry
        elif isinstance(entry, ToolReturned) and (called := waiting.pop(entry.id, None)):
            yield _past(called, path, stopped=_OURS in entry.text, result=entry.text)
    for called in waiting.values():
        yield _past(called, path, stopped=False)


def _past(called: ToolCalled, path: Path, *, stopped: bool, result: str = "") -> PastCall:
    tool, args = host_named(called.host).TOOLS.ours(called.tool, called.args)
    context = HookContext(
        session_id=called.session,
        agent_name="subagent" if called.subagent else "main",
        cwd=called.cwd,
        host=called.host,
        timestamp=called.time,
    )
    return PastCall(
        event=PreToolUse(tool_name=tool, tool_args=args, context=context),
        then=ReplayRuling(answer="deny") if stopped else ReplayRuling(),
        source=str(path),
        result="" if stopped else result,
    )


def _recorded(folder: Path, since: float) -> Iterator[PastCall]:
    for record in records(folder, RecordQuery(since=since, event="PreToolUse")):
        args = record.input.get("tool_args")
        context = HookContext(
            session_id=record.session,
            agent_name=record.agent or "main",
            team_root=record.project,
            cwd=record.project,
            host=record.host,
            timestamp=record.time,
        )
        said = record.verdict if record.verdict in ("ask", "deny") else "pass"
        yield PastCall(
            event=PreToolUse(
                tool_name=record.tool,
                tool_args=args if isinstance(args, dict) else {},
                context=context,
            ),
            then=ReplayRuling(answer=said, reason=record.reason or ""),
            source=str(folder),
        )
