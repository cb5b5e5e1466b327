"""What the record comes to in numbers, kept small whatever agents call themselves.

Record  ->  counters, histograms, gauges

Agents choose names, so every label takes a limited number of values and every metric a limited number
of series; what comes after that is counted as "other", so that sums stay true.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import TypeAlias

from msgspec import Struct, field

from snaphook.canon.hook_runs import HOOK_ENDED
from snaphook.prices import PriceList
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.refused import refused_rules

from . import names as n
from .names import METRICS, MetricKind
from .usage import TokenUse, UsageReader

VALUES = 100
"""Values that a label may take; the next ones are "other"."""
SERIES = 2_000
"""Series that a metric may have."""
LONGEST = 80
"""Characters of one value."""
SESSIONS = 4_096
"""Sessions whose model and beginning are remembered."""
SEEN, SHORT = 4_096, 400
"""Sets of names whose labels are remembered, and the characters such a set may have."""
OTHER = "other"

Labels: TypeAlias = tuple[str, ...]


class Spread(Struct, kw_only=True):
    """A histogram's series."""

    counts: list[int]
    sum: float = 0.0
    count: int = 0


class Known(Struct, kw_only=True, omit_defaults=True):
    """What later records of a session do not say again."""

    model: str = ""
    started: float = 0.0
    agents: dict[str, tuple[str, str, float]] = field(default_factory=dict)
    """By the subagent's id: its name, its model, and when it started."""


class StoredMeasures(Struct, kw_only=True, omit_defaults=True):
    """All of it, as it lies on disk."""

    since: float = 0.0
    numbers: dict[str, list[tuple[Labels, float]]] = field(default_factory=dict)
    spreads: dict[str, list[tuple[Labels, Spread]]] = field(default_factory=dict)
    values: dict[str, list[str]] = field(default_factory=dict)
    sessions: dict[str, Known] = field(default_factory=dict)
    usage: UsageReader = field(default_factory=UsageReader)


