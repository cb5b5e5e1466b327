"""``snaphook agent``: talk to the reference agent, at a terminal or in a script."""

import asyncio
import contextlib
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from msgspec import Struct

from snaphook.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from snaphook.agent import Agent, AgentOptions, Permissions, Sessions
    from snaphook.agent.settings import AgentSettings
    from snaphook.config import Settings
    from snaphook.engine import Engine

EXIT_UNFINISHED = 1
EXIT_INTERRUPTED = 130
MODES = ("default", "accept-edits", "plan", "allow-all")


class Setup(Struct, frozen=True, kw_only=True):
    """Everything an agent is made of, once settings and options agree."""

    options: "AgentOptions"
    permissions: "Permissions"
    engine: "Engine"
    settings: "Settings"
    sessions: "Sessions | None"
    resume: str | None


@click.command()
@click.argument("prompt", required=False)
@click.option("--model", help="vendor:model, such as anthropic:claude-sonnet-5-5.")
@click.option(
    "--output",
    type=click.Choice(["text", "json", "stream-json"]),
    default="text",
    show_default=True,
    help="What a script gets on stdout.",
)
@click.option("--resume", metavar="ID", help="Go on with this session.")
@click.option("--continue", "latest", is_flag=True, help="Go on with the latest session here.")
@click.option("--max-turns", type=click.IntRange(min=1), help="Answers of the model per message.")
@click.option("--max-cost", type=click.FloatRange(min=0), metavar="DOLLARS", help="Per session.")
@click.option("--permissions", type=click.Choice(MODES), help="What needs no question.")
@click.option("--directory", "directories", multiple=True, help="Files there may be touched too.")
@click.option("--cwd", type=click.Path(exists=True, file_okay=False), help="Where to work.")
@click.option("--sessions", type=click.Path(), help="Where sessions are kept.")
@click.option("--no-session", is_flag=True, help="Keep nothing on disk.")
def command(prompt: str | None, output: str, **given: Any) -> int:
    """Work on PROMPT, or talk at the terminal when there is none ('-' reads it from stdin).

    \b
    snaphook agent "Why does the build fail?"
    snaphook agent --output json "List the TODOs" | jq .text
    git diff | snaphook agent -
    """
    piped = prompt == "-" or (prompt is None and not sys.stdin.isatty())
    if piped:
        prompt = sys.stdin.read()
    if prompt is not None and not prompt.strip():
        raise UsageError(where="snaphook agent", what="the prompt is empty", fix="Say something.")
    setup = _setup(given, headless=prompt is not None)
    if prompt is None:
        from .terminal import Terminal

        return Terminal(setup).run()
    return asyncio.run(_headless(setup, prompt, output))


def _setup(given: dict[str, Any], *, headless: bool) -> Setup:
    from snaphook import wiring
    from snaphook.agent import Permissions, Sessions
    from snaphook.agent.session import default_home
    from snaphook.agent.settings import AgentSettings
    from snaphook.agent.vendors import check_model
    from snaphook.config import Surroundings, load

    cwd = str(Path(given["cwd"] or Path.cwd()).absolute())
    around = Surroundings.here(Path(cwd))
    sections: dict[str, type[Struct]] = {**wiring.SECTIONS, "agent": AgentSettings}
    settings = load(around, dialects=wiring.EVERY, sections=sections)
    wanted = _agent_settings(settings, given)
    check_model(wanted.model)  # a missing key is told before anything is started
    home = Path(wanted.sessions).expanduser() if wanted.sessions else default_home()
    sessions = None if given["no_session"] else Sessions(home, cwd)
    return Setup(
        options=wanted.options(cwd=cwd, headless=headless),
        permissions=Permissions(mode=wanted.permission_mode),
        engine=wiring.build_engine(around, settings=settings),
        settings=settings,
        sessions=sessions,
        resume=_resumed(given, sessions),
    )


def _agent_settings(settings: "Settings", given: dict[str, Any]) -> "AgentSettings":
    """Return what ``[agent]`` says, and above it what the command line says."""
    from snaphook.agent.settings import AgentSettings

    section = settings.sections.get("agent")
    values = dict(section.values) if section else {}
    typed = {
        "model": given["model"],
        "max_turns": given["max_turns"],
        "max_cost": given["max_cost"],
        "permission_mode": given["permissions"],
        "directories": given["directories"] or None,
        "sessions": given["sessions"],
    }
    values |= {name: value for name, value in typed.items() if value is not None}
    try:
        return msgspec.convert(values, AgentSettings)
    except msgspec.ValidationError as error:
        raise ConfigError(
            where="[agent]", what=str(error), fix="'snaphook check' shows the place."
        ) from None


def _resumed(given: dict[str, Any], sessions: "Sessions | None") -> str | None:
    if not (given["resume"] or given["latest"]):
        return None
    if sessions is None:
        raise UsageError(
            where="--no-session", what="there is nothing to go on with", fix="Leave it out."
        )
    return str(given["resume"] or sessions.latest())


async def _headless(setup: Setup, prompt: str, output: str) -> int:
    from snaphook.agent import Agent, Status

    from .agent_output import OUTPUTS

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
        case Status.DONE:
            return 0
        case Status.INTERRUPTED:
            return EXIT_INTERRUPTED
        case _:
            return EXIT_UNFINISHED


@contextlib.contextmanager
def _signals(agent: "Agent") -> Any:
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
