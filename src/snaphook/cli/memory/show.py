"""``snaphook memory list``, ``show``, ``stats`` and ``views``: look at what is there."""

from time import time

import click
import msgspec
from msgspec.structs import replace

from snaphook.cli.here import short
from snaphook.cli.log import moment
from snaphook.cli.output import say, say_json, say_lines
from snaphook.stores.memory.values import Memory
from snaphook.wiring.memory_jobs import show as write

from .here import NOTHING, as_json, day, everywhere, kinds, opened, show_line, the_memory, which


@click.command("list")
@click.option(
    "--entity", default="", help="Only memories that mention this: file:src/a.py, task:T-1, …"
)
@click.option("--task", default="", help="Only memories from this task.")
@click.option("--run", default="", help="Only memories from this run.")
@click.option("--since", default="", help="Only memories since then: 2h, 3d, 2026-05-01.")
@click.option("--superseded", is_flag=True, help="Include replaced memories.")
@click.option("--limit", default=50, show_default=True, help="Maximum number to show.")
@kinds
@everywhere
@as_json
def listing(
    entity: str,
    task: str,
    run: str,
    since: str,
    superseded: bool,
    limit: int,
    kind_names: tuple[str, ...],
    everywhere: bool,
    as_json: bool,
) -> None:
    """List memories, newest first."""
    now = time()
    with opened() as here:
        meant = replace(
            which(here, kind_names, everywhere=everywhere, superseded=superseded),
            entity=entity,
            task=task,
            run=run,
            since=moment(since, now) if since else None,
        )
        memories = here.store.newest(meant, limit=limit)
    for memory in memories:
        if as_json:
            say_json({"id": memory.id, **msgspec.to_builtins(memory)})
        else:
            show_line(memory, now)
    if not memories and not as_json:
        say_lines(NOTHING)


@click.command()
@click.argument("memory")
@as_json
def show(memory: str, as_json: bool) -> None:
    """Show one memory; MEMORY is its id or a prefix of it."""
    with opened() as here:
        found = the_memory(here.store, memory)
    if as_json:
        say_json({"id": found.id, **msgspec.to_builtins(found)})
        return
    now = time()
    show_line(found, now)
    _sources(found)
    for name, told in (
        ("mentions", ", ".join(entity.key for entity in found.entities)),
        ("settles", "; ".join(found.settles)),
        ("noted", ", ".join(f"{key}: {value}" for key, value in found.meta.items())),
        ("holds in", found.project or "every project"),
    ):
        if told:
            say(f"  {name:<10} {told}")
    if not found.current:
        say(f"  replaced   by {found.superseded_by[:8]} on {day(found.superseded_at)}")


def _sources(memory: Memory) -> None:
    for source in memory.sources:
        about = [part for part in (source.run, source.task, source.agent, source.section) if part]
        told = f" ({'; '.join(about)})" if about else ""
        say(f"  said       {day(source.time)} {short(source.anchor)}{told}")


@click.command()
@as_json
def stats(as_json: bool) -> None:
    """Count memories by type and project, and show their size."""
    with opened() as here:
        told, name = here.store.stats(), here.store.name
    if as_json:
        say_json({"store": name, **msgspec.to_builtins(told)})
        return
    if not told.memories:
        say_lines(NOTHING)
        return
    say(f"{told.memories} memories in {name}, {told.current} of them current")
    for kind, count in sorted(told.kinds.items()):
        say(f"  {kind:<12} {count:>8}")
    say(f"{told.entities} names, {told.forgotten} forgotten")
    for project, count in sorted(told.projects.items(), key=lambda pair: -pair[1]):
        say(f"  {count:>8}  {short(project) if project else 'everywhere'}")
    if told.bytes is not None:
        say(f"{told.bytes / 1e6:.1f} MB, {told.bytes / told.memories:.0f} bytes a memory")
    if told.oldest is not None and told.newest is not None:
        say(f"from {day(told.oldest)} to {day(told.newest)}")


@click.command()
def views() -> None:
    """Write EXPERIENCES.md, FACTS.md, OPINIONS.md and OBSERVATIONS.md for people to read."""
    with opened() as here:
        for path in write(here.store, here.project, here.settings, here.around, root=here.root):
            say(short(str(path)))
