"""``snaphook fire``: dispatch one event by hand and see who says what.

words on the command line, or a host's JSON  ->  Event  ->  Outcome  ->  a story, or one JSON object
"""

import sys
from pathlib import Path

import click

from snaphook.config import Dialect, Environment
from snaphook.engine import dispatch_sync
from snaphook.providers.commands import HookResult

from .fire_event import FireOptions, given, made, told
from .fired import FiredEvent, as_json, as_text
from .output import say_encoded, say_lines

ANY_DIALECT = "any"


@click.command()
@click.argument("event", required=False)
@click.option("--tool", metavar="NAME", help="The tool, by its canonical name: Bash, Edit, Read …")
@click.option("--input", "tool_args", metavar="JSON", help="The tool's arguments, as an object.")
@click.option("--result", metavar="JSON", help="The tool's result (PostToolUse).")
@click.option("--prompt", metavar="TEXT", help="The prompt (UserPromptSubmit).")
@click.option(
    "--set", "fields", metavar="FIELD=VALUE", multiple=True, help="Any other field; JSON or text."
)
@click.option("--stdin", "from_stdin", is_flag=True, help="Read the event as JSON from stdin.")
@click.option(
    "--dialect",
    type=click.Choice([*(one.value for one in Dialect), ANY_DIALECT]),
    default=ANY_DIALECT,
    show_default=True,
    help="Use the settings files and the JSON format of this dialect.",
)
@click.option("--session", default="fire", show_default=True, help="The session's id.")
@click.option(
    "--cwd",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Working directory of the event; also determines the project.",
)
@click.option("--json", "json_wanted", is_flag=True, help="Print one JSON object.")
def command(
    event: str | None,
    tool: str | None,
    tool_args: str | None,
    result: str | None,
    prompt: str | None,
    fields: tuple[str, ...],
    from_stdin: bool,
    dialect: str,
    session: str,
    cwd: Path | None,
    json_wanted: bool,
) -> None:
    """Send a test EVENT and show each hook's result, its duration and the combined decision.

    \b
      snaphook fire PreToolUse --tool Bash --input '{"command": "git push --force"}'
      snaphook fire UserPromptSubmit --prompt "ship it"
      snaphook fire Stop --json
      snaphook fire --stdin --dialect claude < payload.json

    Providers and hooks are really executed. Exits with 0, whatever they decide.
    """
    from snaphook.wiring import assembly

    around = Environment.here(cwd)
    dialects = tuple(Dialect) if dialect == ANY_DIALECT else (Dialect(dialect),)
    settings, around = assembly.tenanted(assembly.read_settings(around, dialects=dialects), around)
    scene = FireOptions(session=session, around=around, settings=settings)
    if from_stdin:
        happened = told(sys.stdin.buffer.read(), event, dialect, scene)
    else:
        words = given(tool=tool, tool_args=tool_args, result=result, prompt=prompt, fields=fields)
        happened = made(event, words, scene)
    ran: list[HookResult] = []
    engine = assembly.build_engine(around, settings=settings, on_result=ran.append)
    fired = FiredEvent(outcome=dispatch_sync(engine, happened), ran=ran, settings=settings)
    say_encoded(as_json(fired)) if json_wanted else say_lines(as_text(fired))
