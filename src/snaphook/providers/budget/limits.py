"""The settings' limits, and how far along the way to them somebody is.

BudgetSettings  ->  Limits by account        Balances  ->  Standing

Pure.
"""

from enum import IntEnum

from msgspec import Struct

from snaphook.stores.budget import Balance, Limit

from .settings import BudgetSettings, LimitTable, PeriodTable


class LimitStep(IntEnum):
    """What is reached on the way to a limit; each includes those before it."""

    FREE = 0
    WARN = 1
    CHEAPER = 2
    NO_SPAWNS = 3
    STOP = 4


class Standing(Struct, frozen=True, kw_only=True):
    """The limit that is closest, and how close."""

    step: LimitStep = LimitStep.FREE
    kind: str = ""
    balance: Balance = Balance()
    limit: Limit = Limit()
    share: float = 0.0


def limits_of(settings: BudgetSettings, *, tenanted: bool = False) -> dict[str, Limit]:
    """Return the limits that are set, by the account they hold for."""
    tables: dict[str, LimitTable] = {
        "session": settings.session,
        "tree": settings.tree,
        _kind("project", settings.project): settings.project,
        "day": settings.day,
        "month": settings.month,
    }
    if tenanted:
        tables[_kind("tenant", settings.tenant)] = settings.tenant
    return {
        kind: Limit(micro_dollars=_micros(table.dollars), tokens=table.tokens)
        for kind, table in tables.items()
        if table.dollars is not None or table.tokens is not None
    }


def standing(
    balances: dict[str, Balance], limits: dict[str, Limit], settings: BudgetSettings
) -> Standing:
    """Return how things stand with the limit that is closest."""
    closest = Standing()
    for kind, limit in limits.items():
        share = limit.share(balances[kind])
        if share >= closest.share:
            closest = Standing(
                step=_step(share * 100, settings),
                kind=kind,
                balance=balances[kind],
                limit=limit,
                share=share,
            )
    return closest


def _step(percent: float, settings: BudgetSettings) -> LimitStep:
    if percent >= settings.stop_at:
        return LimitStep.STOP
    if percent >= settings.deny_spawns_at:
        return LimitStep.NO_SPAWNS
    if percent >= settings.cheaper_at:
        return LimitStep.CHEAPER
    return LimitStep.WARN if percent >= settings.warn_at else LimitStep.FREE


def _kind(name: str, table: PeriodTable) -> str:
    return name if table.per == "ever" else f"{name}-{table.per}"


def _micros(dollars: float | None) -> int | None:
    return None if dollars is None else round(dollars * 1_000_000)
