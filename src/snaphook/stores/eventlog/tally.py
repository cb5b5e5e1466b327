"""What a batch of records adds to the counts that dashboards show.

Records  ->  Tallies: how often, by five minutes; Sittings: what each session came to

Counted once, when a record is shipped, in the transaction that keeps it: a page over a million records
reads thousands of rows. Pure. Names are counted, never contents; a redaction takes its own out again.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from math import ceil, log2
from typing import NamedTuple

from snaphook.canon.hook_runs import HOOK_ENDED

from .record import Record

SLOT = 300
"""Seconds that are counted together."""
LONGEST_NAME = 200
STEPS = 4
"""Latency bands to a doubling: a percentile read from them is at most a fifth too high."""
FINEST_MS = 0.01


class CountKind(StrEnum):
    """What is counted."""

    HOOK = "hook"
    """By host and event, with a space between them."""
    PROJECT = "project"
    AGENT = "agent"
    TOOL = "tool"
    RULE = "rule"
    """By the rules that objected."""
    PACE = "pace"
    """By the band of how long the answer took; see ``band``."""


class CountKey(NamedTuple):
    """A row of the counts."""

    kind: str
    slot: int
    name: str
    verdict: str
    """Empty for silence."""


class SessionCounts(NamedTuple):
    """What the records of one session add to it."""

    session: str
    host: str
    agent: str
    project: str
    parent: str
    first: float
    last: float
    records: int
    calls: int
    stopped: int
    asked: int
    agents: int


def tallies(records: Iterable[Record]) -> "Counter[CountKey]":
    """Return how often each thing happened."""
    found: Counter[CountKey] = Counter()
    for record in records:
        if record.event == HOOK_ENDED:
            continue  # no call, and nobody waited for it
        slot = int(record.time // SLOT) * SLOT
        verdict = record.verdict or ""
        found[CountKey(CountKind.HOOK, slot, _name(f"{record.host} {record.event}"), verdict)] += 1
        found[CountKey(CountKind.PACE, slot, str(band(record.duration_ms)), "")] += 1
        if record.project:
            found[CountKey(CountKind.PROJECT, slot, _name(record.project), verdict)] += 1
        if record.agent:
            found[CountKey(CountKind.AGENT, slot, _name(record.agent), verdict)] += 1
        if record.tool:
            found[CountKey(CountKind.TOOL, slot, _name(record.tool), verdict)] += 1
        for said in record.answers:
            if said.rule:
                would = f"({said.would})" if said.would else ""
                found[CountKey(CountKind.RULE, slot, _name(said.rule), said.verdict or would)] += 1
    return found


def session_counts(records: Iterable[Record]) -> list[SessionCounts]:
    """Return what the records of each session add to it, in the order of their ids."""
    found: dict[str, SessionCounts] = {}
    for record in records:
        if record.session and record.event != HOOK_ENDED:
            added = _sitting(record)
            known = found.get(record.session)
            found[record.session] = _sum(known, added) if known else added
    return [found[session] for session in sorted(found)]


def band(milliseconds: float) -> int:
    """Return the latency band that *milliseconds* fall into; 0 is the fastest."""
    return max(0, ceil(log2(max(milliseconds, FINEST_MS) / FINEST_MS) * STEPS))


def bound(number: int) -> float:
    """Return the milliseconds at which the band *number* ends."""
    return float(FINEST_MS * 2 ** (number / STEPS))


def _sitting(record: Record) -> SessionCounts:
    return SessionCounts(
        session=record.session,
        host=record.host,
        agent=_name(record.agent) if not record.agent_id else "",
        project=_name(record.project),
        parent=record.parent,
        first=record.time,
        last=record.time,
        records=1,
        calls=int(record.event == "PreToolUse"),
        stopped=int(record.stops),
        asked=int(record.verdict == "ask"),
        agents=int(record.event == "SubagentStart"),
    )


def _sum(one: SessionCounts, other: SessionCounts) -> SessionCounts:
    return SessionCounts(
        session=one.session,
        host=one.host or other.host,
        agent=one.agent or other.agent,
        project=one.project or other.project,
        parent=one.parent or other.parent,
        first=min(one.first, other.first),
        last=max(one.last, other.last),
        records=one.records + other.records,
        calls=one.calls + other.calls,
        stopped=one.stopped + other.stopped,
        asked=one.asked + other.asked,
        agents=one.agents + other.agents,
    )


def _name(text: str) -> str:
    return text[:LONGEST_NAME].replace("\0", "\ufffd")
