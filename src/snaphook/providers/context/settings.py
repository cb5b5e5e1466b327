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
    """Files with decisions, one per heading, newest last."""
    history: tuple[str, ...] = (
        ".squad/agents/{agent}/history.md",
        ".ai-team/agents/{agent}/history.md",
    )
    """Files with the agent's history. Default: from the event log."""
    charters: tuple[str, ...] = (
        ".squad/agents/{agent}/charter.md",
        ".ai-team/agents/{agent}/charter.md",
    )
    """The agent's role if the host does not provide one; used to select skills."""
    skills: tuple[str, ...] = (
        ".claude/skills/*/SKILL.md",
        ".squad/skills/*/SKILL.md",
        ".github/skills/*/SKILL.md",
    )
    """Skill files: name and description in front matter, then the instructions."""
    max_history: int = 20
    """Number of history entries."""
    max_skills: int = 3
    """Number of skills included in full."""
    tokens: int = 4000
    """Approximate size limit of the context in tokens."""
    capture: bool = True
    """Save standing instructions found in prompts."""

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
