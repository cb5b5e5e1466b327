"""What people may change about the guard.

[guard] of snaphook.toml  ->  GuardSettings

Every rule has an id, and one line under `rules` changes its answer: "off", "ask" or "deny". A pack
(`packs = ["bb5"]`) turns on the rules of one way of working.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

PROTECTED = (
    "~/.blackbox5/2-engine/.autonomous/agents/communications/",
    "~/.blackbox5/5-project-memory/*/tasks/active/*/task.md",
)
"""Paths that no agent changes, as the first of our users drew them up."""


ANSWERS = ("off", "allow", "ask", "deny")
"""What a line under ``rules`` may say."""


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

    @staticmethod
    def flaws(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: rules and packs that nobody has, other answers."""
        from difflib import get_close_matches  # only who checks needs these

        from .rules.table import BY_ID, RULES

        rules, packs = table.get("rules"), table.get("packs")
        for rule, answer in rules.items() if isinstance(rules, dict) else ():
            if rule not in BY_ID:
                near = get_close_matches(rule, BY_ID, n=1)
                hint = f"Did you mean '{near[0]}'? " if near else ""
                fix = f"{hint}'snaphook guard rules' lists them all."
                yield ("rules", rule), f"the guard has no rule '{rule}'", fix
            elif answer not in ANSWERS:
                yield ("rules", rule), f"'{answer}' is no answer", 'Write "off", "ask" or "deny".'
        known = sorted({rule.pack for rule in RULES if rule.pack})
        for pack in packs if isinstance(packs, list) else ():
            if pack not in known:
                yield ("packs",), f"there is no pack '{pack}'", f"There are: {', '.join(known)}."
