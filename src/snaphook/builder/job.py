"""A job: a folder with specifications and a list of tasks.

codebase + name  ->  BuildJob
"""

from pathlib import Path

from msgspec import Struct

from snaphook.errors import UsageError

JOBS = Path(".sauna") / "jobs"
STATE = Path(".sauna") / "state"


class BuildJob(Struct, frozen=True, kw_only=True):
    """Where one job's files are."""

    name: str
    codebase: Path
    home: Path | None = None
    """Where its state is kept, if that is not the codebase: a worktree comes and goes."""

    @property
    def folder(self) -> Path:
        """Return the folder that people write."""
        return self.codebase / JOBS / self.name

    @property
    def tasks(self) -> Path:
        """Return the list of tasks."""
        return self.folder / "tasks.md"

    @property
    def state(self) -> Path:
        """Return the folder that we write: journal, outputs, sessions."""
        return (self.home or self.codebase) / STATE / self.name

    @property
    def specs(self) -> tuple[Path, ...]:
        """Return the specifications, in the order of their names."""
        found = [self.folder / "spec.md", *sorted((self.folder / "specs").glob("*.md"))]
        return tuple(path for path in found if path.is_file())


def find_jobs(codebase: Path) -> tuple[BuildJob, ...]:
    """Return every job of the project at *codebase*."""
    folder = codebase / JOBS
    if not folder.is_dir():
        return ()
    return tuple(
        BuildJob(name=path.name, codebase=codebase)
        for path in sorted(folder.iterdir())
        if path.is_dir()
    )


def find_job(codebase: Path, name: str) -> BuildJob:
    """Return the job called *name*, or say which there are."""
    job = BuildJob(name=name, codebase=codebase)
    if "/" in name or name in ("", ".", "..") or not job.folder.is_dir():
        known = ", ".join(one.name for one in find_jobs(codebase))
        raise UsageError(
            where=str(codebase / JOBS),
            what=f"there is no job '{name}'",
            fix=f"There are: {known}."
            if known
            else f"Make a folder {JOBS}/{name or 'NAME'} first.",
        )
    return job
