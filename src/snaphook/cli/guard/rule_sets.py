"""``snaphook rules``: use rules that others share.

a source  ->  shown, tested, confirmed  ->  [[guard.rule]] of the user's own snaphook.toml

The rules are copied, so what was seen is what holds; the hash of their file is kept beside them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import msgspec
import tomlkit
from msgspec import Struct
from tomlkit.items import AoT

from snaphook.cli.output import confirm, say, say_json
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.config import Environment
from snaphook.config.settings_files import NATIVE
from snaphook.config.write import write_atomically, write_settings
from snaphook.errors import ConfigError, UsageError
from snaphook.providers.guard import GuardSettings
from snaphook.providers.guard.custom_rules.expect import Tried, try_out
from snaphook.providers.guard.custom_rules.rule_set import RuleSet, read_rule_set
from snaphook.shell.live import LiveWorld

from .rule_sources import Fetched, fetch_rules


class Pin(Struct, frozen=True, kw_only=True):
    """A set that was added: from where, as which bytes."""

    source: str
    sha256: str
    commit: str = ""
    rules: tuple[dict[str, Any], ...] = ()
    tests: tuple[dict[str, Any], ...] = ()


@click.group()
def command() -> None:
    """Add, list, test and remove rules that others share."""


@command.command("add")
@click.argument("source")
@click.option("--sha256", "wanted", default="", help="Only if the file has this hash.")
@click.option("--allow-loosening", is_flag=True, help="Accept rules that lift what the guard says.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def add(source: str, wanted: str, allow_loosening: bool, yes: bool) -> int:
    """Show the rules of SOURCE, run their tests, and add them to your own settings.

    SOURCE is a directory with a rules.toml, git+https://…[@TAG], or package:NAME.
    """
    fetched = fetch_rules(source)
    found = read_rule_set(fetched.data, source)
    if wanted and wanted.removeprefix("sha256:") != found.sha256:
        raise ConfigError(
            where=f"snaphook rules add {source}",
            what=f"its hash is {found.sha256}, not {wanted}",
            fix="Look at what changed before you accept the new hash.",
        )
    _show(found, fetched)
    _check_loosening(found, source, allowed=allow_loosening)
    if _report(_tried(found)):
        raise ConfigError(
            where=f"snaphook rules add {source}",
            what="its tests fail here",
            fix="Nothing was added. Tell the author, or fix rules.toml.",
        )
    if not yes and not confirm(f"Add these {len(found.rules)} rules?", default=False):
        say("Nothing was added.")
        return EXIT_PROBLEM
    around = Environment.here()
    _store(found, fetched, around)
    say(
        f"Added '{found.name}' to {around.config_dir / NATIVE}, pinned to sha256:{found.sha256[:16]}…."
    )
    return 0


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_sets(as_json: bool) -> int:
    """List the sets that were added, and whether they are still as they were."""
    around = Environment.here()
    pins = _pins(around)
    rows = [
        {
            "name": name,
            "source": pin.source,
            "sha256": pin.sha256,
            "commit": pin.commit,
            "rules": [rule["id"] for rule in pin.rules],
            "unchanged": _installed(name, around) == list(pin.rules),
        }
        for name, pin in sorted(pins.items())
    ]
    if as_json:
        say_json(rows, indent=2)
    elif not rows:
        say("No shared rules. Add some with: snaphook rules add SOURCE")
    for row in rows if not as_json else ():
        state = "as added" if row["unchanged"] else "changed by hand since"
        count = len(pins[str(row["name"])].rules)
        say(
            f"{row['name']}: {count} rules from {row['source']}, sha256:{str(row['sha256'])[:16]}…, {state}"
        )
    return 0


@command.command("remove")
@click.argument("name")
def remove(name: str) -> int:
    """Remove the rules of the set NAME from your own settings."""
    around = Environment.here()
    pins = _pins(around)
    if name not in pins:
        raise UsageError(
            where=f"snaphook rules remove {name}",
            what="no set of this name was added",
            fix="'snaphook rules list' shows them.",
        )
    _rewrite(around, name, (), ())
    _keep(around, {known: pin for known, pin in pins.items() if known != name})
    say(f"Removed '{name}'.")
    return 0


@command.command("test")
@click.argument("source", required=False)
@click.pass_context
def test(ctx: click.Context, source: str | None) -> None:
    """Run the tests of SOURCE, or of every set that was added. No command is executed."""
    if source:
        sets = [read_rule_set(fetch_rules(source).data, source)]
    else:
        sets = [_as_set(name, pin) for name, pin in sorted(_pins(Environment.here()).items())]
    if not sets:
        say("No shared rules. Give a SOURCE, or add some with: snaphook rules add SOURCE")
        return
    failed = 0
    for one in sets:
        say(f"{one.name}:")
        failed += _report(_tried(one))
    if failed:
        ctx.exit(EXIT_PROBLEM)


def _as_set(name: str, pin: Pin) -> RuleSet:
    return RuleSet(name=name, description="", sha256=pin.sha256, rules=pin.rules, tests=pin.tests)


def _show(found: RuleSet, fetched: Fetched) -> None:
    say(f"{found.name}: {found.description}" if found.description else found.name)
    say(f"from {fetched.source}" + (f" at {fetched.commit[:12]}" if fetched.commit else ""))
    say(f"sha256:{found.sha256}")
    for rule in found.rules:
        fits = {
            key: value for key, value in rule.items() if key not in ("id", "verdict", "message")
        }
        say(f"  {rule['verdict']:5} {rule['id']}: {rule.get('message', '')} {json.dumps(fits)}")


def _check_loosening(found: RuleSet, source: str, *, allowed: bool) -> None:
    if found.loosens and not allowed:
        raise ConfigError(
            where=f"snaphook rules add {source}",
            what=f"these rules lift what the guard says: {', '.join(found.loosens)}",
            fix="Nothing was added. With --allow-loosening they are accepted.",
        )


def _tried(found: RuleSet) -> list[Tried]:
    """Return what the guard says with these rules and its defaults, test by test."""
    settings = msgspec.convert(
        {"rule": list(found.rules), "test": list(found.tests)}, GuardSettings
    )
    root = str(Path.cwd())
    return [
        try_out(one, settings, lambda cwd: LiveWorld(cwd, project=root), root)
        for one in settings.tests
    ]


def _report(tried: list[Tried]) -> int:
    """Print what differs; return how many tests failed."""
    failed = [one for one in tried if not one.holds]
    for one in failed:
        call = one.expected.command or one.expected.tool
        say(f"  {call}: expected {one.expected.verdict}, got {one.verdict} {one.rule}", style="red")
    say(f"  tests: {len(tried) - len(failed)} passed, {len(failed)} failed.")
    return len(failed)


def _store(found: RuleSet, fetched: Fetched, around: Environment) -> None:
    _rewrite(around, found.name, found.rules, found.tests)
    pin = Pin(
        source=fetched.source,
        sha256=found.sha256,
        commit=fetched.commit,
        rules=found.rules,
        tests=found.tests,
    )
    _keep(around, {**_pins(around), found.name: pin})


def _rewrite(
    around: Environment,
    name: str,
    rules: tuple[dict[str, Any], ...],
    tests: tuple[dict[str, Any], ...],
) -> None:
    """Put *rules* and *tests* in the place of those that the set *name* has in the settings."""
    file = around.config_dir / NATIVE
    document = tomlkit.parse(file.read_text() if file.exists() else "")
    guard = document.setdefault("guard", tomlkit.table())
    old = _pins(around).get(name)
    known_tests = list(old.tests) if old else []
    _replace(guard, "rule", rules, lambda row: str(row.get("id", "")).startswith(f"{name}."))
    _replace(guard, "test", tests, lambda row: row in known_tests)
    write_settings(file, tomlkit.dumps(document))


def _replace(guard: Any, key: str, rows: tuple[dict[str, Any], ...], ours: Any) -> None:
    there = guard.get(key, [])
    kept = [row for row in there if not ours(dict(row.unwrap()))]
    made = AoT([])
    for row in (*kept, *rows):
        table = tomlkit.table()
        table.update(row)
        made.append(table)
    if key in guard:
        guard.remove(key)
    if kept or rows:
        guard.append(key, made)


def _installed(name: str, around: Environment) -> list[dict[str, Any]]:
    file = around.config_dir / NATIVE
    table = tomlkit.parse(file.read_text()).unwrap() if file.exists() else {}
    rules = table.get("guard", {}).get("rule", [])
    return [rule for rule in rules if str(rule.get("id", "")).startswith(f"{name}.")]


def _ledger(around: Environment) -> Path:
    return around.data_dir / "rules" / "pins.json"


def _pins(around: Environment) -> dict[str, Pin]:
    try:
        return msgspec.json.decode(_ledger(around).read_bytes(), type=dict[str, Pin])
    except FileNotFoundError:
        return {}
    except msgspec.DecodeError as problem:
        raise ConfigError(
            where=str(_ledger(around)),
            what=f"cannot be read: {problem}",
            fix="Move it away; then add the sets again.",
        ) from None


def _keep(around: Environment, pins: dict[str, Pin]) -> None:
    file = _ledger(around)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, msgspec.json.encode(pins))
