"""What ``snaphook`` and ``snaphook --help`` print: the commands by what they are for.

COMMANDS, SECTIONS  ->  text

Made without click, which takes longer to import than everything else that this needs.
"""

from .table import COMMANDS

TAGLINE = (
    "One layer of hooks for every coding agent: block, inform, verify and record what it does."
)

USAGE = f"""\
Usage: snaphook [OPTIONS] COMMAND [ARGS]...

  {TAGLINE}

    snaphook init            connect Snaphook to the agents on this machine
    snaphook check           find mistakes in the settings
    snaphook explain 'rm -rf build'
                             see whether a command would be blocked, and why

Options:
  --version   Show the version and exit.
  -h, --help  Show this message and exit.
"""

SECTIONS: dict[str, str] = {
    "Setup": "init doctor uninstall check hooks trust recipes import mcp-proxy daemon schema "
    "completion version",
    "Try out": "events fire explain field secrets",
    "Guard": "guard rules scan allow pause undo sandbox replay suggest",
    "History": "log trace stats statusline top ui audit telemetry",
    "Memory": "memory directives",
    "Costs and notifications": "budget notify outbox dead-letters",
    "Shared work": "workspace queue runs agents",
    "Build jobs": "plan build run jobs report gates",
    "Agent": "agent",
}
"""The commands as the overview groups them."""


def overview() -> str:
    """Return the overview, ending in a line break."""
    width = max(map(len, COMMANDS))
    return USAGE + "".join(_section(title, names, width) for title, names in SECTIONS.items())


def _section(title: str, names: str, width: int) -> str:
    listed = [name for name in names.split() if name in COMMANDS]
    lines = [f"  {name:<{width}}  {COMMANDS[name][1]}\n" for name in listed]
    return f"\n{title}:\n" + "".join(lines)
