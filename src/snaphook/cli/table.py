"""Every command, and every way to end.

name  ->  the module that holds it, the line that ``--help`` shows
"""

from importlib import import_module

TYPE_CHECKING = False

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
    "explain": ("snaphook.cli.guard.explain", "Show what the guard makes of a command, and why."),
    "guard": ("snaphook.cli.guard.rules", "List the guard's rules, show one, test your own."),
    "suggest": (
        "snaphook.cli.guard.suggest",
        "Propose guard rules from what you approved or refused.",
    ),
    "allow": (
        "snaphook.cli.guard.allow",
        "Override what the guard blocked: for a person, not for an agent.",
    ),
    "pause": ("snaphook.cli.guard.pause", "Downgrade rules to warnings for a limited time."),
    "sandbox": ("snaphook.cli.sandbox.group", "Confine a command; try one and see its effects."),
    "replay": ("snaphook.cli.guard.replay", "Put past tool calls to today's rules, or tomorrow's."),
    "undo": ("snaphook.cli.guard.undo", "Bring back what a command destroyed."),
    "agent": ("snaphook.cli.agent.command", "Work with an agent in which every hook fires."),
    "directives": ("snaphook.cli.directives", "Show what holds here because somebody said so."),
    "log": ("snaphook.cli.log", "Show what happened, who said what, and why."),
    "trace": ("snaphook.cli.trace", "Show where a value came from, and where it was used."),
    "stats": ("snaphook.cli.stats", "Count events, verdicts and who decided, and how fast."),
    "top": ("snaphook.cli.top", "Watch in the terminal what agents do right now."),
    "ui": ("snaphook.cli.ui", "Show everything in a browser: decisions, sessions, cost, health."),
    "telemetry": ("snaphook.cli.telemetry", "Tell a collector what agents do; prove hooks fire."),
    "audit": ("snaphook.cli.audit", "Prove that the record is whole; take it elsewhere."),
    "mcp-proxy": ("snaphook.cli.mcp_proxy", "Put your hooks in front of any MCP server."),
    "memory": ("snaphook.cli.memory.group", "Keep what agents learn, and ask for it again."),
    "outbox": ("snaphook.cli.outbox", "Show the work that goes on in the background."),
    "dead-letters": ("snaphook.cli.dead_letters", "Show what could not be done; try it again."),
    "notify": ("snaphook.cli.notify", "Show the channels to people; try them; send a notice."),
    "budget": ("snaphook.cli.budget", "Show what agents have spent, and limit it."),
    "plan": ("snaphook.cli.building.plan", "Have a job's tasks written, by any agent."),
    "build": (
        "snaphook.cli.building.build",
        "Have a job built: no task passes until its gates do.",
    ),
    "run": ("snaphook.cli.building.run", "Plan a job, then build it."),
    "jobs": ("snaphook.cli.building.jobs", "List the jobs of this project and how far they are."),
    "report": ("snaphook.cli.building.report", "Tell how a job went: tasks, gates, fixes, cost."),
    "workspace": (
        "snaphook.cli.workspace.workspace",
        "Make, look at and mend where agents share work.",
    ),
    "queue": (
        "snaphook.cli.workspace.queue",
        "See what there is to do; take it, finish it, watch it move.",
    ),
    "runs": (
        "snaphook.cli.workspace.runs",
        "List what agents wrote down, run by run, and read it.",
    ),
    "agents": (
        "snaphook.cli.workspace.agents",
        "Show who is at work, for whom, and when last seen.",
    ),
    "gates": ("snaphook.cli.building.gates", "Run this project's gates once."),
    "secrets": ("snaphook.cli.secrets", "Find secrets in files, before they are committed."),
    "version": ("snaphook.cli.version", "Show the version; ask for a newer one with --check."),
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
EXIT_TRY_AGAIN = 75
"""``hook`` could not load part of itself, as while it is upgraded; the native client asks anew."""
EXIT_BUG = 70
"""Our own mistake."""
EXIT_INTERRUPTED = 130


def load(name: str) -> "click.Command":
    """Return the click command *name*, importing its module and no other."""
    command: click.Command = import_module(COMMANDS[name][0]).command
    return command
