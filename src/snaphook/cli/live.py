"""``snaphook doctor --live``: the agent's own program, a scripted model, and what really happens.

HostStatus  ->  a run in a home made for it  ->  one line per promise
"""

from collections.abc import Iterable

from rich.console import Console

from snaphook.canon import Event, PostToolUse, SessionStart, Stop, UserPromptSubmit, Verdict
from snaphook.hosts import Host, host_named
from snaphook.hosts.checkup import HostStatus
from snaphook.testing.agents import AGENTS, AgentProgram
from snaphook.testing.agents.observe import Observation, observe

from .console import cell


def prove(statuses: Iterable[HostStatus], console: Console) -> dict[str, bool]:
    """Run each agent that can be run this way; return for each whether all promises held."""
    held: dict[str, bool] = {}
    for status in statuses:
        title = host_named(status.host).TITLE
        agent = AGENTS.get(status.host)
        if agent is None or status.program is None:
            console.print(f"{title}: cannot be tested without a user or an account.")
            continue
        console.print(f"[bold]{title}[/bold] {cell(status.version or '')}")
        kept_all = promises(agent, status.program)
        held[status.host] = all(kept_all.values())
        for promise, kept in kept_all.items():
            console.print(f"  {'[green]✓[/green]' if kept else '[red]✗[/red]'} {promise}")
    return held


def promises(agent: AgentProgram, program: str) -> dict[str, bool]:
    """Return what we promise of *agent*, and whether it held in a real run."""
    return promised(agent, observe(agent, program))


def promised(agent: AgentProgram, seen: Observation) -> dict[str, bool]:
    """Return what the tables promise of *agent*, and whether it was *seen*."""
    host = host_named(agent.host)
    kept = {
        "a denied command does not run": seen.refused,
        **(
            {}
            if agent.denial_ends_run
            else {"its reason reaches the model": seen.reason == "model"}
        ),
        "a question that nobody answers is a refusal": seen.question == "refused",
        "the agent cannot write over its own hooks": seen.own_hooks,
        "a harmless command runs": seen.passed,
    }
    if_fired = (
        (SessionStart, "SessionStart runs and its context reaches the model", seen.session),
        (UserPromptSubmit, "UserPromptSubmit runs and its context reaches the model", seen.prompt),
        (PostToolUse, "the hook after a tool fires and its context arrives", seen.result),
        (Stop, "Stop can be blocked", seen.stop),
    )
    return kept | {
        what: was_seen
        for event, what, was_seen in if_fired
        if event.__name__ not in agent.unfired and _promises(host, event)
    }


def _promises(host: Host, event: type[Event]) -> bool:
    """Say whether the table of *host* has text reach the model there, or a stop sent back."""
    rows = [can for can in host.CAN.values() if can.event is event]
    return any(Verdict.BLOCK in can.say if event is Stop else can.context for can in rows)
