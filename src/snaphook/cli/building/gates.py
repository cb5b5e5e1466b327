"""``snaphook gates``: run the gates of this project once, as the builder does after each task.

.sauna/hooks.json  ->  every gate up to the first that fails
"""

import asyncio
from pathlib import Path

import click
from msgspec.structs import asdict

from snaphook.cli.output import say, say_json, say_lines
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.providers.gates.gate import Gate, GateRun
from snaphook.providers.gates.read import FILE, read_gates
from snaphook.providers.gates.run import run_gates


@click.command("gates")
@click.option("--project", type=click.Path(path_type=Path), default=Path(), help="The codebase.")
@click.option("--list", "only_list", is_flag=True, help="List the gates without running them.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, project: Path, only_list: bool, as_json: bool) -> None:
    """Run the gates in .sauna/hooks.json in order; stop at the first failure.

    Exits with 1 if a gate fails. For pre-commit and CI; agents run the same gates through a
    provider.

    \b
    snaphook gates
    snaphook gates --list
    """
    gates = read_gates(project.absolute())
    if only_list:
        _list(gates, as_json=as_json)
        return
    watch = _quiet if as_json else _show
    done = asyncio.run(run_gates(gates, codebase=project.absolute(), watch=watch))
    if as_json:
        say_json({"passed": done.failure is None, "runs": list(map(_row, done.runs))})
    elif not gates:
        say(f'No gates: {FILE} is missing or empty. Add one, such as: ["make test"]')
    if done.failure is not None:
        ctx.exit(EXIT_PROBLEM)


def _list(gates: tuple[Gate, ...], *, as_json: bool) -> None:
    if as_json:
        say_json(list(map(asdict, gates)))
        return
    for gate in gates:
        say(gate.command if not gate.name else f"{gate.name}: {gate.command}")
    if not gates:
        say(f"No gates: {FILE} is missing or empty.")


def _quiet(_gate: Gate, _run: GateRun | None) -> None:
    """JSON is printed at the end."""


def _show(gate: Gate, run: GateRun | None) -> None:
    if run is None:
        return
    if run.passed:
        say(f"passed  {gate} ({run.duration:.1f} s)", style="green")
        return
    say(f"failed  {gate} (exit {run.exit_code}{', ' + run.why if run.why else ''})", style="red")
    say_lines(run.output)


def _row(run: GateRun) -> dict[str, object]:
    return {
        "gate": str(run.gate),
        "command": run.gate.command,
        "exit": run.exit_code,
        "seconds": round(run.duration, 3),
        "output": run.output,
    }
