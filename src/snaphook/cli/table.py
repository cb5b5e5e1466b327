"""Every command, and every way to end.

name  ->  the module that holds it, the line that ``--help`` shows
"""

from importlib import import_module

TYPE_CHECKING = False

if TYPE_CHECKING:
    import click

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("snaphook.cli.init", "Install Snaphook's hooks into the agents on this machine."),
    "doctor": ("snaphook.cli.doctor", "Check that each agent's hooks run and can block a call."),
    "uninstall": ("snaphook.cli.uninstall", "Remove Snaphook's hooks from the agents' settings."),
    "check": ("snaphook.cli.check", "Validate the settings files."),
    "hooks": (
        "snaphook.cli.hooks",
        "List the configured hooks, their source, and whether they are trusted.",
    ),
    "trust": (
        "snaphook.cli.trust",
        "Approve a project's hooks and providers, so that they may run.",
    ),
    "import": ("snaphook.cli.import_settings", "Convert another tool's hooks or rules."),
    "recipes": ("snaphook.cli.recipes", "List, show and add ready-made hooks."),
    "field": ("snaphook.cli.field", "Read one value from a hook's JSON on stdin."),
    "events": ("snaphook.cli.events", "List the events and the decisions each one supports."),
    "fire": ("snaphook.cli.fire", "Send a test event through the hooks and show each result."),
    "explain": ("snaphook.cli.guard.explain", "Show how the guard evaluates a command, and why."),
    "guard": ("snaphook.cli.guard.rules", "List the guard's rules, show one, test your own."),
    "scan": ("snaphook.cli.guard.scan", "Check a repository's own scripts with the guard's rules."),
    "rules": (
        "snaphook.cli.guard.rule_sets",
        "Add, list, test and remove rules that others share.",
    ),
    "suggest": (
        "snaphook.cli.guard.suggest",
        "Propose guard rules from what you approved or refused.",
    ),
    "allow": (
        "snaphook.cli.guard.allow",
        "Override what the guard blocked: for a person, not for an agent.",
    ),
    "pause": ("snaphook.cli.guard.pause", "Downgrade rules to warnings for a limited time."),
    "sandbox": (
        "snaphook.cli.sandbox.group",
        "Run a command in the sandbox, or preview its effects.",
    ),
    "replay": (
        "snaphook.cli.guard.replay",
        "Re-evaluate past tool calls against the current or new rules.",
    ),
    "undo": ("snaphook.cli.guard.undo", "Restore files that a command deleted or changed."),
    "agent": ("snaphook.cli.agent.command", "Run the built-in agent, which supports every hook."),
    "directives": (
        "snaphook.cli.directives",
        "List, add and remove standing instructions for this project.",
    ),
    "log": ("snaphook.cli.log", "Show the event log: each event, its decision and the reason."),
    "trace": ("snaphook.cli.trace", "Show where a value came from, and where it was used."),
    "statusline": ("snaphook.cli.statusline", "Print one line for Claude Code's status bar."),
    "stats": ("snaphook.cli.stats", "Show statistics: events, decisions, rules and latency."),
    "top": ("snaphook.cli.top", "Show live agent activity in the terminal."),
    "ui": ("snaphook.cli.ui", "Open the dashboard: decisions, sessions, cost, health."),
    "telemetry": (
        "snaphook.cli.telemetry",
        "Export metrics and traces; show which hooks have run.",
    ),
    "audit": ("snaphook.cli.audit", "Verify, sign, export and redact the event log."),
    "mcp-proxy": ("snaphook.cli.mcp_proxy", "Put your hooks in front of any MCP server."),
    "memory": ("snaphook.cli.memory.group", "Store what agents learn, and search it."),
    "outbox": ("snaphook.cli.outbox", "Show and run background jobs."),
    "dead-letters": (
        "snaphook.cli.dead_letters",
        "List failed background jobs; retry or discard them.",
    ),
    "notify": ("snaphook.cli.notify", "List and test notification channels; send a message."),
    "budget": ("snaphook.cli.budget", "Show what agents have spent, and set limits."),
    "plan": ("snaphook.cli.building.plan", "Plan a job: an agent writes its task list."),
    "build": (
        "snaphook.cli.building.build",
        "Build a job's tasks; each must pass its gates.",
    ),
    "run": ("snaphook.cli.building.run", "Plan a job, then build it."),
    "jobs": ("snaphook.cli.building.jobs", "List this project's jobs and their progress."),
    "report": ("snaphook.cli.building.report", "Show a job's report: tasks, gates, fixes, cost."),
    "workspace": (
        "snaphook.cli.workspace.workspace",
        "Create, inspect and repair a shared workspace.",
    ),
    "queue": (
        "snaphook.cli.workspace.queue",
        "List, claim and complete tasks in the shared queue.",
    ),
    "runs": (
        "snaphook.cli.workspace.runs",
        "List agent runs and read their documents.",
    ),
    "agents": (
        "snaphook.cli.workspace.agents",
        "List running agents, their parents and tasks.",
    ),
    "gates": ("snaphook.cli.building.gates", "Run this project's gates (checks) once."),
    "secrets": ("snaphook.cli.secrets", "Scan files for secrets."),
    "version": ("snaphook.cli.version", "Show the version; --check looks for a newer one."),
    "daemon": ("snaphook.cli.daemon", "Start, stop and inspect the background daemon."),
    "schema": ("snaphook.cli.schema", "Print the JSON schema of snaphook.toml."),
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