class Measures:
    """Counts records; *kept* is where it goes on from, *clean* takes secrets out of names."""

    def __init__(
        self,
        kept: StoredMeasures | None = None,
        *,
        prices: PriceList | None = None,
        clean: Callable[[str], str] = str,
        now: float = 0.0,
    ) -> None:
        kept = kept or StoredMeasures(since=now)
        self.since = kept.since
        self.numbers = {name: dict(rows) for name, rows in kept.numbers.items()}
        self.spreads = {name: dict(rows) for name, rows in kept.spreads.items()}
        self._values = {name: dict.fromkeys(values) for name, values in kept.values.items()}
        self._sessions = kept.sessions
        self._usage = kept.usage
        self._prices = prices or PriceList()
        self._clean = clean
        self._seen: dict[tuple[str, ...], Labels] = {}

    def kept(self) -> StoredMeasures:
        """Return everything, to be taken up again."""
        return StoredMeasures(
            since=self.since,
            numbers={name: list(rows.items()) for name, rows in self.numbers.items()},
            spreads={name: list(rows.items()) for name, rows in self.spreads.items()},
            values={name: list(values) for name, values in self._values.items()},
            sessions=self._sessions,
            usage=self._usage,
        )

    def take(self, record: Record) -> None:
        """Count *record*."""
        if record.event == HOOK_ENDED:
            self._runs(record)
            return
        about = {n.EVENT: record.event, n.HOST: record.host, n.REPO: _repo(record)}
        self.add("snaphook.events", about)
        self.observe("snaphook.hook.duration", record.duration_ms / 1000, about)
        self._latest("snaphook.hook.last.time", record.time, about)
        self._decision(record, about)
        known = self._known(record)
        match record.event:
            case "SessionStart":
                self.add("snaphook.sessions", about)
            case "SubagentStart":
                self._spawn(record, known)
            case "SubagentStop" | "SessionEnd" if not record.stops:
                self._completion(record, known)
            case "PreToolUse" if record.stops:
                self._tool(record, known, "stopped")
            case "PostToolUse":
                self._tool(record, known, "ok")
            case "PostToolUseFailure":
                self._tool(record, known, "failed")
        for used in self._usage.used(record):
            self._used(used, record, known)

    def add(self, name: str, about: Mapping[str, str], more: float = 1) -> None:
        """Count *more* of the counter *name*."""
        rows = self.numbers.setdefault(name, {})
        labels = self._labels(name, about, rows)
        rows[labels] = rows.get(labels, 0) + more

    def observe(self, name: str, value: float, about: Mapping[str, str]) -> None:
        """Put *value* into the histogram *name*."""
        rows = self.spreads.setdefault(name, {})
        labels = self._labels(name, about, rows)
        bounds = METRICS[name].bounds
        spread = rows.get(labels)
        if spread is None:
            spread = rows[labels] = Spread(counts=[0] * (len(bounds) + 1))
        spread.counts[bisect_left(bounds, value)] += 1
        spread.sum += value
        spread.count += 1

    def _latest(self, name: str, value: float, about: Mapping[str, str]) -> None:
        rows = self.numbers.setdefault(name, {})
        labels = self._labels(name, about, rows)
        rows[labels] = max(value, rows.get(labels, 0))

    def _decision(self, record: Record, about: Mapping[str, str]) -> None:
        rule = next((said.rule for said in record.answers if said.by == record.by), "")
        told = {n.VERDICT: record.verdict or "silent", n.PROVIDER: record.by, n.RULE: rule}
        self.add("snaphook.decisions", {**about, **told})
        for refused in refused_rules(record):
            where = {n.RULE: refused, n.HOST: record.host, n.REPO: _repo(record)}
            self.add("snaphook.sandbox.refusals", where)
        for said in record.answers:
            if said.error:
                self.add("snaphook.provider.errors", {n.PROVIDER: said.by})
        self._runs(record)

    def _runs(self, record: Record) -> None:
        for run in record.hooks:
            self.add("snaphook.hook.runs", {n.HOOK: run.hook, n.STATUS: run.ended})
            if not run.background:
                took = run.duration_ms / 1000
                self.observe("snaphook.hook.run.duration", took, {n.HOOK: run.hook})

    def _known(self, record: Record) -> Known:
        known = self._sessions.get(record.session)
        if known is None:
            known = self._sessions[record.session] = Known(started=record.time)
            if len(self._sessions) > SESSIONS:
                del self._sessions[next(iter(self._sessions))]
        if record.event == "SessionStart":
            known.started = record.time
        if record.event in ("SessionStart", "PostModelRequest", "PostModelSwitch"):
            known.model = _text(record, "model") or known.model
        return known

    def _who(self, record: Record, known: Known, agent_id: str = "") -> dict[str, str]:
        name, model, _ = known.agents.get(agent_id or record.agent_id, ("", "", 0.0))
        return {
            n.REPO: _repo(record),
            n.AGENT: name or record.agent,
            n.MODEL: model or known.model,
        }

    def _spawn(self, record: Record, known: Known) -> None:
        name, model = _text(record, "agent_name"), _text(record, "model") or known.model
        known.agents[_text(record, "agent_id") or name] = (name, model, record.time)
        if len(known.agents) > VALUES:
            del known.agents[next(iter(known.agents))]
        status = "denied" if record.stops else "started"
        about = {n.REPO: _repo(record), n.AGENT: name, n.MODEL: model, n.STATUS: status}
        self.add("snaphook.spawns", about)

    def _completion(self, record: Record, known: Known) -> None:
        if record.event == "SessionEnd":
            who = self._who(record, known) | {n.STATUS: "completed"}
            started = known.started
            self._sessions.pop(record.session, None)
        else:
            name = _text(record, "agent_name")
            id_ = _text(record, "agent_id") or name
            _, model, started = known.agents.pop(id_, ("", "", 0.0))
            model = _text(record, "model") or model or known.model
            status = _text(record, "status") or "completed"
            who = {n.REPO: _repo(record), n.AGENT: name, n.MODEL: model, n.STATUS: status}
        self.add("snaphook.completions", who)
        if took := _took(record) or (record.time - started if started else 0.0):
            self.observe("snaphook.completion.duration", took, who)
        tokens = record.input.get("tokens_used")
        if isinstance(tokens, int) and tokens > 0:
            self.observe("snaphook.completion.tokens", tokens, who)

    def _tool(self, record: Record, known: Known, status: str) -> None:
        about = self._who(record, known) | {n.TOOL: record.tool, n.STATUS: status}
        self.add("snaphook.tool.calls", about)
        if took := _took(record):
            self.observe("snaphook.tool.duration", took, about)

    def _used(self, used: TokenUse, record: Record, known: Known) -> None:
        known.model = used.model or known.model if not used.agent_id else known.model
        who = self._who(record, known, used.agent_id) | {n.OPERATION: "chat"}
        who[n.MODEL] = used.model or who[n.MODEL]
        who[n.MODEL_PROVIDER] = n.provider_name(who[n.MODEL], record.host)
        usage = used.usage
        for kind, tokens in (("input", usage.input_tokens), ("output", usage.output_tokens)):
            if tokens > 0:
                self.observe("gen_ai.client.token.usage", tokens, {**who, n.TOKEN_TYPE: kind})
        dollars = self._prices.cost(who[n.MODEL], usage).micro_dollars / 1e6
        if dollars > 0:
            self.add("snaphook.cost.usd", who, dollars)

    def _labels(self, name: str, about: Mapping[str, str], rows: Mapping[Labels, object]) -> Labels:
        wanted = METRICS[name].labels
        given = (name, *[about.get(label, "") for label in wanted])
        labels = self._seen.get(given)
        if labels is None:
            labels = tuple(map(self._value, wanted, given[1:]))
            if len(self._seen) < SEEN and sum(map(len, given)) < SHORT:
                self._seen[given] = labels
        if labels in rows or len(rows) < SERIES:
            return labels
        return (OTHER,) * len(labels)

    def _value(self, label: str, text: str) -> str:
        """Return *text* if there is room for it among the values of *label*, else "other"."""
        known = self._values.setdefault(label, {})
        if text in known or not text:
            return text
        value = printable(self._clean(text))
        if value not in known:
            if len(known) >= VALUES:
                return OTHER
            known[value] = None
        return value


def series(measures: Measures) -> Iterator[tuple[str, Labels, float | Spread]]:
    """Yield every series, in the order of the table."""
    for name, metric in METRICS.items():
        rows = (measures.spreads if metric.kind is MetricKind.HISTOGRAM else measures.numbers).get(
            name
        )
        for labels, value in (rows or {}).items():
            yield name, labels, value


def printable(text: str) -> str:
    """Return *text* on one line, and short."""
    text = text[:LONGEST]
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " for c in text)


@lru_cache(maxsize=256)
def name_of(project: str) -> str:
    """Return the repository's name: the last part of its path."""
    return PurePath(project).name


def _repo(record: Record) -> str:
    return name_of(record.project)


def _text(record: Record, name: str) -> str:
    value = record.input.get(name)
    if value is None and isinstance(payload := record.input.get("payload"), dict):
        value = payload.get(name)
    return value if isinstance(value, str) else ""


def _took(record: Record) -> float:
    value = record.input.get("duration_ms")
    return value / 1000 if isinstance(value, int | float) and value > 0 else 0.0
