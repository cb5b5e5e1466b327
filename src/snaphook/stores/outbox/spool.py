"""The side door: jobs that found the database shut wait as files of their own.

Job  ->  outbox.d/<id>.json        later  ->  Jobs

A file is written whole, synced and renamed, so whoever is killed leaves a job or none.
"""

import contextlib
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from snaphook.storage.files import move, replace
from snaphook.storage.folders import make_private

from .job import Job

log = logging.getLogger("snaphook.outbox")


def lay_down(folder: Path, job: Job) -> None:
    """Keep *job* in *folder*."""
    make_private(folder)
    replace(folder / f"{job.id}.json", msgspec.json.encode(job))


def lay_down_all(folder: Path, jobs: Sequence[Job]) -> None:
    """Keep *jobs* in *folder*, in one file: they are there together or not at all."""
    make_private(folder)
    replace(folder / f"{jobs[0].id}-{len(jobs)}.json", msgspec.json.encode(jobs))


def laid_down(folder: Path) -> Iterator[tuple[Path, Sequence[Job]]]:
    """Yield the jobs in *folder*, the oldest file first; a file that holds none is set aside."""
    for path in sorted(folder.glob("*.json")):
        try:
            found = msgspec.json.decode(path.read_bytes(), type=Job | list[Job])
            yield path, [found] if isinstance(found, Job) else found
        except FileNotFoundError:
            continue  # another worker took it in
        except msgspec.DecodeError as bad:
            log.warning("outbox: %s is not a valid job (%s); renamed to .bad", path, bad)
            with contextlib.suppress(FileNotFoundError):  # another worker was faster
                move(path, path.with_suffix(".bad"))
