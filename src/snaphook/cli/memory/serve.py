"""``snaphook memory serve``: let any agent that speaks MCP ask, over stdin and stdout."""

import click

from .here import opened


@click.command()
@click.option("--allow-forget", is_flag=True, help="Agents may forget memories, too.")
def serve(allow_forget: bool) -> None:
    """Answer over stdin and stdout as an MCP server: recall, remember, show.

    Agents start it themselves, in the project's folder. For Claude Code:

    \b
      claude mcp add memory -- snaphook memory serve
    """
    from .tools import server

    with opened() as here:
        server(here, may_forget=allow_forget).run("stdio")
