"""``snaphook hook HOST [EVENT]``: the verb that hosts call.

stdin, argv, environment  ->  stdout, stderr, exit status

There is always an answer, and it is meant: whatever goes wrong is caught here and becomes the
strictest reply the host takes for that event. No click, no argparse: each import is paid on every
tool call.
"""

import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from msgspec.structs import replace

from snaphook.canon import Event
from snaphook.errors import SnaphookError, UsageError, WireError
from snaphook.hosts import Host, HostCall, Reply, host_named
from snaphook.hosts.detect_host import detect_host
from snaphook.hosts.host import time_limit
from snaphook.hosts.refusal import refused

from .after_hook import OutcomeCollector, leave
from .ask import NativeClient, write
from .stdin import read_stdin

if TYPE_CHECKING:
    from snaphook.engine import Engine

USAGE = "Call it as: snaphook hook HOST [EVENT] < payload.json"


def main(
    argv: list[str],
    wire: bytes | WireError | None = None,
    client: NativeClient | None = None,
) -> int:
    """Answer one event and return the exit status that the host acts on.

    *wire* is what was read of stdin already, or why it could not be; *client* waits for the answer.
    """
    if not 1 <= len(argv) <= 3 or argv[0].startswith("-"):
        raise UsageError(where="snaphook hook", what="expects a host and an event", fix=USAGE)
    event = argv[1] if len(argv) > 1 else ""
    call = HostCall(event=event, env=os.environ, cwd=_here(), now=time.time())
    given = argv[2].encode() if len(argv) > 2 else wire  # Codex's old 'notify' speaks through argv
    notebook = OutcomeCollector()
    reply = respond(host_named(argv[0]), call, given, notebook, client)
    notebook.keep_stops()
    deliver(reply, client)
    leave(notebook)
    return reply.exit_code


def respond(
    host: Host,
    call: HostCall,
    given: bytes | WireError | None = None,
    notebook: OutcomeCollector | None = None,
    client: NativeClient | None = None,
) -> Reply:
    """Return the reply to what is on stdin, or to what was *given*; *notebook* hears the outcome."""
    notebook, wire = notebook or OutcomeCollector(), b""
    try:
        _answer_within(time_limit(host, call))
        wire = _read(given)
        really = detect_host(host.NAME, wire, call.env)
        if really != host.NAME:
            host, call = host_named(really), replace(call, event="")
        return _answer(wire, host, call, notebook)
    except (SnaphookError, TimeoutError) as error:
        return notebook.refuse(refused(host, call, str(error), wire))
    except (ImportError, SyntaxError) as error:
        if client and client.asks_again:  # an upgrade in place: the next one finds all of it
            raise
        why = f"part of snaphook cannot be loaded: {error!r}. Reinstall it."
        return notebook.refuse(refused(host, call, why, wire))
    except Exception as error:  # noqa: BLE001 - a crash here would let the call through
        if os.environ.get("SNAPHOOK_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
        why = f"internal error: {type(error).__name__}: {error}. Set SNAPHOOK_DEBUG=1 to see where."
        return notebook.refuse(refused(host, call, why, wire))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _read(given: bytes | WireError | None) -> bytes:
    if isinstance(given, WireError):
        raise given
    return read_stdin() if given is None else given


def _answer(wire: bytes, host: Host, call: HostCall, notebook: OutcomeCollector) -> Reply:
    from snaphook.wiring.answer import answer_now  # the engine is loaded when there is a question

    return answer_now(wire, host=host, call=call, engine_for=lambda event: _engine(event, notebook))


def _engine(event: Event, notebook: OutcomeCollector) -> "Engine":
    """Return the engine of the project the event happened in.

    The host runs the hooks of its own settings files itself; ours alone count here.
    """
    from snaphook.config import Environment
    from snaphook.wiring.assembly import NATIVE, build_engine, log_settings, read_settings, tenanted
    from snaphook.wiring.direct_overrides import DirectOverrides

    where = event.context.cwd
    around = Environment.here(Path(where) if where and Path(where).is_dir() else None)
    settings, around = tenanted(read_settings(around, dialects=NATIVE), around)
    notebook.follow(settings, around)
    overrides = DirectOverrides(log_settings(settings), around.data_dir)
    return build_engine(around, settings=settings, observers=[notebook], overrides=overrides)


def deliver(reply: Reply, client: NativeClient | None = None) -> None:
    """Give *reply* to the host: the file it named, then both streams."""
    if reply.append_to:
        from snaphook.storage.files import append

        append(Path(reply.append_to), reply.append)
    if client is None or not client.answer(reply.exit_code, reply.stdout, reply.stderr):
        write(2, reply.stderr)
        write(1, reply.stdout)


def _here() -> str:
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return ""


def _answer_within(seconds: float) -> None:
    def late(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise TimeoutError(f"no answer within {seconds:g} s, so the call was not let through")

    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
