"""Commit what completing a task changed in the workspace, and nothing else.

commit  ->  git add, git commit of the workspace's own paths

Never on a protected branch, never in the middle of a merge, never a file in which a secret was found.
"""

from collections.abc import Sequence
from pathlib import Path

from snaphook.config import Environment
from snaphook.process import Completed, run
from snaphook.scrub import scan_file_for_secrets
from snaphook.shell.safe_git import approved_git
from snaphook.stores.outbox.job import GiveUp, Job
from snaphook.stores.workspace import Layout

from .opened import essentials_in, opened

BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")


def commit(job: Job, around: Environment) -> None:
    """Commit the workspace's files; where nothing changed there is nothing to do."""
    place = opened(around)
    if place is None:
        return
    root = place.layout.root
    where = _git(root, around, "rev-parse", "--absolute-git-dir")
    if not where.ok:
        return  # no repository
    _check(root, Path(where.stdout.text.strip()), around)
    paths = _changed(place.layout, around)
    if not paths:
        return
    secrets = [
        path for path in paths if (root / path).is_file() and scan_file_for_secrets(root / path)
    ]
    if secrets:
        raise GiveUp(f"{secrets[0]}: contains a secret, so nothing was committed. Remove it.")
    added = _git(root, around, "add", "--all", "--", *paths)
    done = _git(root, around, "commit", "--quiet", "-m", _message(job), "--", *paths)
    if not added.ok or not done.ok:
        said = (added if not added.ok else done).stderr.text.strip()
        raise RuntimeError(f"git commit failed: {said[:300]}")


def _check(root: Path, git: Path, around: Environment) -> None:
    on = _git(root, around, "symbolic-ref", "--short", "--quiet", "HEAD").stdout.text.strip()
    if not on:
        raise GiveUp("no branch is checked out, so nothing was committed.")
    if on in essentials_in(around).protected_branches:
        raise GiveUp(f"'{on}' is protected, so nothing was committed. Work on another branch.")
    if busy := [name for name in BUSY if (git / name).exists()]:
        raise RuntimeError(f"a git operation is in progress ({busy[0]})")


def _changed(layout: Layout, around: Environment) -> list[str]:
    ours = (layout.communications, layout.tasks, layout.runs, layout.skills)
    names = [str(path.relative_to(layout.root)) for path in ours if path.exists()]
    status = _git(
        layout.root, around, "status", "--porcelain=v1", "-z", "-uall", "--no-renames", "--", *names
    )
    if not status.ok:
        raise RuntimeError(f"git status failed: {status.stderr.text.strip()[:300]}")
    rows = [row for row in status.stdout.text.split("\0") if row]
    top = Path(_git(layout.root, around, "rev-parse", "--show-toplevel").stdout.text.strip())
    return [str((top / row[3:]).relative_to(layout.root.resolve())) for row in rows]


def _message(job: Job) -> str:
    task, status = job.payload["task_id"], str(job.payload["status"]).lower()
    return f"chore(workspace): {task} is {status}\n\nTask: {task}\n"


def _git(root: Path, around: Environment, *words: str) -> Completed:
    line: Sequence[str] = (*approved_git(), "-C", str(root), *words)
    return run(line, env=around.env, timeout=60)
