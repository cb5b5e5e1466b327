"""Several jobs at once, each in a git worktree and on a branch of its own.

jobs  ->  worktrees  ->  builds, N at a time  ->  branches to merge

One job that halts does not hold the others up.
"""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from snaphook.builder.build import check_tasks
from snaphook.builder.git import remove_worktree, worktree
from snaphook.builder.job import find_jobs
from snaphook.builder.journal import BuildJournal
from snaphook.builder.tasks import read_tasks
from snaphook.cli.output import say
from snaphook.cli.table import EXIT_INTERRUPTED, EXIT_PROBLEM
from snaphook.errors import SnaphookError, UsageError

from .output import dry_run, watching
from .works import COMMIT, Works, prepare, stopped_by_signals


def build_side_by_side(jobs: str, output: str, given: dict[str, Any]) -> int:
    """Build *jobs* (names, or how many at a time); 0 if every one of them was finished."""
    names, at_once = _wanted(jobs, Path(given.get("codebase") or Path.cwd()).absolute())
    with ExitStack() as stack:
        everything: list[tuple[Works, BuildJournal]] = []
        for name in names:
            watcher = stack.enter_context(watching(output, command="run", job=name))
            works = prepare(name, given, watcher)
            check_tasks(works.job.tasks)
            if given["dry_run"]:
                dry_run(works, plans=False, builds=True)
                continue
            everything.append((works, stack.enter_context(BuildJournal(works.job))))
        try:
            return asyncio.run(_all(everything, at_once))
        except asyncio.CancelledError:
            say("Interrupted. Run the same command again to resume.", err=True)
            return EXIT_INTERRUPTED


async def _all(everything: list[tuple[Works, BuildJournal]], at_once: int) -> int:
    task = asyncio.current_task()
    assert task is not None
    free = asyncio.Semaphore(at_once)
    moved = [
        (replace(works, job=await worktree(works.job)), journal) for works, journal in everything
    ]
    with stopped_by_signals(task):
        done = await asyncio.gather(*(_one(works, journal, free) for works, journal in moved))
    for (works, _), finished in zip(moved, done, strict=True):
        if finished:
            say(f"{works.job.name}: git merge snaphook/{works.job.name}", err=True)
    return 0 if all(done) else EXIT_PROBLEM


async def _one(works: Works, journal: BuildJournal, free: asyncio.Semaphore) -> bool:
    """Build one job and say whether it was finished; what halts it is told here, once."""
    settings = replace(works.settings, commit=works.settings.commit or COMMIT)
    async with free:
        try:
            await replace(works, settings=settings).build(journal)
            await remove_worktree(works.job)
        except SnaphookError as error:
            say(f"snaphook: {error}", err=True)
            return False
    return True


def _wanted(jobs: str, codebase: Path) -> tuple[list[str], int]:
    if not jobs.isdigit():
        names = [name.strip() for name in jobs.split(",") if name.strip()]
        return list(dict.fromkeys(names)), max(len(names), 1)
    if int(jobs) < 1:
        raise UsageError(where="--jobs", what="must be at least 1", fix="Write --jobs 2.")
    open_jobs = [
        job.name
        for job in find_jobs(codebase)
        if job.tasks.exists() and read_tasks(job.tasks).pending
    ]
    return open_jobs, int(jobs)
