"""``snaphook memory retain`` and ``reflect``: learn, and think it over."""

from pathlib import Path
from time import time

import click
from msgspec.structs import replace

from snaphook.cli.output import say, say_json
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.stores.memory.extract.document import DocumentOrigin
from snaphook.stores.memory.reflect import reflect as think
from snaphook.wiring.memory_jobs import keep, show

from .here import as_json, everywhere, opened


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--run", default="", help="The run they belong to. Default: taken from the path.")
@click.option("--task", default="", help="The task they belong to.")
@click.option("--agent", default="", help="Who wrote them.")
@click.option("--anywhere", is_flag=True, help="Store them for all projects.")
@click.option(
    "--revive", is_flag=True, help="Also import memories that were deleted with 'forget'."
)
@click.option("--own", is_flag=True, help="They were written by you or your agents.")
@click.option(
    "--extractor",
    type=click.Choice(["markdown", "model"]),
    help="How documents are read: by rules, or by a model. Default: from the settings.",
)
@as_json
def retain(
    paths: tuple[Path, ...],
    run: str,
    task: str,
    agent: str,
    anywhere: bool,
    revive: bool,
    own: bool,
    extractor: str | None,
    as_json: bool,
) -> int:
    """Add memories from PATHS: documents, run folders and agents' transcripts.

    In a folder, DECISIONS.md, THOUGHTS.md, RESULTS.md and LEARNINGS.md are read recursively.
    Running it twice changes nothing. Secrets are redacted before anything is stored. Documents of a
    project that was not approved ('snaphook trust') may be anybody's: what they say is kept as
    quotes, found when asked for and told to no session, unless --own says otherwise.
    """
    with opened() as here:
        settings = replace(here.settings, extractor=extractor) if extractor else here.settings
        project = "" if anywhere else here.project
        origin = DocumentOrigin(project=project, root=here.root, run=run, task=task, agent=agent)
        whole = [path.absolute() for path in paths]
        done = keep(here.store, whole, origin, settings, here.around, revive=revive, own=own)
    if as_json:
        say_json(done)
    else:
        stored = done.stored
        say(
            f"{done.memories} memories in {done.documents} documents: {stored.added} new, "
            f"{stored.strengthened} strengthened, {stored.unchanged} known, "
            f"{stored.superseded} superseded."
        )
        if stored.forgotten:
            say(f"{stored.forgotten} were deleted before and are skipped; --revive adds them.")
        if done.quoted:
            say(
                f"{done.quoted} are kept as quotes: somebody else may have written them. Sessions are not "
                "told them; 'snaphook trust' approves this project, --own these documents."
            )
        for why in done.skipped:
            say(f"not read: {why}", style="yellow", err=True)
    return EXIT_PROBLEM if done.skipped and not done.documents else 0


@click.command()
@everywhere
@click.option("--dry-run", is_flag=True, help="Show what would be done without doing it.")
@as_json
def reflect(everywhere: bool, dry_run: bool, as_json: bool) -> None:
    """Merge memories that say the same in other words, and drop faded ones.

    A merged memory keeps all sources, and its confidence rises.
    """
    with opened() as here:
        project = None if everywhere else here.project
        found = think(here.store, now=time(), project=project, dry=dry_run)
        if not dry_run and (found.merged or found.faded):
            show(here.store, here.project, here.settings, here.around, anew=False, root=here.root)
    if as_json:
        say_json(found)
        return
    for kept, others in found.merged:
        say(f"{kept.id[:8]} {kept.text}", style="green")
        for other in others:
            say(f"  absorbs {other.id[:8]} {other.text}")
    for memory in found.faded:
        say(f"{memory.id[:8]} has faded: {memory.text}", style="yellow")
    would = "would be " if dry_run else ""
    absorbed = sum(len(others) for _, others in found.merged)
    say(
        f"{found.looked_at} looked at; {absorbed} {would}absorbed, {len(found.faded)} "
        f"{would}dropped."
    )
