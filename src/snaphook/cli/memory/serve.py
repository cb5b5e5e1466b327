"""``snaphook memory serve``: let any agent that speaks MCP ask, over stdin and stdout."""

import click

from .here import opened


@click.command()
@click.option("--allow-forget", is_flag=True, help="Let agents delete memories, too.")
def serve(allow_forget: bool) -> None:
    """Run an MCP server on stdin and stdout with the tools recall, remember and show.

    Agents start it themselves, in the project's folder. For Claude Code:

    \b
      claude mcp add memory -- snaphook memory serve
    """
    from .tools import server

    with opened() as here:
        server(here, may_forget=allow_forget).run("stdio")
