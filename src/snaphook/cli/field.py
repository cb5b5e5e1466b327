"""``snaphook field``: one value out of a hook's JSON on stdin, so that a hook needs no jq."""

import click

from .fields import main


@click.command()
@click.argument("path")
@click.pass_context
def command(ctx: click.Context, path: str) -> None:
    """Print the value at PATH of the JSON on stdin; exit status 1 if there is none.

    PATH is dotted (tool_input.file_path), or one of: file, command, prompt, content, which look
    wherever hosts keep them. A text is printed as it is, anything else as JSON.

    \b
    file=$(snaphook field file) || exit 0
    """
    ctx.exit(main(path))
