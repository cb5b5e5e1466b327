"""``snaphook memory export`` and ``import``: take memories elsewhere and back.

MemoryStore  ->  one JSON a line  ->  MemoryStore
"""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from snaphook.cli.output import pipe_out, say
from snaphook.errors import UsageError
from snaphook.scrub import Scrubber, load_salt
from snaphook.stores.memory.retain import BATCH
from snaphook.stores.memory.store import Stored, Which
from snaphook.stores.memory.values import Memory

from .here import everywhere, opened


@click.command()
@everywhere
def export(everywhere: bool) -> None:
    """Export memories to stdout as JSON lines, oldest first."""
    encode, out = msgspec.json.Encoder().encode, pipe_out()
    with opened() as here:
        which = Which(project=None if everywhere else here.project, also=here.also, superseded=True)
        for memory in here.store.every(which):
            out.write(encode(memory) + b"\n")


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--here", "moved", is_flag=True, help="Assign them to this project.")
@click.option(
    "--revive", is_flag=True, help="Also import memories that were deleted with 'forget'."
)
def import_(file: Path, moved: bool, revive: bool) -> None:
    """Import memories from FILE, written by 'export'; duplicates are merged."""
    with opened() as here:
        total = Stored()
        scrubber = Scrubber(salt=load_salt(here.around.data_dir / "salt"))
        for batch in _batches(file):
            clean = [scrubbed(memory, scrubber) for memory in batch]
            project = here.project if moved else None
            taken = [_moved(memory, project) for memory in clean]
            total += here.store.put(taken, revive=revive)
    say(
        f"{total.added} new, {total.strengthened} strengthened, {total.unchanged} known, "
        f"{total.forgotten} forgotten before."
    )


def scrubbed(memory: Memory, scrubber: Scrubber) -> Memory:
    """Return *memory* without the secrets that another machine may have let through."""
    return replace(memory, text=scrubber.text(memory.text))


def _moved(memory: Memory, project: str | None) -> Memory:
    return memory if project is None or not memory.project else replace(memory, project=project)


def _batches(file: Path) -> Iterator[list[Memory]]:
    decode = msgspec.json.Decoder(Memory).decode
    batch: list[Memory] = []
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                batch.append(decode(line))
            except msgspec.MsgspecError as error:
                raise UsageError(
                    where=f"{file}:{number}",
                    what=f"is not a valid memory: {error}",
                    fix=(
                        "'snaphook memory export' writes them; lines after this one were not "
                        "imported."
                    ),
                ) from error
            if len(batch) == BATCH:
                yield batch
                batch = []
    if batch:
        yield batch
