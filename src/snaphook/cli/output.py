"""The one place where commands print: whatever they print, a terminal shows it as text.

text, JSON  ->  printable characters and our own colours  ->  stdout, stderr

Most of what a command shows was written by somebody else: settings of a repository, commands of an
agent, file names. So nothing else in ``cli/`` writes to a stream (a house test checks), and a line
break inside a value is spelled out, or it could add a line that seems to be ours.
"""

import os
import sys
from collections.abc import Sequence
from typing import IO, Any, cast

import click
import msgspec

from snaphook.printable import json_text, printable, printable_line


def say(text: str = "", *, style: str | None = None, err: bool = False) -> None:
    """Print *text* on one line, in colour where a terminal and NO_COLOR allow it.

    A line break inside is spelled out: no value that somebody else chose starts a line of its own.
    """
    _print(printable_line(text), style=style, err=err)


def say_lines(text: str, *, style: str | None = None, err: bool = False, nl: bool = True) -> None:
    """Print *text*, which has line breaks of ours; foreign values in it are one line each."""
    _print(printable(text), style=style, err=err, nl=nl)


def _print(text: str, *, style: str | None, err: bool, nl: bool = True) -> None:
    color = False if os.environ.get("NO_COLOR") else None
    click.secho(text, fg=style, err=err, color=color, nl=nl)


def indented(text: str, by: int) -> str:
    """Return *text*, of which somebody else wrote every line, with all lines after the first indented."""
    return printable(text).replace("\n", "\n" + " " * by)


def say_json(value: object, *, indent: int = 0) -> None:
    """Print *value* as JSON: on one line, or indented."""
    encoded = msgspec.json.encode(value)
    say_encoded(msgspec.json.format(encoded, indent=indent) if indent else encoded)


def say_encoded(encoded: bytes | str) -> None:
    """Print *encoded*, which is JSON already, and make sure that a program in a pipe gets it now."""
    click.echo(json_text(encoded))


def say_parts(*parts: tuple[str, dict[str, Any]]) -> None:
    """Print *parts* on one line, each a text and what ``click.style`` takes."""
    color = False if os.environ.get("NO_COLOR") else None
    click.echo(
        "".join(click.style(printable_line(text), **how) for text, how in parts), color=color
    )


def say_generated(text: str) -> None:
    """Print *text* that we ship or that a program reads, unchanged: nothing of it is foreign."""
    click.echo(text, nl=False)


def confirm(question: str, *, default: bool = False) -> bool:
    """Ask *question* and return the answer; without a terminal, raise ``click.Abort``."""
    return click.confirm(printable(question), default=default)


def choose(question: str, choices: Sequence[str], *, default: str) -> str:
    """Ask *question* until the answer is one of *choices*; without a terminal, raise ``click.Abort``."""
    answer: str = click.prompt(printable(question), type=click.Choice(choices), default=default)
    return answer


def pipe_out() -> IO[bytes]:
    """Return stdout for data that programs read, line by line: as it is, but text at a terminal."""
    return cast("IO[bytes]", _Shown()) if sys.stdout.isatty() else sys.stdout.buffer


class _Shown:
    """Stands for ``sys.stdout.buffer`` where a person looks at it."""

    def write(self, data: bytes) -> int:
        """Print *data*, a line: a row of CSV may hold line breaks, which are spelled out here."""
        say(data.decode("utf-8", "replace").rstrip("\r\n"))
        return len(data)
