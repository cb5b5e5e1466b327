"""Answer one host event.

host wire  ->  Event  ->  Outputs  ->  Output  ->  host reply
"""

from collections.abc import Callable

from snaphook.canon import Event, SubagentStart
from snaphook.engine import Engine, dispatch_sync
from snaphook.hosts import Host, HostCall, Reply


async def answer(
    wire: bytes, *, host: Host, engine_for: Callable[[Event], Engine], call: HostCall
) -> Reply:
    """Return what *host* should hear about *wire* once every provider has spoken."""
    event = _completed(host.decode(wire, call))
    output = await engine_for(event).dispatch(event)
    return host.encode(event, output) if output else host.SILENCE


def answer_now(
    wire: bytes, *, host: Host, engine_for: Callable[[Event], Engine], call: HostCall
) -> Reply:
    """Return the same where no event loop runs."""
    event = _completed(host.decode(wire, call))
    output = dispatch_sync(engine_for(event), event).output
    return host.encode(event, output) if output else host.SILENCE


def _completed(event: Event) -> Event:
    """Return *event* with what no host tells: where the charter of a subagent lies."""
    if not isinstance(event, SubagentStart) or event.charter_path:
        return event
    from msgspec.structs import replace

    from snaphook.config.charters import charter_path

    context = event.context
    found = charter_path(context.team_root or context.cwd, event.agent_name)
    return replace(event, charter_path=found) if found else event
