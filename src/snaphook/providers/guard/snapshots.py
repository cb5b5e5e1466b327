"""The safety net: what is stopped only because it destroys local work is kept first, then let through.

Judgement  ->  SnapshotScope (where, which paths)  ->  a snapshot  ->  a milder Judgement

Lifted are only the objections of rules that the settings name, and only once the snapshot is on disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from snaphook.providers.guard.judgement import Judgement, Objection, judged
from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.programs.git import directory
from snaphook.shell.repository import git_root
from snaphook.shell.text import UNKNOWN, known_prefix

if TYPE_CHECKING:
    from snaphook.providers.guard.snapshot_finalizer import Snapshotter

RECOVERABLE = (
    "git.reset-unsaved",
    "git.discard",
    "git.history",
    "delete.sources",
    "overwrite.sources",
    "overwrite.kept",
)
"""The rules whose harm a snapshot can take back."""
_DESTROYS = (Act.DELETE, Act.OVERWRITE, Act.MOVE, Act.WRITE, Act.LINK)
_ELSEWHERE = ("worktree", "submodule")
"""Git's own commands that reach into another work tree."""


class SnapshotScope(Struct, frozen=True, kw_only=True):
    """What would be lost: one project, and paths in it."""

    root: str
    paths: tuple[str, ...] = ()


class SnapshotResult(Struct, frozen=True, kw_only=True):
    """The judgement that is left once what was at stake is kept."""

    judgement: Judgement
    name: str

    @property
    def note(self) -> str:
        """Say to agent and person what was kept, and how it comes back."""
        return (
            f"A snapshot was saved first ({self.name}). The user can restore everything: "
            "snaphook undo."
        )


def take_snapshot(
    judgement: Judgement,
    lifted: tuple[str, ...],
    snapshotter: Snapshotter,
    *,
    session: str,
    call: str,
) -> SnapshotResult | None:
    """Return the milder judgement once the snapshot is taken; ``None`` where it would not help."""
    found = without_lost_work(judgement, lifted)
    if found is None:
        return None
    milder, scope = found
    name = snapshotter.take_snapshot(
        scope.root, scope.paths, command=judgement.command, session=session, call=call
    )
    return SnapshotResult(judgement=milder, name=name) if name else None


def without_lost_work(
    judgement: Judgement, lifted: tuple[str, ...]
) -> tuple[Judgement, SnapshotScope] | None:
    """Return what is left of *judgement* once a snapshot is kept, and of what; ``None``: it would not help.

    Pure: for whoever asks what the guard would say, and takes no snapshot.
    """
    left = [one for one in judgement.objections if one.rule not in lifted]
    milder = judged(
        judgement.command,
        left,
        calls=judgement.calls,
        effects=judgement.effects,
        unread=judgement.unread,
    )
    if milder.answer >= judgement.answer:
        return None
    objections = [one for one in judgement.objections if one.rule in lifted]
    scope = snapshot_scope(judgement, objections)
    return None if scope is None else (milder, scope)


def snapshot_scope(judgement: Judgement, objections: list[Objection]) -> SnapshotScope | None:
    """Return what *objections* say would be lost; ``None`` where that cannot all be kept."""
    roots: set[str] = set()
    paths: list[str] = []
    for objection in objections:
        found = list(_causes(judgement, objection))
        if not found:
            return None
        for cause in found:
            where = _of_git(cause) if isinstance(cause, Call) else _of_effect(cause)
            if where is None:
                return None
            roots.add(where.root)
            paths += where.paths
    return (
        SnapshotScope(root=roots.pop(), paths=tuple(dict.fromkeys(paths)))
        if len(roots) == 1
        else None
    )


def _causes(judgement: Judgement, objection: Objection) -> Iterator[Call | Effect]:
    """Yield the git calls, or the effects on files, that *objection* points at."""
    if objection.rule.startswith("git."):
        yield from (one for one in judgement.calls if one.span == objection.span)
        return
    for effect in judgement.effects:
        if effect.act in _DESTROYS and effect.span == objection.span:
            yield effect


def _of_git(call: Call) -> SnapshotScope | None:
    where = directory(call)
    root = None if call.remote or UNKNOWN in where else git_root(where)
    if root is None or call.program != "git" or call.subcommand in _ELSEWHERE:
        return None
    if call.subcommand in (
        "reflog",
        "gc",
        "prune",
        "filter-branch",
        "filter-repo",
        "remote",
        "tag",
    ):
        return None  # these take more away than branches and files
    return SnapshotScope(root=root, paths=(root,) if call.subcommand == "clean" else ())


def _of_effect(effect: Effect) -> SnapshotScope | None:
    if effect.call.remote or UNKNOWN in effect.path:
        return None
    path = known_prefix(effect.path)
    if path != effect.path:
        path = path.rpartition("/")[0]
    root = git_root(path) or git_root(effect.call.cwd) or effect.call.cwd
    inside = path == root or path.startswith(f"{root}/")
    return SnapshotScope(root=root, paths=(path,)) if inside and path else None
