"""``snaphook import``: settings of another tool, as ``snaphook.toml``."""

from pathlib import Path

import click

from snaphook.config.imports import SOURCES, as_toml, convert, guess
from snaphook.config.settings_files import NATIVE, project_root
from snaphook.config.write import write_atomically
from snaphook.errors import UsageError

from .here import environment, existing, short
from .output import say, say_lines


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--from", "source", type=click.Choice(SOURCES), help="The tool the file belongs to.")
@click.option("--write", is_flag=True, help="Write a new snaphook.toml instead of printing.")
def command(file: Path, source: str | None, write: bool) -> None:
    """Convert hooks and rules of another tool, and print them as snaphook.toml.

    FILE is a settings.json of Claude Code, a .safety-net.json, a .pre-commit-config.yaml or a
    lefthook.yml. The file itself is not changed. Entries without a counterpart are listed as comments.

    \b
    snaphook import .claude/settings.json
    snaphook import lefthook.yml --write
    """
    path = existing(file, "snaphook import")
    kind = source or guess(path)
    if not kind:
        fix = f"Use --from with one of: {', '.join(SOURCES)}."
        raise UsageError(where=str(file), what="unknown kind of file", fix=fix)
    found = convert(path.read_text(encoding="utf-8", errors="replace"), kind, where=str(file))
    if not write:
        say_lines(as_toml(found).rstrip("\n"))
        return
    target = project_root(environment()) / NATIVE
    if target.exists():
        fix = "Run it without --write and copy what you need."
        raise UsageError(where=short(str(target)), what="exists already", fix=fix)
    write_atomically(target, as_toml(found).encode())
    count = len(found.hooks) + len(found.rules)
    say(f"{short(str(target))}: {count} entries imported. Next: snaphook check, snaphook trust")
