"""What git says of a work tree right now.

git status  ->  WorkTreeState
"""

import os

from msgspec import Struct, field

from .git import Git


class WorkTreeState(Struct, frozen=True, kw_only=True):
    """Which files differ from the index, and where the index differs from the last commit."""

    changed: tuple[str, ...] = ()
    """In the work tree, other than in the index."""
    missing: tuple[str, ...] = ()
    """In the index, not in the work tree."""
    untracked: tuple[str, ...] = ()
    staged: dict[str, str] = field(default_factory=dict)
    """Objects that nothing but the index names, each with a name of its own."""


STATUS = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames")


def state(git: Git) -> WorkTreeState:
    """Return how the work tree and the index stand."""
    return parse(git(*STATUS))


def parse(raw: bytes) -> WorkTreeState:
    """Return the state that ``git status`` printed."""
    changed: list[str] = []
    missing: list[str] = []
    untracked: list[str] = []
    staged: dict[str, str] = {}
    for record in filter(None, os.fsdecode(raw).split("\0")):
        kind, _, rest = record.partition(" ")
        if kind == "?":
            untracked.append(rest)
        elif kind == "1":
            how, sub, *_, new, path = rest.split(" ", 7)
            if how[0] not in ".D" and sub[0] != "S":
                staged[f"{len(staged)}"] = new
            if sub[0] == "S":
                continue  # a submodule is a repository of its own
            if how[1] == "D":
                missing.append(path)
            elif how[1] != ".":
                changed.append(path)
        elif kind == "u":
            *head, path = rest.split(" ", 9)
            staged |= {
                f"{len(staged) + at}": name for at, name in enumerate(head[6:9]) if name.strip("0")
            }
            changed.append(path)
    return WorkTreeState(
        changed=tuple(changed),
        missing=tuple(missing),
        untracked=tuple(untracked),
        staged=staged,
    )
