"""``snaphook guard test``: whether the guard says what the settings expect of it.

[[guard.test]]  ->  Tried  ->  what differs, exit status
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from snaphook.cli.here import environment, existing
from snaphook.cli.output import indented, say, say_json, say_lines
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.providers.guard.custom_rules.expect import Tried, try_out
from snaphook.shell.live import LiveWorld
from snaphook.wiring import assembly


@click.command("test")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, folder: Path | None, as_json: bool) -> None:
    """Run every [[guard.test]] in the settings of FOLDER (default: this project).

    No command is executed. Audit mode is ignored. Exits with 1 if a verdict differs from the
    expected one.
    """
    around = environment(existing(folder, "snaphook guard test") if folder else None)
    read = assembly.read_settings(around, dialects=assembly.NATIVE)
    settings = assembly.guard_settings(read)
    root = read.root or str(around.cwd)
    tried = [
        try_out(one, settings, lambda cwd: LiveWorld(cwd, project=root), root)
        for one in settings.tests
    ]
    if as_json:
        say_json([_row(at, one) for at, one in enumerate(tried)], indent=2)
    else:
        _tell(tried)
    if not all(one.holds for one in tried):
        ctx.exit(EXIT_PROBLEM)


def _tell(tried: list[Tried]) -> None:
    if not tried:
        say("No tests found. Add [[guard.test]] with command and verdict.")
        return
    for at, one in enumerate(tried):
        if not one.holds:
            say(f"guard.test[{at}]: {_call(one)}", style="red")
            say(f"  - expected: {_said(one.expected.verdict, one.expected.rule)}")
            say(f"  + got: {_said(one.verdict, one.rule)}")
            if one.judgement.objections:
                say_lines(f"    {indented(one.judgement.reason, 4)}")
    failed = sum(not one.holds for one in tried)
    say(f"{len(tried) - failed} passed, {failed} failed.")


def _said(verdict: str, rule: str) -> str:
    return f"{verdict} by {rule}" if rule else verdict


def _call(one: Tried) -> str:
    expected = one.expected
    return expected.command or f"{expected.tool} {json.dumps(dict(expected.input))}"


def _row(at: int, one: Tried) -> dict[str, object]:
    return {
        "test": at,
        "call": _call(one),
        "holds": one.holds,
        "expected": {"verdict": one.expected.verdict, "rule": one.expected.rule},
        "said": {"verdict": one.verdict, "rule": one.rule, "reason": one.judgement.reason},
    }
