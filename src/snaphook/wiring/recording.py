"""Every event and every answer, made a record.

Outcome  ->  Record

Scrubbed here, before anything is written: nothing below sees a secret.
"""

import os
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Struct

from snaphook.canon import (
    Event,
    HostEvent,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStop,
    ToolEvent,
    Verdict,
    reason,
    verdict,
)
from snaphook.canon.hook_runs import HOOK_ENDED, RecordedRun
from snaphook.config.caller import environment
from snaphook.config.probes import is_probe
from snaphook.engine import Outcome, ProviderAnswer
from snaphook.errors import StoreError
from snaphook.hosts.refusal import Refusal
from snaphook.scrub import SECRET_REACH, TOO_DEEP, Scrubber, load_salt
from snaphook.stores.eventlog import Durability, EventLog, LogSettings, Record, RecordedAnswer

if TYPE_CHECKING:
    from .background_hooks import HookOrigin

LONGEST = 16_384
"""Characters kept of one text; what an agent writes into a file is in the file."""
PRINTED = 4_096
"""Characters kept of what a command hook printed, on each stream: its beginning and its end."""
DEEPEST = 100
"""Levels of nesting that are kept: hosts nest a few, and what writes the record recurses."""
SHARED = "direct"
BESIDE = 16
"""The stream of those who answer without a daemon."""
UNREADABLE = "Unreadable"
"""What stands for the event where not even its name is known."""
US = "snaphook"
"""Who refuses what cannot be read."""
LAPSED = "ApprovalLapsed"
"""The event under which it is recorded that a project's approval no longer counts."""
OURS = (LAPSED, "OverrideRefused", "OverrideKeyChanged")
"""Events about people's words that no person caused."""
_KEPT_ELSEWHERE = ("event", "context", "decision", "reason", "by", "tool_name")
_NOTHING: tuple[Any, ...] = (None, "", [], {}, ())
_STRETCHES = (SessionStart, Stop, SubagentStop, SessionEnd, HostEvent)
"""The events after which it is worth looking into the transcript."""
_OURS = frozenset(
    [
        "command",
        "content",
        "description",
        "file_path",
        "limit",
        "new_string",
        "offset",
        "old_string",
        "path",
        "pattern",
        "prompt",
        "query",
        "timeout",
        "url",
    ]
)
"""Names of arguments that hold nothing by themselves, so that nobody need look at them."""


def scrubber(data_dir: Path) -> Scrubber:
    """Return a scrubber whose placeholders stay the same from one day to the next."""
    try:
        return Scrubber(salt=load_salt(data_dir / "salt"))
    except StoreError as problem:
        import logging

        # A record with marks of its own is better than none.
        logging.getLogger("snaphook.log").warning("%s", problem)
        return Scrubber()


def keep(what: Outcome | Refusal, settings: LogSettings, data_dir: Path) -> None:
    """Write *what* to the stream that processes without a daemon share; it is on disk then."""
    keep_all([what], settings, data_dir)


def keep_all(noted: Sequence[Outcome | Refusal], settings: LogSettings, data_dir: Path) -> None:
    """Write all of *noted* so, in one go."""
    if not noted:
        return
    clean = scrubber(data_dir)
    made = [
        refusal(what, clean) if isinstance(what, Refusal) else record(what, clean) for what in noted
    ]
    keep_records(made, settings, data_dir)


def keep_records(made: Sequence[Record], settings: LogSettings, data_dir: Path) -> None:
    """Write records that are *made* already, scrubbed, to the same stream."""
    log = _opened(settings, data_dir)
    log.append(made)
    log.close()


def _opened(settings: LogSettings, data_dir: Path) -> EventLog:
    """Return the shared stream, or one of a few beside it where hundreds crowd before its door."""
    beside = f"{SHARED}-{os.getpid() % BESIDE + 1}"
    for stream, patience in ((SHARED, 2.0), (beside, 5.0)):
        try:
            return _stream(stream, patience, settings, data_dir)
        except StoreError:
            continue
    return _stream(f"{SHARED}-{os.getpid()}", 1.0, settings, data_dir)


def _stream(name: str, patience: float, settings: LogSettings, data_dir: Path) -> EventLog:
    alone = settings.durability is Durability.GROUP  # there is no group to wait for
    return EventLog(
        settings.place(data_dir),
        stream=name,
        durability=Durability.RECORD if alone else settings.durability,
        segment_bytes=settings.segment_mb << 20,
        patience=patience,
    )


