"""What the memory commands share: the store that the settings name, and how a memory is shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import click
from msgspec import Struct

from snaphook.cli.here import environment, short
from snaphook.cli.output import say, say_parts
from snaphook.config import Environment
from snaphook.errors import UsageError
from snaphook.providers.memory.provider import named_project
from snaphook.providers.memory.settings import MemorySettings
from snaphook.stores.memory.store import MemoryStore, Which
from snaphook.stores.memory.values import Author, Memory, MemoryKind
from snaphook.wiring.assembly import read_settings, section
from snaphook.wiring.memory_jobs import store_of

COLOURS = {
    MemoryKind.FACT: "green",
    MemoryKind.EXPERIENCE: "cyan",
    MemoryKind.OPINION: "magenta",
    MemoryKind.OBSERVATION: "yellow",
}
NOTHING = (
    "No memories yet.\n"
    "'snaphook memory retain PATH' adds memories from documents and transcripts; with [memory] "
    "in snaphook.toml, sessions add them automatically."
)
kinds = click.option(
    "--kind",
    "kind_names",
    multiple=True,
    type=click.Choice([kind.value for kind in MemoryKind]),
    help="Only this type; can be repeated.",
)
everywhere = click.option("--everywhere", is_flag=True, help="Include all projects.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class Here(Struct, frozen=True, kw_only=True):
    """Where the command was called, and the store that counts there."""

    around: Environment
    settings: MemorySettings
    store: MemoryStore
    project: str
    root: str = ""
    """The folder of the project, under which earlier versions kept its memories."""

    @property
    def also(self) -> tuple[str, ...]:
        """Return the other names of the project."""
        return (self.root,) if self.root else ()


@contextmanager
def opened() -> Iterator[Here]:
    """Open the store that counts here, and close it again."""
    around = environment()
    settings = read_settings(around)
    table = section(settings, "memory", MemorySettings)
    store = store_of(table, around)
    try:
        yield Here(
            around=around,
            settings=table,
            store=store,
            project=named_project(str(settings.root), table),
            root=str(settings.root),
        )
    finally:
        store.close()


def which(
    here: Here,
    kind_names: tuple[str, ...] = (),
    *,
    everywhere: bool = False,
    superseded: bool = False,
) -> Which:
    """Return which memories the options of a command mean."""
    return Which(
        project=None if everywhere else here.project,
        also=here.also,
        kinds=tuple(MemoryKind(name) for name in kind_names),
        superseded=superseded,
    )


def the_memory(store: MemoryStore, wanted: str) -> Memory:
    """Return the memory whose id begins with *wanted*."""
    found = store.get([wanted])
    if not found:
        raise UsageError(
            where="snaphook memory",
            what=f"no memory, or more than one, has an id that starts with '{wanted}'",
            fix="Give at least four characters; 'snaphook memory list' shows the ids.",
        )
    return found[0]


def show_line(memory: Memory, now: float) -> None:
    """Print *memory* on two lines: what it says, and on whose word."""
    say_parts(
        (memory.id[:8], {"dim": True}),
        (f"  {memory.kind.value:<11}", {"fg": COLOURS[memory.kind]}),
        (f" {shown(memory)}", {}),
    )
    proof = f", {memory.proof} witnesses" if memory.proof > 1 else ""
    old = f", replaced by {memory.superseded_by[:8]}" if not memory.current else ""
    said = f"confidence {memory.confidence(now):.2f}{proof}, {day(memory.seen)}{old}"
    say(f"          {said}, {anchor(memory)}", style="bright_black")


def shown(memory: Memory) -> str:
    """Return what *memory* says; the words of somebody else are marked as quoted."""
    own = f'[quoted] "{memory.text}"' if memory.author is Author.OUTSIDE else memory.text
    return f'{own} [output: "{memory.quote}"]' if memory.quote else own


def anchor(memory: Memory) -> str:
    """Return the place of the last witness, as seen from here."""
    source = memory.sources[-1]
    where = short(source.path) if Path(source.path).is_absolute() else source.path
    return f"{where}:{source.line}" if source.line else where


def day(moment: float) -> str:
    """Return the day of *moment*, here."""
    return datetime.fromtimestamp(moment).astimezone().date().isoformat()
