"""``snaphook budget``: what was spent, against which limits, and other limits.

meter + [budget]  ->  status, report        amount  ->  snaphook.toml
"""

import math
import os
import time

import click

from snaphook.canon import Usage
from snaphook.config import Environment
from snaphook.config.write import write_settings
from snaphook.errors import ConfigError, UsageError
from snaphook.providers.budget.limits import limits_of
from snaphook.providers.budget.report import (
    LimitLine,
    ModelLine,
    bounds,
    dollars,
    limit_lines,
    make_report,
)
from snaphook.providers.budget.settings import BudgetSettings
from snaphook.stores.budget import Balance, Meter, Payer, open_meter
from snaphook.wiring.assembly import section

from .here import environment, here
from .output import say, say_json, say_lines

SCOPES = ("session", "tree", "project", "tenant", "day", "month")
DAY = 86_400.0
NOTHING = (
    "No spending recorded for this project yet.\n"
    "Spending is recorded once [budget] is set: run 'snaphook budget set day 20'."
)


@click.group()
def command() -> None:
    """Show what agents have spent, and set limits."""


@command.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(as_json: bool) -> int:
    """Show how much of each limit this project has used, today and this month."""
    around, settings, meter = _opened()
    limits = limits_of(settings, tenanted=bool(around.tenant))
    balances = meter.balances(_payer(around))
    kinds = [kind for kind in balances if kind in limits or kind in ("day", "month", "project")]
    lines = limit_lines(balances, {kind: limits[kind] for kind in kinds if kind in limits})
    facts = meter.facts()
    if as_json:
        shown = {
            "project": _project(around),
            "tenant": around.tenant,
            "accounts": {kind: balances[kind] for kind in kinds if kind not in ("session", "tree")},
            "limits": lines,
            "facts": facts,
        }
        say_json(shown)
    else:
        _show(kinds, balances, lines, facts)
    meter.close()
    return 0


@command.command("report")
@click.argument("session", required=False)
@click.option(
    "--days", type=click.IntRange(1), help="All sessions of this project in this period: 7d, 30d."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def report(session: str | None, days: int | None, as_json: bool) -> int:
    """Show what a session cost, by model. Default: this project's latest session."""
    around, settings, meter = _opened()
    if days is not None:
        return _by_days(meter, _project(around), days, as_json=as_json)
    tree = session or meter.latest_tree(_project(around))
    if tree is None or not meter.has_charged(tree):
        if session:
            raise UsageError(
                where="snaphook budget report",
                what=f"no spending recorded for session '{session}'",
                fix="'snaphook log' lists sessions.",
            )
        say_lines(NOTHING)
        return 0
    payer = Payer(session=tree, tree=tree, project=_project(around), tenant=around.tenant)
    made = make_report(meter, payer, limits_of(settings, tenanted=bool(around.tenant)))
    say_json(made) if as_json else say_lines(made.text)
    meter.close()
    return 0


@command.command("set")
@click.argument("scope", type=click.Choice(SCOPES))
@click.argument("amount", type=float)
@click.option("--tokens", is_flag=True, help="AMOUNT is in tokens instead of dollars.")
@click.option("--per", type=click.Choice(["day", "month", "ever"]), help="For project and tenant.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def set_limit(scope: str, amount: float, tokens: bool, per: str | None, as_json: bool) -> int:
    """Set the spending limit of SCOPE to AMOUNT dollars.

    The limit is written to your own snaphook.toml and applies from the next call on.
    """
    if not math.isfinite(amount) or amount < 0 or (tokens and amount != int(amount)):
        raise UsageError(
            where="snaphook budget set", what=f"invalid amount {amount}", fix="Give 0 or more."
        )
    if per and scope not in ("project", "tenant"):
        raise UsageError(
            where="snaphook budget set",
            what=f"--per does not apply to '{scope}'",
            fix="Leave out --per.",
        )
    file = environment().config_dir / "snaphook.toml"
    values = {"tokens" if tokens else "dollars": int(amount) if tokens else amount}
    text = _with(file.read_text(encoding="utf-8") if file.exists() else "", scope, values, per)
    write_settings(file, text)
    if as_json:
        say_json({"file": str(file), "scope": scope, **values})
    else:
        what = f"{int(amount):,} tokens" if tokens else dollars(round(amount * 1_000_000))
        say(f"The {scope} may spend {what} from now on ({file}).")
    return 0


def _with(text: str, scope: str, values: dict[str, float], per: str | None) -> str:
    """Return *text* with the limit in it, everything else as it was."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        budget = document.setdefault("budget", tomlkit.table(is_super_table=True))
        table = budget.setdefault(scope, tomlkit.table())
        for name, value in {**values, **({"per": per} if per else {})}.items():
            table[name] = value
    except (TOMLKitError, TypeError, AttributeError) as error:
        raise ConfigError(
            where="snaphook.toml",
            what=f"the limit cannot be written: {error}",
            fix="'snaphook check' shows what is wrong with the file.",
        ) from error
    return tomlkit.dumps(document)


def _opened() -> tuple[Environment, BudgetSettings, Meter]:
    settings, around = here()
    budget = section(settings, "budget", BudgetSettings)
    return around, budget, open_meter(budget.store, around.data_dir)


def _project(around: Environment) -> str:
    from snaphook.config.settings_files import project_root

    return os.path.realpath(project_root(around))


def _payer(around: Environment) -> Payer:
    return Payer(session="", tree="", project=_project(around), tenant=around.tenant)


def _show(
    kinds: list[str],
    balances: dict[str, Balance],
    lines: tuple[LimitLine, ...],
    facts: dict[str, str],
) -> None:
    if not any(balances[kind].tokens for kind in kinds) and not lines:
        say_lines(NOTHING)
    for line in lines:
        colour = "red" if line.percent >= 100 else "yellow" if line.percent >= 50 else "green"
        if line.kind in ("session", "tree"):
            say(f"each {line.kind}: up to {bounds(line.limit)}")
        else:
            spent = dollars(line.balance.micro_dollars)
            say(f"{line.kind}: {spent}, {line.percent:g} % of {bounds(line.limit)}", style=colour)
    limited = {line.kind for line in lines}
    for kind in kinds:
        if kind not in limited and kind not in ("session", "tree") and balances[kind].tokens:
            say(f"{kind}: {dollars(balances[kind].micro_dollars)}, no limit")
    for name, told in facts.items():
        say(f"! {name}: {told}", style="yellow")


def _by_days(meter: Meter, project: str, days: int, *, as_json: bool) -> int:
    found = meter.by_model(project=project, since=time.time() - days * DAY)
    lines = [
        ModelLine(
            model=model,
            answers=count,
            usage=charge.usage,
            micro_dollars=charge.micro_dollars,
            estimated=charge.estimated,
        )
        for model, charge, count in found
    ]
    if as_json:
        say_json(lines)
        return 0
    total = sum((line.usage for line in lines), Usage())
    money = sum(line.micro_dollars for line in lines)
    say(f"{dollars(money)} in {days} days, {total.total:,} tokens")
    for line in lines:
        say(f"  {line.model or 'unknown model'}: {dollars(line.micro_dollars)}")
    return 0