def is_probed(outcome: Outcome) -> bool:
    """Return whether ``snaphook doctor`` made the call: no record is kept of it."""
    return is_probe_event(outcome.event)


def is_probe_event(event: Event) -> bool:
    """Return whether *event* is such a call."""
    if not isinstance(event, ToolEvent):
        return False
    return is_probe(event.tool_args.get("command"), event.context.session_id, environment())


def stops(outcome: Outcome) -> bool:
    """Say whether *outcome* stops something, so that its record must come before the reply."""
    return verdict(outcome.output) in (Verdict.DENY, Verdict.BLOCK)


def record(outcome: Outcome, scrubber: Scrubber) -> Record:
    """Return what is kept of *outcome*."""
    event, output = outcome.event, outcome.output
    context = event.context
    return Record(
        id=new_id(),
        time=context.timestamp or time(),
        event=event.event_name,
        session=_name(context.session_id, scrubber),
        host=context.host,
        agent=_name(context.agent_type or context.agent_name, scrubber),
        project=_name(context.team_root or context.cwd, scrubber),
        tool=_name(event.tool_name, scrubber) if isinstance(event, ToolEvent) else "",
        parent=_name(context.parent_session_id or "", scrubber),
        agent_id=_name(context.agent_id or "", scrubber),
        input=_fields(event, scrubber),
        answers=tuple(_said(answer, scrubber) for answer in outcome.answers),
        verdict=verdict(output),
        reason=_text(reason(output), scrubber),
        by=output.by if output else "",
        output=_fields(output, scrubber) if output else {},
        hooks=tuple(_run(run, scrubber) for run in outcome.hooks),
        duration_ms=round(outcome.duration_ms, 3),
        turn=_name(context.turn_id or "", scrubber),
        transcript=_name(context.transcript_path or "", scrubber)
        if isinstance(event, _STRETCHES)
        else "",
        salt=os.urandom(8).hex(),
    )


def refusal(refused: Refusal, scrubber: Scrubber) -> Record:
    """Return what is kept of a message that became no event: who sent it, and as much of it as fits.

    Somebody who tries what a parser does not understand is what an auditor looks for.
    """
    text = refused.wire[: (LONGEST + SECRET_REACH) * 4].decode("utf-8", "replace")
    return Record(
        id=new_id(),
        time=refused.call.now or time(),
        event=_name(refused.call.event, scrubber) or UNREADABLE,
        session="",
        host=refused.host,
        project=_name(refused.call.cwd, scrubber),
        input={"wire": _kept(text, scrubber)} if text else {},
        verdict=Verdict.DENY if refused.stops else None,
        reason=_text(refused.why, scrubber),
        by=US,
        salt=os.urandom(8).hex(),
    )


def override_record(
    event: str,
    text: str,
    scrubber: Scrubber,
    *,
    command: str = "",
    project: str = "",
    session: str = "",
    tool: str = "",
) -> Record:
    """Return the record of something that a person, or the lack of one, did to an override or an approval."""
    return Record(
        id=new_id(),
        time=time(),
        event=event,
        session=_name(session, scrubber),
        project=_name(project, scrubber),
        tool=_name(tool, scrubber),
        input={"command": _kept(command, scrubber, "command")} if command else {},
        reason=_text(text, scrubber),
        by="person" if event not in OURS else US,
        salt=os.urandom(8).hex(),
    )


def hook_end(origin: "HookOrigin", run: RecordedRun, scrubber: Scrubber, *, now: float) -> Record:
    """Return the record of the end of a background hook that was started for *origin*."""
    named = {"event": origin.event, "tool_use_id": origin.tool_use_id}
    return Record(
        id=new_id(),
        time=now,
        event=HOOK_ENDED,
        session=_name(origin.session, scrubber),
        host=origin.host,
        agent=_name(origin.agent, scrubber),
        project=_name(origin.project, scrubber),
        tool=_name(origin.tool, scrubber),
        parent=_name(origin.parent, scrubber),
        agent_id=_name(origin.agent_id, scrubber),
        input={name: _name(text, scrubber) for name, text in named.items() if text},
        hooks=(_run(run, scrubber),),
        turn=_name(origin.turn, scrubber),
        salt=os.urandom(8).hex(),
    )


def new_id() -> str:
    """Return a new id: milliseconds, then chance; sorted by time, unique over all machines."""
    return f"{int(time() * 1000):012x}{os.urandom(10).hex()}"


