"""The front of the command line: find the command, load it alone, turn errors into words.

argv  ->  command  ->  exit status

``hook`` is called by hosts on every tool call, and ``field`` by recipes: they go past click altogether.
"""

import gc
import os
import sys
from importlib import import_module

from snaphook import __version__
from snaphook.errors import SnaphookError, UsageError, UserError

from .table import (
    EXIT_BUG,
    EXIT_CLOSED,
    EXIT_INTERRUPTED,
    EXIT_MACHINE,
    EXIT_PROBLEM,
    EXIT_TRY_AGAIN,
    EXIT_USAGE,
)


def run(argv: list[str] | None = None) -> int:
    """Be the program: as ``main``, but a hook's process ends at once, with nothing left to tidy."""
    args = sys.argv[1:] if argv is None else argv
    status = main(args)
    if args[:1] == ["hook"]:
        sys.stderr.flush()
        os._exit(status)
    return status


def main(argv: list[str] | None = None) -> int:
    """Run the command that *argv* names and return the exit status."""
    args = sys.argv[1:] if argv is None else argv
    if args[:1] == ["hook"]:
        return _hosted(args[1:])
    try:
        if text := _at_once(args):
            sys.stdout.write(text)
            return 0
        if args[:1] == ["field"] and len(args) == 2 and not args[1].startswith("-"):
            return int(import_module("snaphook.cli.fields").main(args[1]))
        return _through_click(args)
    except SnaphookError as error:
        said = str(error)
        _complain(said if said.startswith("snaphook") else f"snaphook: {said}")
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
        fix = "Check disk space and permissions; SNAPHOOK_DEBUG=1 shows a traceback"
        _complain(f"snaphook: {where}: {what}. {fix}.")
        return EXIT_MACHINE
    except Exception as error:
        if os.environ.get("SNAPHOOK_DEBUG"):
            raise
        _complain(
            f"snaphook: internal error: {type(error).__name__}: {error}. "
            "Set SNAPHOOK_DEBUG=1 to see where, and please report it."
        )
        return EXIT_BUG


def _hosted(args: list[str]) -> int:
    """Answer a host; whatever fails here is closed, for most hosts take any other end for a yes."""
    again = bool(os.environ.get("SNAPHOOK_ATTEMPT"))
    try:
        ask = import_module("snaphook.cli.ask")
        client = ask.NativeClient(os.environ)
        status, wire = ask.ask_first(args)
        if status is None:
            gc.disable()  # one call, and the process is over
            _load_msgspec()
            status = import_module("snaphook.cli.hook").main(args, wire, client)
        return int(status)
    except BaseException as error:
        if os.environ.get("SNAPHOOK_DEBUG"):
            raise
        if again and isinstance(error, ImportError | SyntaxError):
            return EXIT_TRY_AGAIN
        said = str(error) if isinstance(error, SnaphookError) else f"internal error: {error!r}"
        _complain(f"snaphook hook: {said}")
        return EXIT_CLOSED


def _at_once(args: list[str]) -> str:
    """Return what *args* asks for where that takes no command, or "": people and scripts call it often."""
    if args == ["--version"]:
        return f"snaphook, version {__version__}\n"
    if args in ([], ["-h"], ["--help"]):
        from .overview import overview

        return overview()
    return ""


def _complain(text: str) -> None:
    """Print *text* on stderr, fit for a terminal."""
    from snaphook.printable import complaint

    print(complaint(text), file=sys.stderr)


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


if __name__ == "__main__":
    sys.exit(run())
