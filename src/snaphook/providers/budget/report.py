"""What a session has cost, for people and for programs.

Meter + Payer  ->  BudgetReport  ->  text, JSON
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.canon import Usage
from snaphook.storage.files import replace
from snaphook.storage.folders import make_private
from snaphook.stores.budget import Balance, Limit, Meter, Payer


class ModelLine(Struct, frozen=True, kw_only=True):
    """One model's part."""

    model: str
    answers: int
    usage: Usage
    micro_dollars: int
    estimated: bool = False


class LimitLine(Struct, frozen=True, kw_only=True):
    """How much of a limit is used up."""

    kind: str
    balance: Balance
    limit: Limit
    percent: float


class BudgetReport(Struct, frozen=True, kw_only=True):
    """Everything about one session's money."""

    session: str
    tree: str
    project: str
    tenant: str
    micro_dollars: int
    tokens: int
    models: tuple[ModelLine, ...]
    limits: tuple[LimitLine, ...]
    facts: dict[str, str]
    """What makes the figures doubtful: a damaged store, a clock put right."""

    @property
    def text(self) -> str:
        """Return it as people read it."""
        guess = " (some prices are estimates)" if any(m.estimated for m in self.models) else ""
        lines = [
            f"Session {self.session}: {dollars(self.micro_dollars)}, {self.tokens:,} tokens{guess}"
        ]
        lines += [_model(line) for line in self.models]
        lines += [_limit(line) for line in self.limits]
        lines += [f"  ! {name}: {told}" for name, told in self.facts.items()]
        return "\n".join(lines)


def make_report(meter: Meter, payer: Payer, limits: dict[str, Limit]) -> BudgetReport:
    """Return what *payer*'s tree has spent, and how that stands against *limits*."""
    balances = meter.balances(payer)
    models = tuple(
        ModelLine(
            model=model,
            answers=count,
            usage=charge.usage,
            micro_dollars=charge.micro_dollars,
            estimated=charge.estimated,
        )
        for model, charge, count in meter.by_model(tree=payer.tree)
    )
    return BudgetReport(
        session=payer.session,
        tree=payer.tree,
        project=payer.project,
        tenant=payer.tenant,
        micro_dollars=balances["tree"].micro_dollars,
        tokens=balances["tree"].tokens,
        models=models,
        limits=limit_lines(balances, limits),
        facts=meter.facts(),
    )


def limit_lines(balances: dict[str, Balance], limits: dict[str, Limit]) -> tuple[LimitLine, ...]:
    """Return how *balances* stand against *limits*, the fullest first."""
    lines = [
        LimitLine(
            kind=kind,
            balance=balances[kind],
            limit=limit,
            percent=round(limit.share(balances[kind]) * 100, 1),
        )
        for kind, limit in limits.items()
        if kind in balances
    ]
    return tuple(sorted(lines, key=lambda line: -line.percent))


def write_report(report: BudgetReport, folder: Path) -> Path:
    """Put *report* into *folder*, as JSON, under a name that its session cannot choose freely."""
    make_private(folder)
    safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in report.session)[:100]
    path = folder / f"{safe or 'session'}.json"
    replace(path, msgspec.json.format(msgspec.json.encode(report)) + b"\n")
    return path


def dollars(micro_dollars: int) -> str:
    """Return an amount as people write it."""
    return (
        f"${micro_dollars / 1e6:,.4f}"
        if micro_dollars < 10_000_000
        else f"${micro_dollars / 1e6:,.2f}"
    )


def _model(line: ModelLine) -> str:
    usage = line.usage
    cached = f", {usage.cache_read_tokens:,} of them cached" if usage.cache_read_tokens else ""
    price = f"{'~' if line.estimated else ''}{dollars(line.micro_dollars)}"
    return (
        f"  {line.model or 'unknown model'}: {price} for {_answers(line.answers)}, "
        f"{usage.input_tokens:,} tokens read{cached}, {usage.output_tokens:,} written"
    )


def _answers(count: int) -> str:
    return "1 answer" if count == 1 else f"{count} answers"


def _limit(line: LimitLine) -> str:
    spent = dollars(line.balance.micro_dollars)
    return f"  {line.kind}: {line.percent:g} % of {bounds(line.limit)} ({spent})"


def bounds(limit: Limit) -> str:
    """Return a limit in words."""
    parts = [
        *([dollars(limit.micro_dollars)] if limit.micro_dollars is not None else []),
        *([f"{limit.tokens:,} tokens"] if limit.tokens is not None else []),
    ]
    return " and ".join(parts)
