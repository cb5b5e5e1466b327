"""The click group: commands are listed from a table and imported one at a time.

``snaphook --help`` imports no command, ``snaphook check`` imports only its own.
"""

import difflib
from pathlib import Path
from typing import Any

import click

from snaphook import __version__
from snaphook.errors import MachineError

from .output import say
from .overview import TAGLINE, overview
from .table import COMMANDS, EXIT_USAGE, load


class Commands(click.Group):
    """Knows every command's name and line of help; loads one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command *name*, imported now."""
        return load(name) if name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command *args* name, or fail with the nearest name we have."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else "'snaphook --help' lists them all."
            raise click.UsageError(f"unknown command '{args[0]}'. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """Return the overview that ``snaphook`` alone prints without click."""
        return overview().rstrip("\n")

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run, and tell a wrong call in one line with the place to look."""
        try:
            return super().main(*args, **extra)
        except click.UsageError as error:
            where = error.ctx.command_path if error.ctx else "snaphook"
            say(f"{where}: {error.format_message()}", err=True)
            say(f"'{where} --help' shows the usage.", err=True)
            return EXIT_USAGE
        except click.exceptions.Exit as done:
            return done.exit_code
        except click.ClickException as error:
            say(f"snaphook: {error.format_message()}", err=True)
            return error.exit_code
        except SystemExit:  # click's way when the reader of our output has left
            return 0
        except click.Abort as error:
            raise KeyboardInterrupt from error


@click.group(
    cls=Commands,
    help=TAGLINE,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="snaphook")
def group() -> None:
    """See HELP."""
    try:
        Path.cwd()
    except FileNotFoundError:
        raise MachineError(
            where="the current directory",
            what="was deleted",
            fix="Change to an existing directory.",
        ) from None
