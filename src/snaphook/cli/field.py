"""``snaphook field``: one value out of a hook's JSON on stdin, so that a hook needs no jq."""

import click

from .fields import main


@click.command()
@click.argument("path")
@click.pass_context
def command(ctx: click.Context, path: str) -> None:
    """Print the value at PATH of the JSON on stdin. Exits with 1 if it is missing.

    PATH is dotted (tool_input.file_path), or one of: file, command, prompt, content, which work for
    every host. Strings are printed as they are, everything else as JSON.

    \b
    file=$(snaphook field file) || exit 0
    """
    ctx.exit(main(path))
