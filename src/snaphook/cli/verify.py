"""After ``init``: does the agent load what was written? Wiring that it ignores is an error.

hosts just wired  ->  the agent's own listing, a short run of it  ->  a line each
"""

from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from snaphook.config.environment import Environment
from snaphook.hosts import Host, host_named
from snaphook.hosts.checkup.listing import ignored
from snaphook.hosts.checkup.status import installed
from snaphook.hosts.checkup.switched_off import switched_off
from snaphook.hosts.verified import drift

from .console import cell

GOOD, BAD, UNSURE = "[green]✓[/green]", "[red]✗[/red]", "[yellow]![/yellow]"


def verify(hosts: Iterable[str], around: Environment, root: Path, console: Console) -> bool:
    """Say of each host whether it calls us; return whether none was seen to ignore its hooks."""
    held = True
    for name in hosts:
        mark, told = _verified(host_named(name), around, root)
        console.print(f"{mark} {host_named(name).TITLE}: {cell(told)}")
        held = held and mark is not BAD
    return held


def _verified(host: Host, around: Environment, root: Path) -> tuple[str, str]:
    assert host.PLACEMENT is not None, "its hooks were just installed"
    for problem in switched_off(host.PLACEMENT, around, root):
        return BAD, problem
    program, version = installed(host.PLACEMENT, around)
    if program is None:
        return (
            UNSURE,
            f"'{host.PLACEMENT.program}' is not on the PATH, so the hooks were not tried.",
        )
    if problem := ignored(host.NAME, program, around, root):
        return (
            BAD,
            f"{problem}. Nothing is guarded there. Fix the file, then run 'snaphook init' again.",
        )
    return _tried(host, program, version)


def _tried(host: Host, program: str, version: str | None) -> tuple[str, str]:
    from snaphook.testing.agents import AGENTS  # the scripted model costs what few commands need

    agent = AGENTS.get(host.NAME)
    if agent is None:
        return (
            UNSURE,
            "not verified on the real program. Try it: have the agent run 'git push --force'.",
        )
    from snaphook.testing.agents.loading import loading

    found = loading(agent, program)
    seen = f"{host.TITLE} {version}" if version else "It"
    if "PreToolUse" in found.events:
        return GOOD, f"{seen} called the hooks: {', '.join(found.events)}."
    if not found.asked:
        return UNSURE, f"it could not be run by itself, so the hooks were not tried ({found.said})."
    return BAD, (
        f"{seen} ran a command without calling the hook before it. Nothing is guarded there. "
        f"{drift(host.NAME, version) or 'Please report it.'}"
    )
