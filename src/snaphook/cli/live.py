"""``snaphook doctor --live``: the agent's own program, a scripted model, and what really happens.

HostStatus  ->  a run in a home made for it  ->  one line per promise

The agent sees a temporary home and project and talks to loopback only. The commands the scripted
model asks for do nothing but write a word into a file of that project.
"""

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from rich.console import Console

from snaphook.config.environment import Environment
from snaphook.hosts import host_named
from snaphook.hosts.checkup import HostStatus
from snaphook.hosts.install import InstallLedger, Scope, apply, wire
from snaphook.storage.files import write_scratch
from snaphook.testing import ModelServer, Script, Turn, say
from snaphook.testing.agents import AGENTS, AgentProgram, AgentSandbox

from .console import cell

REFUSED = "echo snaphook-doctor-refuses > refused.txt"
PASSED = "echo fine > passed.txt"
RULES = """
[[hooks.SessionStart]]
command = "echo DOCTOR-SESSION"

[[hooks.UserPromptSubmit]]
command = "echo DOCTOR-PROMPT"

[[hooks.PreToolUse]]
matcher = "Bash"
command = "grep -q snaphook-doctor-refuses && { echo DOCTOR-REASON >&2; exit 2; }; exit 0"

[[hooks.Stop]]
command = "grep -q '\\"stop_hook_active\\": *true' || { echo DOCTOR-STOP >&2; exit 2; }"
"""


def prove(statuses: Iterable[HostStatus], console: Console) -> bool:
    """Run each agent that can be run this way; return whether all promises held."""
    held = True
    for status in statuses:
        title = host_named(status.host).TITLE
        agent = AGENTS.get(status.host)
        if agent is None or status.program is None:
            console.print(f"{title}: cannot be run without a person or an account.")
            continue
        console.print(f"[bold]{title}[/bold] {cell(status.version or '')}")
        for promise, kept in promises(agent, status.program).items():
            held = held and kept
            console.print(f"  {'[green]✓[/green]' if kept else '[red]✗[/red]'} {promise}")
    return held


def promises(agent: AgentProgram, program: str) -> dict[str, bool]:
    """Return what we promise of *agent*, and whether it held in a real run."""
    script = Script(
        [
            Turn(answer=answer, tools=True)
            for answer in (
                say("", agent.runs(REFUSED)),
                say("", agent.runs(PASSED)),
                say("done"),
                say("done, really"),
            )
        ],
        otherwise=say("ok"),
    )
    with (
        tempfile.TemporaryDirectory(prefix="snaphook-doctor-") as folder,
        ModelServer(script) as server,
    ):
        place = _place(Path(folder).resolve(), agent.host, server)
        agent.run(program, place, "please go")
        made = {path.name for path in place.project.iterdir()}
        asked = [asked for asked in server.asked if asked.tools]
    heard = [word for word in _WORDS if any(one.heard(word) for one in asked)]
    return {
        "a refused command does not run": bool(asked) and "refused.txt" not in made,
        "the reason reaches the model": "DOCTOR-REASON" in heard,
        "a harmless command runs": "passed.txt" in made,
        "the session hook fires and its context arrives": "DOCTOR-SESSION" in heard,
        "the prompt hook fires and its context arrives": "DOCTOR-PROMPT" in heard,
        **({} if agent.host == "opencode" else {"a stop is sent back": "DOCTOR-STOP" in heard}),
    }


_WORDS = ("DOCTOR-REASON", "DOCTOR-SESSION", "DOCTOR-PROMPT", "DOCTOR-STOP")


def _place(folder: Path, host: str, server: ModelServer) -> AgentSandbox:
    home, project = folder / "home", folder / "project"
    rules = home / ".config/snaphook/snaphook.toml"
    rules.parent.mkdir(parents=True)
    write_scratch(rules, RULES.encode())
    project.mkdir()
    around = Environment(cwd=project, home=home, env={}, managed=home / "etc")
    # Python itself, not the native client: a daemon would answer for another home than this one.
    direct = (quote(sys.executable), "-m", "snaphook", "hook")
    changes = wire(host_named(host), scope=Scope.USER, around=around, root=project, command=direct)
    apply(changes, InstallLedger(home / "ledger"))
    return AgentSandbox(home=home, project=project, server=server)
