"""Reference pages made from the code's own tables.

EVENTS, COMMANDS, …  ->  docs/reference/*.md
"""

from collections.abc import Iterator

import click
from api_page import api_page
from reference_hosts import host_pages
from section_tables import section_tables

from snaphook.canon import EVENTS, HOST_EVENTS, EventSpec
from snaphook.cli.table import COMMANDS, load
from snaphook.config.reference import recipes_page
from snaphook.config.reference import reference as settings_page
from snaphook.providers.commands.reference import reference as dialects
from snaphook.scrub import reference as scrubbing


def pages() -> Iterator[tuple[str, str]]:
    """Yield each generated page's path under ``docs/`` and its text."""
    yield "reference/api.md", api_page()
    yield "reference/events.md", _events()
    yield "reference/cli.md", _cli()
    yield from host_pages()
    yield "reference/settings.md", settings_page() + section_tables()
    yield "how-to/recipes.md", recipes_page()
    yield "reference/dialects.md", dialects()
    yield "reference/scrubbing.md", scrubbing()


def _events() -> str:
    rows = "".join(
        f"| [{spec.name}](#{spec.name.lower()}) | `{spec.method}` | "
        f"{', '.join(spec.may_say) or '–'} | {spec.reason_to} | {spec.when} |\n"
        for spec in EVENTS
    )
    known = "".join(f"| {name} | {when} |\n" for name, when in HOST_EVENTS.items())
    return (
        "# Events\n\n"
        "What happens to an agent, and what a provider may say about it. Where several answer, the "
        "severest wins: deny (or block), then ask, then modify, then allow.\n\n"
        "| event | provider method | may say | its reason reaches | when |\n|---|---|---|---|---|\n"
        f"{rows}\n{''.join(_event(spec) for spec in EVENTS)}"
        "## Host events known by name\n\n"
        "Carried whole as a `HostEvent`, recorded, and heard by `on_host_event` and command hooks. "
        "An event that is not in this list is carried too.\n\n"
        f"| event | when |\n|---|---|\n{known}"
    )


def _event(spec: EventSpec) -> str:
    own = [name for name in spec.event.__struct_fields__ if name not in ("context", "extra")]
    said = [name for name in spec.output.__struct_fields__ if name not in ("messages", "by")]
    return (
        f"## {spec.name}\n\n{spec.event.__doc__}\n\n"
        f"- Fields: {_names(own)}, besides `context` and `extra`.\n"
        f"- Answer: `{spec.output.__name__}` with {_names(said)}, besides `messages`.\n"
        f"- Can be stopped: {'yes' if spec.can_block else 'no'}.\n\n"
    )


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "nothing of its own"


def _cli() -> str:
    return (
        "# Command line\n\n"
        "Exit codes: 0 success, 1 a problem was found, 2 wrong usage, 3 a problem of this machine "
        "(permissions, disk, network), 70 an internal error, 130 interrupted. `NO_COLOR` is "
        "respected. Errors go to stderr as *where: what. What to do next.*\n\n"
        + "".join(_command(name, load(name)) for name in COMMANDS)
    )


def _command(name: str, command: click.Command, level: int = 2, parent: str = "snaphook") -> str:
    path = f"{parent} {name}"
    context = click.Context(command, info_name=path, max_content_width=100, terminal_width=100)
    text = f"{'#' * level} {path}\n\n```text\n{command.get_help(context)}\n```\n\n"
    if isinstance(command, click.Group):
        for child in command.list_commands(context):  # some groups load theirs when called
            if sub := command.get_command(context, child):
                text += "" if sub.hidden else _command(child, sub, level + 1, path)
    return text
