"""``snaphook secrets``: find secrets in files, before they are committed.

files  ->  path:line:column: what it is

The same patterns keep secrets out of the record; here they serve pre-commit and CI.
"""

from pathlib import Path

import click
from msgspec.structs import asdict

from snaphook.scrub import SecretMatch, scan_file_for_secrets

from .here import short
from .output import say, say_json
from .table import EXIT_MACHINE, EXIT_PROBLEM


@click.command("secrets")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Find secrets in FILES. The secret itself is never printed.

    Exits with 1 if there is one, with 3 if a file could not be read.

    \b
    snaphook secrets $(git diff --cached --name-only)
    snaphook secrets --json config.py
    """
    found: dict[str, list[SecretMatch]] = {}
    unread = False
    for file in files:
        try:
            found[str(file)] = scan_file_for_secrets(file)
        except OSError as problem:
            unread = True
            say(f"{file}: cannot be read: {problem.strerror}. Check the path.", err=True)
    if as_json:
        say_json({name: list(map(asdict, rows)) for name, rows in found.items()})
    else:
        _show(found)
    if any(found.values()):
        ctx.exit(EXIT_PROBLEM)
    if unread:
        ctx.exit(EXIT_MACHINE)


def _show(found: dict[str, list[SecretMatch]]) -> None:
    for name, matches in found.items():
        for match in matches:
            place = f"{short(name)}:{match.line}:{match.column}"
            say(f"{place}: {match.type}: {match.preview}", style="red")
    count = sum(map(len, found.values()))
    if count:
        say(
            f"{count} secret{'s' * (count != 1)} found. Remove them, and revoke any that was shared."
        )
    else:
        say(f"No secrets found in {len(found)} file{'s' * (len(found) != 1)}.")
