"""``snaphook scan``: judge a repository's own scripts with the guard's rules.

files  ->  path:line: rule: what and why        for pre-commit, CI, and people
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from snaphook import __version__
from snaphook.cli.output import say, say_json
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.config import Environment
from snaphook.config.settings_files import project_root
from snaphook.config.write import write_settings
from snaphook.errors import ConfigError, UsageError
from snaphook.providers.guard import GuardAnswer, GuardSettings
from snaphook.providers.guard.scanning.scan import Finding, Report, find_files, scan
from snaphook.shell.live import LiveWorld
from snaphook.wiring import assembly

_STYLES = {GuardAnswer.DENY: "red", GuardAnswer.ASK: "yellow"}
_FAILS = {"deny": GuardAnswer.DENY, "ask": GuardAnswer.ASK, "never": None}


@click.command("scan")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    show_default=True,
    help="How to print the findings.",
)
@click.option("--output", type=click.Path(path_type=Path), help="Write to this file.")
@click.option(
    "--fail-on",
    type=click.Choice(list(_FAILS)),
    default="ask",
    show_default=True,
    help="Exit with 1 for findings of this severity or above.",
)
@click.pass_context
def command(
    ctx: click.Context, paths: tuple[Path, ...], form: str, output: Path | None, fail_on: str
) -> None:
    """Check the scripts of a repository with the guard's rules.

    Reads shell scripts, Makefiles, package.json scripts, CI workflows, Dockerfiles and hooks under
    PATHS, or in the whole project. A comment 'snaphook: ignore[RULE]' on a line, or above it, leaves a
    finding out.

    \b
    snaphook scan
    snaphook scan --format sarif --output snaphook.sarif
    """
    around = Environment.here()
    root = project_root(around)
    report = scan(
        root, _files(paths, root), LiveWorld(str(root), project=str(root)), _settings(around)
    )
    _print(report, form, output)
    limit = _FAILS[fail_on]
    if limit is not None and any(one.answer >= limit for one in report.findings):
        ctx.exit(EXIT_PROBLEM)


def _files(paths: tuple[Path, ...], root: Path) -> list[Path]:
    found: list[Path] = []
    for path in paths or (root,):
        whole = path.absolute()
        if not whole.exists():
            raise UsageError(
                where=f"snaphook scan {path}", what="no such file or folder", fix="Check the path."
            )
        found += find_files(whole) if whole.is_dir() else [whole]
    return found


def _settings(around: Environment) -> GuardSettings:
    """Return what ``[guard]`` says here; settings that cannot be read are an error of their own."""
    try:
        return assembly.guard_settings(assembly.read_settings(around, dialects=assembly.NATIVE))
    except ConfigError as error:
        say(f"snaphook scan: {error} The guard's defaults are used.", err=True)
        return GuardSettings()


def _print(report: Report, form: str, output: Path | None) -> None:
    if form == "text":
        lines = [_line(one) for one in report.findings]
        if output is not None:
            write_settings(output, "\n".join(lines) + "\n" * bool(lines))
        else:
            for one, line in zip(report.findings, lines, strict=True):
                say(line, style=_STYLES.get(one.answer))
        _summary(report)
        return
    document = _document(report, form)
    if output is None:
        say_json(document, indent=2)
    else:
        write_settings(output, json.dumps(document, indent=2) + "\n")
        _summary(report)


def _document(report: Report, form: str) -> dict[str, Any]:
    if form == "sarif":
        from snaphook.providers.guard.scanning.sarif import as_sarif

        return as_sarif(report, __version__)
    found = [{**asdict(one), "answer": one.answer.name.lower()} for one in report.findings]
    unread = [{"path": path, "why": why} for path, why in report.unread]
    return {"findings": found, "files": report.files, "snippets": report.snippets, "unread": unread}


def _line(one: Finding) -> str:
    return f"{one.path}:{one.line}: {one.rule} ({one.answer.name.lower()}): {one.what}: {one.why}."


def _summary(report: Report) -> None:
    for path, why in report.unread:
        say(f"{path}: {why}. It was not checked.", err=True)
    count = len(report.findings)
    found = f"{count} finding{'s' * (count != 1)}" if count else "No problems found"
    files = f"{report.files} file{'s' * (report.files != 1)}"
    commands = f"{report.snippets} command{'s' * (report.snippets != 1)}"
    say(f"{found} in {files} ({commands}).", err=True)
