"""``snaphook fire``: dispatch one event by hand and see who says what.

words on the command line, or a host's JSON  ->  Event  ->  Outcome  ->  a story, or one JSON object
"""

import json
import sys
from pathlib import Path
from time import time
from typing import Any

import click
import msgspec

from snaphook.canon import BY_NAME, HOST_EVENTS, AnyEvent, Event, HostEvent
from snaphook.config import Dialect, Settings, Surroundings
from snaphook.engine import consider_now
from snaphook.errors import UsageError
from snaphook.providers.commands import HookResult

from .fired import Fired, as_json, as_text

EXAMPLES: dict[str, Any] = {
    "prompt": "",
    "tool_name": "Bash",
    "tool_args": {},
    "error": "something failed",
    "agent_name": "helper",
    "message": "something happened",
}
"""What a field that must be there holds when nobody says."""

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
    help="Whose settings files count, and whose JSON --stdin reads.",
)
@click.option("--session", default="fire", show_default=True, help="The session's id.")
@click.option(
    "--cwd",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where it happens; the project is found from here.",
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
    """Dispatch EVENT by hand: each provider's answer, how long it took, and what it comes to.

    \b
      snaphook fire PreToolUse --tool Bash --input '{"command": "git push --force"}'
      snaphook fire UserPromptSubmit --prompt "ship it"
      snaphook fire Stop --json
      snaphook fire --stdin --dialect claude < payload.json

    The providers really run, and so do your hooks. Exit status 0, whatever they decide.
    """
    from snaphook import wiring

    around = Surroundings.here(cwd)
    dialects = tuple(Dialect) if dialect == ANY_DIALECT else (Dialect(dialect),)
    settings = wiring.read_settings(around, dialects=dialects)
    if from_stdin:
        happened = _read(sys.stdin.buffer.read(), event, dialect, around)
    else:
        given = _given(tool=tool, tool_args=tool_args, tool_result=result, prompt=prompt)
        happened = _make(event, given | dict(_field(word) for word in fields), session, settings)
    ran: list[HookResult] = []
    engine = wiring.build_engine(around, settings=settings, on_result=ran.append)
    fired = Fired(outcome=consider_now(engine, happened), ran=ran, settings=settings)
    click.echo(as_json(fired) if json_wanted else as_text(fired))


def _given(
    *, tool_args: str | None, tool_result: str | None, **texts: str | None
) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if texts["tool"] is not None:
        given["tool_name"] = texts["tool"]
    if texts["prompt"] is not None:
        given["prompt"] = texts["prompt"]
    if tool_args is not None:
        given["tool_args"] = _parsed(tool_args, "--input")
    if tool_result is not None:
        given["tool_result"] = _value(tool_result)
    return given


def _field(word: str) -> tuple[str, Any]:
    name, equals, value = word.partition("=")
    if not equals:
        raise _usage(f"--set {word!r} has no '='", "Write --set FIELD=VALUE.")
    return name, _value(value)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _parsed(text: str, option: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise _usage(f"{option} is not JSON: {error}", """Write '{"command": "ls"}'.""") from error
    if not isinstance(value, dict):
        raise _usage(f"{option} is not an object", """Write '{"command": "ls"}'.""")
    return value


def _make(name: str | None, given: dict[str, Any], session: str, settings: Settings) -> Event:
    """Return the event *name* with the fields *given*, and examples for those it must have."""
    if name is None:
        raise _usage("no event is named", "'snaphook events' lists them all.")
    context = {
        "session_id": session,
        "cwd": str(Path.cwd()),
        "team_root": settings.root,
        "timestamp": time(),
    }
    if name in HOST_EVENTS:
        return msgspec.convert({"context": context, "kind": name, "payload": given}, HostEvent)
    if name not in BY_NAME:
        import difflib

        near = difflib.get_close_matches(name, [*BY_NAME, *HOST_EVENTS], n=1)
        hint = f"Did you mean '{near[0]}'?" if near else "'snaphook events' lists them all."
        raise _usage(f"no event '{name}'", hint)
    kind = BY_NAME[name].event
    if strange := [field for field in given if field not in kind.__struct_fields__]:
        raise _usage(
            f"{name} has no field '{strange[0]}'", f"'snaphook events {name}' lists its fields."
        )
    needed = {name: EXAMPLES[name] for name in kind.__struct_fields__ if name in EXAMPLES}
    try:
        return msgspec.convert({"context": context, **needed, **given}, kind)
    except msgspec.ValidationError as error:
        raise _usage(f"{name}: {error}", f"'snaphook events {name}' lists its fields.") from error


def _read(wire: bytes, name: str | None, dialect: str, around: Surroundings) -> Event:
    """Return the event that *wire* tells, in the JSON of *dialect*; ours where none is named."""
    if dialect in (ANY_DIALECT, Dialect.SNAPHOOK):
        try:
            event: Event = msgspec.json.decode(wire, type=AnyEvent)
        except msgspec.MsgspecError as error:
            raise _usage(f"stdin: {error}", "See schemas/events.schema.json.") from error
        return event
    from snaphook.hosts import Call, host_named

    host = host_named("claude-code" if dialect == Dialect.CLAUDE else "wave")
    call = Call(event=name or "", env=around.env, cwd=str(around.cwd), now=time())
    return host.decode(wire, call)


def _usage(what: str, fix: str) -> UsageError:
    return UsageError(where="snaphook fire", what=what, fix=fix)
