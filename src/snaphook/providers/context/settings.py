"""What people may change about context.

[context] of snaphook.toml  ->  ContextSettings

Paths are relative to the project's root, may hold ``*`` and ``{agent}``, and never lead out of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct


class ContextSettings(Struct, frozen=True, kw_only=True):
    """What an agent is told when a session begins, and what is kept of what it is told."""

    enabled: bool = True
    decisions: tuple[str, ...] = (
        ".squad/decisions.md",
        ".ai-team/decisions.md",
        "docs/decisions.md",
        "DECISIONS.md",
    )
    """Files of decisions, one under each heading, the newest last."""
    history: tuple[str, ...] = (
        ".squad/agents/{agent}/history.md",
        ".ai-team/agents/{agent}/history.md",
    )
    """Files of what this agent did; where there are none, the event log is asked."""
    charters: tuple[str, ...] = (
        ".squad/agents/{agent}/charter.md",
        ".ai-team/agents/{agent}/charter.md",
    )
    """The agent's role, where the host tells none; skills are matched against it."""
    skills: tuple[str, ...] = (
        ".claude/skills/*/SKILL.md",
        ".squad/skills/*/SKILL.md",
        ".github/skills/*/SKILL.md",
    )
    """Skills: a name and a description in front matter, then how it is done."""
    max_history: int = 20
    """Entries of history."""
    max_skills: int = 3
    """Skills told whole."""
    tokens: int = 4000
    """About how much is told in all."""
    capture: bool = True
    """Keep the directives found in prompts."""

    @staticmethod
    def find_errors(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: numbers below nothing, paths out of the project."""
        for name in ("max_history", "max_skills", "tokens"):
            value = table.get(name)
            if isinstance(value, int) and value < 0:
                yield (name,), f"{value} is negative", "Write 0 or more."
        for name in ("decisions", "history", "charters", "skills"):
            paths = table.get(name)
            for path in paths if isinstance(paths, list) else ():
                if isinstance(path, str) and (path.startswith(("/", "~")) or ".." in path):
                    fix = "Write a path relative to the project's root."
                    yield (name,), f"'{path}' is outside the project", fix
