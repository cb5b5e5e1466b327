"""``snaphook mcp-proxy``: put the hooks of the settings in front of an MCP server.

command line  ->  hooks, server  ->  bridges.mcp_proxy
"""

import asyncio
import os
import re
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import click

from snaphook.errors import UsageError

from .output import say

_VARIABLE = re.compile(r"\$\{(\w+)\}")


@click.command(context_settings={"allow_interspersed_args": False})
@click.argument("server", nargs=-1, type=click.UNPROCESSED)
@click.option("--url", metavar="URL", help="URL of a streamable HTTP server.")
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar="'NAME: VALUE'",
    help="Send this to URL with every request; ${VARIABLE} is taken from the environment.",
)
@click.option(
    "--name", help="The server's name in mcp__NAME__tool. Default: taken from the command."
)
@click.option(
    "--tool",
    "tools",
    multiple=True,
    metavar="TOOL=NAME[,THEIRS=OURS]",
    help="Evaluate TOOL as the tool NAME: --tool run=Bash,line=command.",
)
@click.option("--agent", metavar="NAME", help="Name of the agent. Default: the client's name.")
@click.option("--session", metavar="ID", help="The session's id. Default: a new one.")
@click.option(
    "--cwd",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help=(
        "Project directory: its settings apply, and the server starts in it. Default: the "
        "current directory."
    ),
)
def command(
    server: tuple[str, ...],
    url: str | None,
    headers: tuple[str, ...],
    name: str | None,
    tools: tuple[str, ...],
    agent: str | None,
    session: str | None,
    cwd: Path | None,
) -> int:
    """Run in front of an MCP server and evaluate every tool call with your hooks.

    \b
      snaphook mcp-proxy -- npx -y @modelcontextprotocol/server-filesystem .
      snaphook mcp-proxy --url https://mcp.example.com/mcp

    All other messages pass unchanged. Configure your agent to start this command instead of the
    server.
    """
    from snaphook.bridges import from_settings
    from snaphook.bridges.mcp import names
    from snaphook.bridges.mcp.ends import End
    from snaphook.bridges.mcp_proxy import serve, started

    _check(server, url, headers)
    if cwd is not None:
        os.chdir(cwd)
    known = names.plain(name or "") or (names.server_at(url) if url else names.server_of(server))
    end: AbstractAsyncContextManager[End] = started(server)
    if url:
        from snaphook.bridges.mcp.http import connected

        end = connected(url, _headers(headers))
    return asyncio.run(
        serve(
            end,
            from_settings(),
            name=known,
            tools=names.given(tools, known),
            session_id=session,
            agent=agent,
            cwd=str(Path.cwd()),
            notify=lambda text: say(f"snaphook: {text}", err=True),
        )
    )


def _check(server: tuple[str, ...], url: str | None, headers: tuple[str, ...]) -> None:
    if bool(server) == bool(url):
        what = "expects a command or --url, not both" if server else "no server given"
        raise UsageError(
            where="snaphook mcp-proxy",
            what=what,
            fix="Write '-- COMMAND ARGS…', or --url https://….",
        )
    if url and not url.startswith(("http://", "https://")):
        raise UsageError(where=f"--url {url}", what="is not a web address", fix="Write https://….")
    if headers and not url:
        raise UsageError(
            where="--header", what="is for servers at a --url", fix="Leave it out, or give the URL."
        )


def _headers(given: tuple[str, ...]) -> dict[str, str]:
    """Return the headers as they are sent."""
    made: dict[str, str] = {}
    for header in given:
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            raise UsageError(
                where="--header", what=f"'{name}' has no value", fix="Write 'NAME: VALUE'."
            )
        made[name.strip()] = _VARIABLE.sub(_variable, value.strip())
    return made


def _variable(found: re.Match[str]) -> str:
    if (value := os.environ.get(found[1])) is None:
        raise UsageError(
            where="--header",
            what=f"environment variable {found[1]} is not set",
            fix=f"Set {found[1]}, in the agent's settings for this server.",
        )
    return value
