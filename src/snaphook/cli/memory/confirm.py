"""``snaphook memory confirm``: say of a memory that it is so, as a person.

Memory  ->  the same, told to sessions as the person's word
"""

from time import time

import click
from msgspec.structs import replace

from snaphook.cli.output import confirm as ask
from snaphook.cli.output import say
from snaphook.stores.memory.values import ASKED, Author, Memory
from snaphook.wiring.memory_jobs import show

from .here import opened, show_line, the_memory

CERTAIN = 0.9


@click.command()
@click.argument("memories", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def confirm(memories: tuple[str, ...], yes: bool) -> None:
    """Confirm MEMORIES as your own word; each is an id, or the start of it.

    Quotes and instructions that an agent noted are told to no session until a person confirms them.
    From then on sessions get them as something that you asked for.
    """
    with opened() as here:
        found = [the_memory(here.store, memory) for memory in memories]
        chosen = [memory for memory in found if yes or _agreed(memory)]
        here.store.replace(
            [confirmed(memory) for memory in chosen], gone=[memory.id for memory in chosen]
        )
        for project in {memory.project for memory in chosen}:
            show(here.store, project, here.settings, here.around, anew=False, root=here.root)
    say(f"{len(chosen)} confirmed.")


def confirmed(memory: Memory) -> Memory:
    """Return *memory* as the person's word; where it quotes a tool's output, without the quote."""
    text = memory.text if memory.text.startswith(ASKED) else f"{ASKED}{memory.text}"
    return replace(
        memory, text=text, author=Author.PERSON, certainty=max(CERTAIN, memory.certainty), quote=""
    )


def _agreed(memory: Memory) -> bool:
    show_line(memory, time())
    return ask("Is this your own word?", default=False)
