"""``snaphook events``: the table of events, as people and as programs read it."""

from shutil import get_terminal_size
from textwrap import wrap

import click

from snaphook.canon import BY_NAME, EVENTS, HOST_EVENTS, EventSpec
from snaphook.errors import UsageError

from .output import say, say_json, say_lines


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List the events, or show one with its fields and possible decisions."""
    if name is None:
        _all(as_json)
    elif spec := BY_NAME.get(name):
        _one(spec, as_json)
    else:
        raise _unknown(name)


def _all(as_json: bool) -> None:
    if as_json:
        say_json([_row(spec) for spec in EVENTS], indent=2)
        return
    for spec in EVENTS:
        say(spec.name, style="cyan")
        say(f"  {spec.when}")
        say(f"  {spec.method}: {', '.join(spec.may_say) or 'cannot be blocked'}")
    names = wrap(", ".join(HOST_EVENTS), width=get_terminal_size().columns - 2)
    say()
    say("Host events known by name (on_host_event):")
    say_lines("\n".join(f"  {line}" for line in names))


def _one(spec: EventSpec, as_json: bool) -> None:
    if as_json:
        say_json(_row(spec), indent=2)
        return
    say_lines(f"{spec.name}\n  {spec.when}\n")
    say(f"  provider method  {spec.method}")
    say(f"  decisions        {', '.join(spec.may_say) or 'none; it cannot be blocked'}")
    say(f"  reason goes to   {spec.reason_to}")
    say(f"  event fields     {', '.join(spec.event.__struct_fields__)}")
    say(f"  output fields    {', '.join(spec.output.__struct_fields__)}")


def _row(spec: EventSpec) -> dict[str, object]:
    return {
        "event": spec.name,
        "method": spec.method,
        "may_say": list(spec.may_say),
        "can_block": spec.can_block,
        "reason_to": spec.reason_to,
        "when": spec.when,
        "fields": list(spec.event.__struct_fields__),
        "answer": list(spec.output.__struct_fields__),
    }


def _unknown(name: str) -> UsageError:
    import difflib

    near = difflib.get_close_matches(name, [*BY_NAME, *HOST_EVENTS], n=1)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    return UsageError(
        where="snaphook events",
        what=f"unknown event '{name}'",
        fix=f"{hint}'snaphook events' lists all.",
    )
