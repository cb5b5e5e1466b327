"""Answer one host event.

host wire  ->  Event  ->  Outputs  ->  Output  ->  host reply
"""

from collections.abc import Callable, Coroutine
from typing import Any

from snaphook.canon import Event, Output, SubagentStart
from snaphook.engine import Engine, dispatch_sync
from snaphook.hosts import Host, HostCall, Reply

from .identifiers import with_safe_ids


def answer(
    wire: bytes, *, host: Host, engine_for: Callable[[Event], Engine], call: HostCall
) -> Reply | Coroutine[Any, Any, Reply]:
    """Return what *host* should hear about *wire* once every provider has answered.

    At once where no provider waits for anything, so that the daemon needs no task and a process of its own
    no event loop; else a coroutine that ends in it. The daemon, the command line and whoever embeds us call
    this, and nobody restates it. Raises ``SnaphookError`` for a message that is not an event.
    """
    event = _completed(host.decode(wire, call))
    engine = engine_for(event)
    if engine.waits_for(event):
        return _later(event, host, engine)
    return _reply(event, host, dispatch_sync(engine, event).output)


async def answer_async(
    wire: bytes, *, host: Host, engine_for: Callable[[Event], Engine], call: HostCall
) -> Reply:
    """Return the same to code that can always wait."""
    reply = answer(wire, host=host, engine_for=engine_for, call=call)
    return reply if isinstance(reply, Reply) else await reply


def answer_now(
    wire: bytes, *, host: Host, engine_for: Callable[[Event], Engine], call: HostCall
) -> Reply:
    """Return the same where no event loop runs."""
    reply = answer(wire, host=host, engine_for=engine_for, call=call)
    if isinstance(reply, Reply):
        return reply
    import asyncio  # only a provider that waits needs it

    return asyncio.run(reply)


async def _later(event: Event, host: Host, engine: Engine) -> Reply:
    return _reply(event, host, await engine.dispatch(event))


def _reply(event: Event, host: Host, output: Output | None) -> Reply:
    return host.encode(event, output) if output else host.SILENCE


def _completed(event: Event) -> Event:
    """Return *event* with what no host tells, and with ids that may be written down."""
    return _with_charter(with_safe_ids(event))


def _with_charter(event: Event) -> Event:
    """Return *event* with where the charter of a subagent lies."""
    if not isinstance(event, SubagentStart) or event.charter_path:
        return event
    from msgspec.structs import replace

    from snaphook.config.charters import charter_path

    context = event.context
    found = charter_path(context.team_root or context.cwd, event.agent_name)
    return replace(event, charter_path=found) if found else event
