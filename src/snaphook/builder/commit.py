"""A commit for each task that passed.

codebase, message  ->  the commit's id, or nothing where nothing changed
"""

from pathlib import Path

from snaphook.errors import BuildError
from snaphook.process import Completed, run_async


async def commit(codebase: Path, message: str) -> str:
    """Commit everything under *codebase*; a hook of git that refuses ends the build."""
    await _git(codebase, "add", "--all", ".")
    if (await _asked(codebase, "diff", "--cached", "--quiet")).ok:
        return ""
    await _git(codebase, "commit", "--quiet", "--message", message)
    return (await _git(codebase, "rev-parse", "--short", "HEAD")).stdout.text.strip()


async def _git(codebase: Path, *words: str) -> Completed:
    done = await _asked(codebase, *words)
    if not done.ok:
        said = (done.stderr.text or done.stdout.text or done.failure or "it said nothing").strip()
        raise BuildError(
            where=f"git {words[0]}",
            what=f"failed (exit code {done.status}): {said}",
            fix="Mend that and run the same command again; the task's work is untouched.",
        )
    return done


async def _asked(codebase: Path, *words: str) -> Completed:
    return await run_async(("git", *words), cwd=str(codebase))
