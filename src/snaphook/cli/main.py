"""The front of the command line: find the command, load it alone, turn errors into words.

argv  ->  command  ->  exit status

``hook`` is called by hosts on every tool call, and ``field`` by recipes: they go past click altogether.
"""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from snaphook.errors import SnaphookError, UsageError, UserError

if TYPE_CHECKING:
    import click

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("snaphook.cli.init", "Wire Snaphook into the agents on this machine."),
    "doctor": ("snaphook.cli.doctor", "Prove that each agent's hooks fire and block."),
    "uninstall": ("snaphook.cli.uninstall", "Take Snaphook out of the agents' settings again."),
    "check": ("snaphook.cli.check", "Find every mistake in the settings."),
    "hooks": ("snaphook.cli.hooks", "Show what is configured, from where, and whether it may run."),
    "trust": ("snaphook.cli.trust", "Let a project's own settings run."),
    "recipes": ("snaphook.cli.recipes", "List, show and add ready-made hooks."),
    "field": ("snaphook.cli.field", "Take one value out of a hook's JSON on stdin."),
    "events": ("snaphook.cli.events", "List the events, and what may be said about each."),
    "fire": ("snaphook.cli.fire", "Dispatch one event by hand and see who says what."),
    "explain": ("snaphook.cli.explain", "Show what the guard makes of a command, and why."),
    "guard": ("snaphook.cli.guard", "List the guard's rules, or show one."),
    "agent": ("snaphook.cli.agent", "Work with an agent in which every hook fires."),
    "log": ("snaphook.cli.log", "Show what happened, who said what, and why."),
    "stats": ("snaphook.cli.stats", "Count events, verdicts and who decided, and how fast."),
    "audit": ("snaphook.cli.audit", "Prove that the record is whole; take it elsewhere."),
    "plan": ("snaphook.cli.plan", "Have a job's tasks written, by any agent."),
    "build": ("snaphook.cli.build", "Have a job built: no task passes until its gates do."),
    "run": ("snaphook.cli.run", "Plan a job, then build it."),
    "jobs": ("snaphook.cli.jobs", "List the jobs of this project and how far they are."),
    "report": ("snaphook.cli.report", "Tell how a job went: tasks, gates, fixes, cost."),
    "daemon": ("snaphook.cli.daemon", "Start, stop and look at the process that answers fast."),
    "completion": ("snaphook.cli.completion", "Print a completion script for your shell."),
}
"""Every command but ``hook``: the module that holds it, and the line that ``--help`` shows."""

EXIT_PROBLEM = 1
"""The command ran, and the answer is no: a problem was found, a file cannot be followed."""
EXIT_USAGE = 2
"""The command was called with words it does not take."""
EXIT_CLOSED = 2
"""``hook`` could not answer: on every host but two this stops what can be stopped."""
EXIT_MACHINE = 3
"""Something on this machine stood in the way."""
EXIT_BUG = 70
"""Our own mistake."""
EXIT_INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run the command that *argv* names and return the exit status."""
    args = sys.argv[1:] if argv is None else argv
    if args[:1] == ["hook"]:
        return _hosted(args[1:])
    try:
        if args[:1] == ["field"] and len(args) == 2 and not args[1].startswith("-"):
            return int(import_module("snaphook.cli.fields").main(args[1]))
        return _through_click(args)
    except SnaphookError as error:
        print(f"snaphook: {error}", file=sys.stderr)
        return _status(error)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if os.environ.get("SNAPHOOK_DEBUG"):
            raise
        where, what = error.filename or "this machine", error.strerror or str(error)
        fix = "See to its room and permissions; SNAPHOOK_DEBUG=1 shows who asked"
        print(f"snaphook: {where}: {what}. {fix}.", file=sys.stderr)
        return EXIT_MACHINE
    except Exception as error:
        if os.environ.get("SNAPHOOK_DEBUG"):
            raise
        print(
            f"snaphook: internal error: {type(error).__name__}: {error}. "
            "Set SNAPHOOK_DEBUG=1 to see where, and please report it.",
            file=sys.stderr,
        )
        return EXIT_BUG


def _hosted(args: list[str]) -> int:
    """Answer a host; whatever fails here is closed, for most hosts take any other end for a yes."""
    try:
        status, wire = import_module("snaphook.cli.ask").ask_first(args)
        if status is None:
            _load_msgspec()
            status = import_module("snaphook.cli.hook").main(args, wire)
        return int(status)
    except BaseException as error:
        if os.environ.get("SNAPHOOK_DEBUG"):
            raise
        said = str(error) if isinstance(error, SnaphookError) else f"internal error: {error!r}"
        print(f"snaphook hook: {said}", file=sys.stderr)
        return EXIT_CLOSED


def _load_msgspec() -> None:
    """Import msgspec without ``typing_extensions``, which it takes where it is and does not need.

    With what that pulls in (inspect, ast, dis) it costs more than msgspec itself.
    """
    absent = "typing_extensions" not in sys.modules
    if absent:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
    import_module("msgspec")
    if absent:
        del sys.modules["typing_extensions"]


def _status(error: SnaphookError) -> int:
    match error:
        case UsageError():
            return EXIT_USAGE
        case UserError():
            return EXIT_PROBLEM
        case _:
            return EXIT_MACHINE


def _through_click(args: list[str]) -> int:
    from .group import group

    status = group.main(args, prog_name="snaphook", standalone_mode=False)
    return status if isinstance(status, int) else 0


def load(name: str) -> "click.Command":
    """Return the click command *name*, importing its module and no other."""
    command: click.Command = import_module(COMMANDS[name][0]).command
    return command


if __name__ == "__main__":
    sys.exit(main())
