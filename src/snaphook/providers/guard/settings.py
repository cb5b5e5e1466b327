"""What people may change about the guard.

[guard] of snaphook.toml  ->  GuardSettings

Every rule has an id, and one line under `rules` changes its answer: "off", "ask" or "deny". A pack
(`packs = ["bb5"]`) turns on the rules of one way of working.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

PROTECTED = (
    "~/.blackbox5/2-engine/.autonomous/agents/communications/",
    "~/.blackbox5/5-project-memory/*/tasks/active/*/task.md",
)
"""Paths that no agent changes, as the first of our users drew them up."""


class GuardSettings(Struct, frozen=True, kw_only=True):
    """How strict the guard is, and what it leaves alone."""

    rules: Mapping[str, str] = {}
    packs: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    allow_paths: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    protected_paths: tuple[str, ...] = PROTECTED
    protected_branches: tuple[str, ...] = ("main", "master")
    protected_tables: tuple[str, ...] = ()
    temp_dirs: tuple[str, ...] = ("/tmp", "/var/tmp", "/private/tmp", "/dev/shm")  # noqa: S108
    build_dirs: tuple[str, ...] = ()
    commit_format: str = ""
    task_scope: tuple[str, ...] = ()
    bulk_files: int = 10
    read_scripts: bool = True
