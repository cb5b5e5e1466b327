"""One decision, with the part that was objected to marked.

Record  ->  DecisionDetail: the command in pieces, the rules by their own words

The record keeps which rule objected and not where in the text; the guard is asked again, with today's
rules and settings, and the page says so.
"""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.canon.hook_runs import RecordedRun
from snaphook.providers.guard.examine import SHELLS, examine_tool
from snaphook.providers.guard.judgement import Objection
from snaphook.providers.guard.rules.pages import Example, examples, summary
from snaphook.providers.guard.rules.rule import Rule
from snaphook.providers.guard.rules.table import BY_ID
from snaphook.shell.live import LiveWorld
from snaphook.stores.eventlog.record import Record
from snaphook.stores.provenance.entries import Finding

from .dashboard import Dashboard
from .finding import Find, background_ends, beside, one
from .provenance import value_path
from .subject import arguments

LONGEST = 20_000
"""Characters of one field that a page shows."""


class Piece(Struct, frozen=True, kw_only=True):
    """A part of the command, and the rule that objects to it."""

    text: str
    rule: str = ""


class RulePage(Struct, frozen=True, kw_only=True):
    """What a rule says of itself."""

    rule: Rule
    summary: str
    examples: Sequence[Example]


class HookRow(Struct, frozen=True, kw_only=True):
    """One run of a command hook; of one in the background, its end where that is recorded."""

    run: RecordedRun
    background: bool = False
    ended_in: str = ""
    """The id of the record of its end."""


class DecisionDetail(Struct, frozen=True, kw_only=True):
    """Everything there is to say about one record."""

    find: Find
    pieces: Sequence[Piece]
    """The command; empty where there was none."""
    objections: Sequence[Objection]
    """What the guard says today."""
    rules: Sequence[RulePage]
    """The rules that decided then."""
    hooks: Sequence[HookRow]
    path: Sequence[Finding]
    """Where the values came from that provenance asked about, source first."""
    fields: Sequence[tuple[str, str]]
    output: Sequence[tuple[str, str]]
    earlier: str
    later: str
    raw: str


def decision_detail(dashboard: Dashboard, record_id: str) -> DecisionDetail | None:
    """Return everything about the record *record_id*; ``None`` if there is no such."""
    find = one(dashboard.records, record_id)
    if find is None:
        return None
    record = find.record
    objections = _objections(dashboard, record)
    command = _command(record)
    return DecisionDetail(
        find=find,
        pieces=marked(command, objections) if command else (),
        objections=objections,
        rules=[rule_page(BY_ID[rule]) for rule in _rules(record) if rule in BY_ID],
        hooks=_hooks(dashboard, record),
        path=value_path(dashboard, record),
        fields=[(name, _shown(value)) for name, value in _fields(record) if value != command],
        output=[(name, _shown(value)) for name, value in record.output.items()],
        earlier=beside(dashboard.records, record, newer=False),
        later=beside(dashboard.records, record, newer=True),
        raw=_shown(msgspec.to_builtins(record)),
    )


def marked(command: str, objections: Sequence[Objection]) -> list[Piece]:
    """Return *command* in pieces, those that a rule objects to under its name.

    Where two object to the same place, the one that decides has it.
    """
    owner = [""] * len(command)
    for objection in reversed(objections):
        start, end = objection.span
        for place in range(max(0, start), min(end, len(command))):
            owner[place] = objection.rule
    pieces: list[Piece] = []
    start = 0
    for place in range(1, len(command) + 1):
        if place == len(command) or owner[place] != owner[start]:
            pieces.append(Piece(text=command[start:place], rule=owner[start]))
            start = place
    return pieces


def rule_page(rule: Rule) -> RulePage:
    """Return what *rule* says of itself."""
    return RulePage(rule=rule, summary=summary(rule), examples=examples(rule))


def _objections(dashboard: Dashboard, record: Record) -> tuple[Objection, ...]:
    if not record.tool or not _rules(record):
        return ()
    world = LiveWorld(record.project or "/")
    found = examine_tool(
        record.tool, arguments(record), world, settings=dashboard.guard, agent=record.agent
    )
    return found.objections


def _hooks(dashboard: Dashboard, record: Record) -> list[HookRow]:
    ends = background_ends(dashboard.records, record)
    return [_hook_row(run, ends.get(run.run)) for run in record.hooks]


def _hook_row(run: RecordedRun, end: Find | None) -> HookRow:
    if end is None:
        return HookRow(run=run, background=run.background or bool(run.run))
    ended = next(each for each in end.record.hooks if each.run == run.run)
    return HookRow(run=ended, background=True, ended_in=end.record.id)


def _rules(record: Record) -> list[str]:
    return list(dict.fromkeys(said.rule for said in record.answers if said.rule))


def _command(record: Record) -> str:
    command = arguments(record).get("command")
    return command if record.tool in SHELLS and isinstance(command, str) else ""


def _fields(record: Record) -> list[tuple[str, Any]]:
    args = [(name, value) for name, value in arguments(record).items()]
    return args + [(name, value) for name, value in record.input.items() if name != "tool_args"]


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… (+{len(text) - LONGEST:,})"
