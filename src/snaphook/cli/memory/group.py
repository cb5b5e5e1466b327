"""``snaphook memory``: what agents learned, and what they are told of it.

Each subcommand is a file of its own, imported when it is called.
"""

from importlib import import_module

import click

SUBCOMMANDS: dict[str, tuple[str, str]] = {
    "retain": (
        "snaphook.cli.memory.retain:retain",
        "Add memories from documents, runs and transcripts.",
    ),
    "recall": ("snaphook.cli.memory.recall:recall", "Search memories, and show why each matched."),
    "reflect": ("snaphook.cli.memory.retain:reflect", "Merge duplicates and drop faded memories."),
    "list": ("snaphook.cli.memory.show:listing", "List memories, newest first."),
    "show": ("snaphook.cli.memory.show:show", "Show one memory with its sources."),
    "confirm": ("snaphook.cli.memory.confirm:confirm", "Confirm a memory as your own word."),
    "forget": ("snaphook.cli.memory.forget:forget", "Delete memories permanently."),
    "stats": ("snaphook.cli.memory.show:stats", "Count memories by type and project."),
    "views": ("snaphook.cli.memory.show:views", "Write FACTS.md and the other views."),
    "export": ("snaphook.cli.memory.carry:export", "Export memories as JSON lines."),
    "import": ("snaphook.cli.memory.carry:import_", "Import exported memories."),
    "migrate": ("snaphook.cli.memory.migrate:migrate", "Move memories to another store."),
    "serve": ("snaphook.cli.memory.serve:serve", "Run an MCP server for memories."),
}
"""Every subcommand: where it is, and the line that ``--help`` shows."""


class Subcommands(click.Group):
    """Knows every subcommand's name and line of help; loads one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the subcommand *name*, imported now."""
        if name not in SUBCOMMANDS:
            return None
        module, _, attribute = SUBCOMMANDS[name][0].partition(":")
        found: click.Command = getattr(import_module(module), attribute)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, importing nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in SUBCOMMANDS.items()])


@click.group(cls=Subcommands)
def command() -> None:
    """Store what agents learn, and search it."""
