"""``snaphook check``: every problem of every settings file, at once."""

from collections.abc import Iterator
from pathlib import Path

import click
from msgspec import structs

from snaphook.config import Environment, Problem
from snaphook.config.check import KnownProviders, check, split
from snaphook.config.plugins import plugins
from snaphook.config.problems import ProblemLevel, spelled
from snaphook.config.settings_files import find, project_root
from snaphook.providers.policies import errors_in
from snaphook.wiring.assembly import unusable
from snaphook.wiring.configured import BUILT_IN
from snaphook.wiring.sections import every_section

from .here import environment, existing, here, short
from .output import say, say_json
from .table import EXIT_PROBLEM


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print {errors, warnings} as JSON.")
@click.pass_context
def command(ctx: click.Context, path: Path | None, as_json: bool) -> None:
    """Validate the settings files that apply here.

    PATH is a settings file or a project directory. Default: this project. Runs no hooks.
    Exits with 1 if there is an error, with 0 if there are only warnings.

    \b
    snaphook check
    snaphook check .claude/settings.json
    """
    path = existing(path, "snaphook check") if path else None
    folder = path if path and path.is_dir() else None
    around = environment(folder)
    file = path if path and folder is None else None
    problems = check(around, file=file, sections=every_section(), providers=_providers(around))
    if file is None and not split(problems)[0]:
        problems += tuple(_unusable(around))
    errors, warnings = split(problems)
    if as_json:
        say_json({"errors": _rows(errors), "warnings": _rows(warnings)}, indent=2)
    else:
        files = 1 if file else len(find(around, project_root(around)))
        _tell(errors, warnings, files)
    if errors:
        ctx.exit(EXIT_PROBLEM)


def _providers(around: Environment) -> KnownProviders:
    """Return the providers there are; of these, the default one can check its options."""
    return {**dict.fromkeys([*BUILT_IN, *plugins(around)]), "default": errors_in}


def _unusable(around: Environment) -> Iterator[Problem]:
    """Yield a problem for each approved provider that cannot be created."""
    settings, around = here(around.cwd)
    for entry, error in unusable(settings, around):
        yield Problem(
            code="provider-unusable",
            level=ProblemLevel.ERROR,
            file=entry.origin.file,
            pointer=entry.origin.pointer,
            what=f"provider '{entry.name}': {error.what}",
            fix=error.fix,
        )


def _tell(errors: list[Problem], warnings: list[Problem], files: int) -> None:
    for problem in errors:
        say(str(structs.replace(problem, file=short(problem.file))), style="red")
    for problem in warnings:
        shown = structs.replace(problem, file=short(problem.file), what=f"warning: {problem.what}")
        say(str(shown), style="yellow")
    if not files and not errors and not warnings:
        say("No settings files found. 'snaphook init' creates one.")
        return
    looked = f"{files} file{'s' * (files != 1)}"
    if errors or warnings:
        say(f"{looked}: {_count(errors, 'error')}, {_count(warnings, 'warning')}.")
    else:
        say(f"{looked}: no problems found.")


def _count(problems: list[Problem], word: str) -> str:
    return f"{len(problems)} {word}{'s' * (len(problems) != 1)}"


def _rows(problems: list[Problem]) -> list[dict[str, object]]:
    return [
        {
            "file": problem.file,
            "line": problem.line,
            "column": problem.column,
            "pointer": spelled(problem.pointer),
            "what": problem.what,
            "fix": problem.fix,
            "code": problem.code,
        }
        for problem in problems
    ]
