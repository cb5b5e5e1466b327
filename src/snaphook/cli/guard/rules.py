"""``snaphook guard``: the rules, as a list and one page each."""

from __future__ import annotations

import difflib

import click
from rich.table import Table

from snaphook.cli.console import new_console
from snaphook.cli.output import say_json, say_lines
from snaphook.errors import UsageError
from snaphook.providers.guard.rules.pages import EXAMPLE, examples, summary
from snaphook.providers.guard.rules.rule import Rule
from snaphook.providers.guard.rules.table import BY_ID, RULES

from . import trial


@click.group()
def command() -> None:
    """List the guard's rules, show one, and test your own."""


command.add_command(trial.command)


@command.command("rules")
@click.argument("rule_id", required=False, metavar="[ID]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(rule_id: str | None, as_json: bool) -> None:
    """List the rules, or show one with examples."""
    if rule_id is None:
        _list(as_json)
    elif rule := BY_ID.get(rule_id):
        say_json(_row(rule), indent=2) if as_json else say_lines(_page(rule))
    else:
        raise _unknown(rule_id)


def _list(as_json: bool) -> None:
    if as_json:
        say_json([_row(rule) for rule in RULES], indent=2)
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("rule", "answer"):
        table.add_column(column, no_wrap=True)
    table.add_column("commands that …")
    for rule in RULES:
        table.add_row(rule.id, _answer(rule), rule.says)
    new_console().print(table)


def _answer(rule: Rule) -> str:
    """Return what *rule* answers by itself; in brackets, what it would in its pack."""
    said = rule.answer.name.lower()
    if not rule.optional:
        return said
    return f"off ({rule.pack}: {said})" if rule.pack else f"off ({said})"


def _page(rule: Rule) -> str:
    lines = [rule.id, f"  {summary(rule)}", ""]
    for example in examples(rule):
        first, *rest = example.command.splitlines()
        lines.append(f"  {EXAMPLE[example.answer]:7} {first}")
        lines += [f"          {line}" for line in rest]
    if rule.instead:
        lines += ["", f"  Instead: {rule.instead}"]
    lines += ["", f'  To change it: [guard.rules] "{rule.id}" = "off" | "warn" | "ask" | "deny"']
    if rule.pack:
        lines.append(f'  To turn it on: [guard] packs = ["{rule.pack}"]')
    return "\n".join(lines)


def _row(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "answer": rule.answer.name.lower(),
        "optional": rule.optional,
        "pack": rule.pack,
        "says": rule.says,
        "why": rule.why,
        "instead": rule.instead,
        "examples": [
            {"command": one.command, "answer": one.answer.name.lower()} for one in examples(rule)
        ],
    }


def _unknown(rule_id: str) -> UsageError:
    near = difflib.get_close_matches(rule_id, BY_ID, n=1)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    return UsageError(
        where="snaphook guard rules",
        what=f"unknown rule '{rule_id}'",
        fix=f"{hint}'snaphook guard rules' lists all.",
    )
