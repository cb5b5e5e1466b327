"""Every ``snaphook`` command in the docs is run as written, in a project and a home of its own.

docs/**/*.md, README.md  ->  lines of shell  ->  main(argv)

What would wait for a person, a network or an agent is only parsed: name, options and arguments must exist.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from snaphook.cli.group import group
from snaphook.cli.main import main

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^ *```(?:sh|console|bash)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
WAITS = (
    "agent",
    "allow",
    "audit send",
    "build",
    "daemon",
    "doctor --live",
    "hook",
    "init",
    "log --follow",
    "log -f",
    "mcp-proxy",
    "memory migrate",
    "memory recall",
    "memory retain",
    "memory serve",
    "memory views",
    "notify test",
    "pause",
    "plan",
    "queue watch",
    "replay",
    "run",
    "sandbox",
    "suggest",
    "telemetry send",
    "telemetry serve",
    "top",
    "ui",
    "undo",
    "uninstall",
    "version --check",
    "workspace sync",
)
"""Beginnings of commands that wait, reach out, or change the machine."""
PLACEHOLDER = re.compile(r"[A-Z]{3,}|/mnt/|…|<\w+>|/path/|\$\(|\bmy[-_]")


def commands() -> Iterator[object]:
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.findall(text):
            lines = block.replace("\\\n", " ").splitlines()
            for number, line in enumerate(lines):
                stripped = line.strip().removeprefix("$ ")
                if stripped.startswith("snaphook ") and not line.startswith("#"):
                    name = f"{page.relative_to(ROOT)}: {stripped[:60]}"
                    yield pytest.param(stripped, id=f"{name} {number}")


def words(line: str) -> list[str]:
    """Return the arguments up to a pipe, a redirection, another command or a comment."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    found: list[str] = []
    for word in lexer:
        if set(word) <= set("|&;<>"):
            break
        found.append(word)
    return found[1:]


def parsed(argv: list[str]) -> None:
    """Parse *argv* as the command line would, without running it."""
    context = click.Context(group, info_name="snaphook")
    command: click.Command = group
    while isinstance(command, click.Group) and argv and not argv[0].startswith("-"):
        name, *argv = argv
        found = command.get_command(context, name)
        assert found is not None, f"no command '{name}'"
        command, context = found, click.Context(found, parent=context, info_name=name)
    if not isinstance(command, click.Group) and "--help" not in argv:
        try:
            command.make_context(context.info_name, argv)
        except (
            click.BadParameter
        ) as error:  # a file that the page's reader has, and this test has not
            if "does not exist" not in str(error):
                raise


def waits(argv: list[str]) -> bool:
    """Return whether a command is only parsed."""
    said = f"{' '.join(argv)} "
    return "--live" in argv or any(said.startswith(f"{one} ") for one in WAITS)


@pytest.mark.parametrize("line", list(commands()))
def test_a_command_of_the_docs_is_run_as_written(line, tmp_path, monkeypatch, capsys):
    project, home = tmp_path / "project", tmp_path / "home"
    (project / ".git").mkdir(parents=True)
    home.mkdir()
    (project / "app.py").write_text("x = 1\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SNAPHOOK_NO_DAEMON", "1")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(project)
    argv = words(line)

    if argv[0] != "hook":  # it never reaches click: see cli/main.py
        parsed(list(argv))
    if not waits(argv) and not PLACEHOLDER.search(line):
        status = main(argv)
        said = "".join(capsys.readouterr())
        # 1 is an answer (nothing here to find), 2 a wrong call unless it names what this project lacks
        assert status in (0, 1) or (status in (2, 3) and "--help" not in said), said
