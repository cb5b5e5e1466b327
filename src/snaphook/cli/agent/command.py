"""``snaphook agent``: talk to the reference agent, at a terminal or in a script."""

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import click

from snaphook.agent import Agent, TurnStatus
from snaphook.cli.output import say
from snaphook.errors import UsageError

from .output import OUTPUTS
from .setup import Setup, sessions_of, set_up
from .terminal import Terminal

EXIT_UNFINISHED = 1
EXIT_INTERRUPTED = 130
MODES = ("default", "accept-edits", "plan", "allow-all")


@click.command()
@click.argument("prompt", required=False)
@click.option("--model", help="vendor:model, such as anthropic:claude-sonnet-5-5.")
@click.option(
    "--output",
    type=click.Choice(["text", "json", "stream-json"]),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.option("--resume", metavar="ID", help="Resume this session.")
@click.option(
    "--continue", "latest", is_flag=True, help="Resume the latest session in this project."
)
@click.option(
    "--max-turns", type=click.IntRange(min=1), help="Maximum number of model turns per message."
)
@click.option("--max-cost", type=click.FloatRange(min=0), metavar="DOLLARS", help="Per session.")
@click.option(
    "--permissions",
    type=click.Choice(MODES),
    help="Permission mode: which tools run without asking.",
)
@click.option(
    "--directory", "directories", multiple=True, help="Also allow file access in this directory."
)
@click.option("--cwd", type=click.Path(exists=True, file_okay=False), help="Working directory.")
@click.option("--sessions", type=click.Path(), help="Directory where sessions are stored.")
@click.option("--no-session", is_flag=True, help="Do not save the session.")
@click.option("--list", "listed", is_flag=True, help="List this project's sessions.")
def command(prompt: str | None, output: str, listed: bool, **given: Any) -> int:
    """Run the agent on PROMPT, or interactively without one ('-' reads it from stdin).

    \b
    snaphook agent "Why does the build fail?"
    snaphook agent --output json "List the TODOs" | jq .text
    git diff | snaphook agent -
    """
    if listed:
        return _list(given)
    if prompt == "-" or (prompt is None and not sys.stdin.isatty()):
        prompt = sys.stdin.read()
    if prompt is not None and not prompt.strip():
        raise UsageError(where="snaphook agent", what="the prompt is empty", fix="Say something.")
    setup = set_up(given, headless=prompt is not None)
    if prompt is None:
        return Terminal(setup).run()
    return asyncio.run(_headless(setup, prompt, output))


def _list(given: dict[str, Any]) -> int:
    for one in sessions_of(given).summaries():
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.changed))
        say(f"{one.session_id}  {when}  {' '.join(one.first_words.split())[:60]}")
    return 0


async def _headless(setup: Setup, prompt: str, output: str) -> int:
    listener = OUTPUTS[output]()
    agent = Agent(
        engine=setup.engine,
        options=setup.options,
        permissions=setup.permissions,
        listener=listener,
        sessions=setup.sessions,
        resume=setup.resume,
    )
    with _signals(agent):
        try:
            listener.begin(agent)
            result = await agent.send_message(prompt)
        finally:
            await agent.close("complete")
    listener.end(agent, result)
    match result.status:
        case TurnStatus.DONE:
            return 0
        case TurnStatus.INTERRUPTED:
            return EXIT_INTERRUPTED
        case _:
            return EXIT_UNFINISHED


@contextlib.contextmanager
def _signals(agent: Agent) -> Iterator[None]:
    """Let Ctrl-C and a polite kill end the turn, so that hooks hear of it and nothing is lost."""
    loop = asyncio.get_running_loop()
    caught = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in caught:
        loop.add_signal_handler(number, agent.abort)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