def _said(answer: ProviderAnswer, scrubber: Scrubber) -> RecordedAnswer:
    return RecordedAnswer(
        by=answer.by,
        verdict=verdict(answer.output),
        reason=_text(reason(answer.output), scrubber),
        error=_text(str(answer.error), scrubber) if answer.error else None,
        duration_ms=round(answer.duration_ms, 3),
        rule=getattr(answer.output, "rule", ""),
        would=getattr(answer.output, "would", None),
    )


def _run(run: RecordedRun, scrubber: Scrubber) -> RecordedRun:
    return msgspec.structs.replace(
        run,
        hook=_text(run.hook, scrubber) or "",
        failure=_text(run.failure, scrubber),
        duration_ms=round(run.duration_ms, 3),
        stdout=_printed(run.stdout, scrubber),
        stderr=_printed(run.stderr, scrubber),
    )


def _printed(text: str, scrubber: Scrubber) -> str:
    """Return the beginning and the end of what a hook printed.

    Scrubbed before it is cut, so that no cut runs through a secret; of a long text, only the neighbourhood
    of what stays is looked at.
    """
    if len(text) <= PRINTED:
        return _text(text, scrubber) or ""
    half = PRINTED // 2
    start, end = (_text(part, scrubber) or "" for part in (text[:LONGEST], text[-LONGEST:]))
    return f"{start[:half]}… [+{len(text) - PRINTED} characters] …{end[-half:]}"


def _fields(value: Struct, scrubber: Scrubber) -> dict[str, Any]:
    """Return the fields of an event or output that have no place of their own in a record."""
    kept: dict[str, Any] = {}
    for name in _kept_here(type(value)):
        field = getattr(value, name)
        if field is UNSET or (not field and field in _NOTHING):
            continue
        plain: Any = field if isinstance(field, str) else _plain(field)
        if name == "extra":
            plain.pop("hook_event_name", None)  # said already
        if name == "tool_args":
            kept[name] = _table(plain, scrubber)
        elif plain not in _NOTHING:
            kept[name] = _named(name, plain, scrubber)
    return kept


@cache
def _kept_here(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if name not in _KEPT_ELSEWHERE)


def _table(table: dict[str, Any], scrubber: Scrubber) -> dict[str, Any]:
    return {
        name if name in _OURS else _name(name, scrubber): _named(name, field, scrubber)
        for name, field in table.items()
    }


def _named(name: str, field: Any, scrubber: Scrubber) -> Any:
    """Return *field* as it is kept; its name tells a password from a word."""
    if isinstance(field, str):
        return _kept(field, scrubber, name)
    return _writable(scrubber.scrub(field, most=LONGEST))


def _text(text: str | None, scrubber: Scrubber) -> str | None:
    return _kept(text, scrubber) if text else text


@lru_cache(maxsize=256)
def _name(text: str, scrubber: Scrubber) -> str:
    """Return *text*, an id, a name or a path, as it is kept: agents and their servers choose these.

    A session has the same few of them for hours, so they are looked at once.
    """
    whole = _kept(text, scrubber) if text else text
    if "__" not in whole:
        return whole
    # ``mcp__server__tool``: a token between the underscores has no word boundary that a rule could find.
    # The whole comes first, because a token may have two underscores itself.
    return "__".join(_kept(part, scrubber) if part else part for part in whole.split("__"))


def _kept(text: str, scrubber: Scrubber, name: str = "") -> str:
    """Return *text* short enough to keep, scrubbed before it is cut, and such that it can be written."""
    clean = scrubber.start_of(text, LONGEST, name)
    return clean if clean.isascii() else clean.encode("utf-8", "replace").decode()


def _writable(value: Any) -> Any:
    """Return *value* with no text in it that cannot be written: half of a surrogate pair."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_writable(key): _writable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(inner) for inner in value]
    return value


def _plain(field: Any) -> Any:
    """Return *field* as JSON has it; what is nested too deeply to be written is left out."""
    try:
        return msgspec.to_builtins(field)
    except RecursionError:
        return msgspec.to_builtins(_shallow(field, DEEPEST))


def _shallow(value: Any, levels: int) -> Any:
    if not isinstance(value, dict | list | tuple):
        return value
    if not levels:
        return TOO_DEEP
    if isinstance(value, dict):
        return {key: _shallow(inner, levels - 1) for key, inner in value.items()}
    return [_shallow(inner, levels - 1) for inner in value]
