"""What a build asks of git: a commit for each passed task, a worktree for each job.

codebase, message  ->  the commit's id, or nothing where nothing changed
codebase, job      ->  a folder on a branch of its own
"""

import shutil
from pathlib import Path

from snaphook.errors import BuildError
from snaphook.process import Completed, run_async
from snaphook.shell.safe_git import approved_git

from .job import STATE, BuildJob


async def commit(codebase: Path, message: str) -> str:
    """Commit everything under *codebase*; a hook of git that refuses ends the build."""
    await _git(codebase, "add", "--all", ".")
    if (await _asked(codebase, "diff", "--cached", "--quiet")).ok:
        return ""
    await _git(codebase, "commit", "--quiet", "--message", message)
    return (await _git(codebase, "rev-parse", "--short", "HEAD")).stdout.text.strip()


async def worktree(job: BuildJob) -> BuildJob:
    """Return *job* in a worktree of its own, on the branch ``snaphook/NAME``; one that is there stays.

    A branch that was merged begins anew from here, with the job's folder as it stands, committed or
    not; one that was not is gone on with. The job's state stays at home.
    """
    moved = BuildJob(
        name=job.name, codebase=job.codebase / STATE / "worktrees" / job.name, home=job.codebase
    )
    branch = f"snaphook/{job.name}"
    if moved.codebase.exists():
        return moved
    if await _unmerged(job.codebase, branch):
        await _git(job.codebase, "worktree", "add", "--quiet", str(moved.codebase), branch)
    else:
        await _git(job.codebase, "worktree", "add", "--quiet", "-B", branch, str(moved.codebase))
        shutil.copytree(job.folder, moved.folder, dirs_exist_ok=True)
    return moved


async def remove_worktree(job: BuildJob) -> None:
    """Remove the folder of a *job* that is finished; its branch stays."""
    await _git(job.home or job.codebase, "worktree", "remove", "--force", str(job.codebase))


async def _unmerged(codebase: Path, branch: str) -> bool:
    known = await _asked(codebase, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")
    return (
        known.ok and not (await _asked(codebase, "merge-base", "--is-ancestor", branch, "HEAD")).ok
    )


async def _git(codebase: Path, *words: str) -> Completed:
    done = await _asked(codebase, *words)
    if not done.ok:
        said = (done.stderr.text or done.stdout.text or done.failure or "it said nothing").strip()
        raise BuildError(
            where=f"git {words[0]}",
            what=f"failed (exit code {done.status}): {said}",
            fix="Fix that and run the same command again; the task's work is unchanged.",
        )
    return done


async def _asked(codebase: Path, *words: str) -> Completed:
    return await run_async((*approved_git(), *words), cwd=str(codebase))
