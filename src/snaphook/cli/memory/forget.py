"""``snaphook memory forget``: remove memories for good, from the store, its index and the views."""

from collections.abc import Sequence
from pathlib import Path
from time import time

import click

from snaphook.cli.audit_actions import redact_texts
from snaphook.cli.here import short
from snaphook.cli.output import confirm, say
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.errors import UsageError
from snaphook.stores.memory.store import Query, Which
from snaphook.stores.memory.values import Memory
from snaphook.stores.memory.words import terms
from snaphook.wiring.memory_jobs import forget as forget_memories
from snaphook.wiring.memory_jobs import show

from .here import Here, opened, show_line, the_memory


@click.command()
@click.argument("memories", nargs=-1)
@click.option("--about", default="", help="Memories that contain all these words.")
@click.option("--run", default="", help="All memories from this run.")
@click.option("--record", is_flag=True, help="Also remove it from the event log and its database.")
@click.option("--wait", is_flag=True, help="Return only when nothing of it is left.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def forget(
    memories: tuple[str, ...], about: str, run: str, record: bool, wait: bool, yes: bool
) -> int:
    """Delete MEMORIES permanently; each is an id or a prefix of it.

    They are removed from the store, its index and the views, and are not added again when the same
    document is read again. Memories they had replaced become current again. --record removes the
    same words from the event log, which keeps prompts and what sessions were told. To remove
    everything at once, use --record --wait.
    """
    with opened() as here:
        found = _meant(here, memories, about, run)
        if not found:
            say("No matching memories.")
            return EXIT_PROBLEM
        chosen = found if yes else [memory for memory in found if _agreed(memory)]
        ids = [memory.id for memory in chosen]
        count, remaining = forget_memories(here.store, ids, here.settings, here.around)
        if wait and remaining:
            remaining = here.store.finish_forgetting()
        for project in {memory.project for memory in chosen} | {here.project}:
            show(here.store, project, here.settings, here.around, anew=False, root=here.root)
    say(f"{count} forgotten.")
    return _rest(chosen, remaining, record=record, wait=wait)


def _rest(chosen: Sequence[Memory], remaining: Sequence[str], *, record: bool, wait: bool) -> int:
    """Say what remains where, and take the words out of the record where that was asked for."""
    for where in remaining:
        say(f"Still in {where}; it is removed in the background, as soon as possible.")
    texts = [text for memory in chosen for text in (memory.text, memory.quote) if text]
    done = True
    if record and texts:
        done = redact_texts(texts, why="a memory was forgotten")
    elif chosen:
        say("The event log keeps what was said and told; '--record' removes it there as well.")
    sources = {source.path for memory in chosen for source in memory.sources}
    for path in sorted(path for path in sources if Path(path).exists()):
        say(f"Its source is a file of its own and stays: {short(path)}")
    return 0 if done and not (wait and remaining) else EXIT_PROBLEM


def _meant(here: Here, memories: tuple[str, ...], about: str, run: str) -> list[Memory]:
    if not (memories or about or run):
        raise UsageError(
            where="snaphook memory forget",
            what="no memories given",
            fix="Give ids, --about or --run; 'snaphook memory list' shows the ids.",
        )
    found = [the_memory(here.store, memory) for memory in memories]
    if run:
        found += here.store.newest(Which(run=run, superseded=True), limit=100_000)
    if about:
        found += _holding(here, about)
    return list({memory.id: memory for memory in found}.values())


def _holding(here: Here, about: str) -> list[Memory]:
    """Return the memories that hold every word of *about* themselves: no neighbour's, no likeness."""
    wanted = terms(about)
    query = Query(terms=wanted, which=Which(project=here.project, also=here.also, superseded=True))
    found = here.store.search(query).candidates
    ids = [each.id for each in found if set(wanted) <= set(each.bag.split())]
    return here.store.get(ids)


def _agreed(memory: Memory) -> bool:
    show_line(memory, time())
    return confirm("Forget it?", default=False)
