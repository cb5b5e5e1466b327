"""What people may change about the essential hooks.

[essentials] of snaphook.toml  ->  EssentialsSettings
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct


class PermissionPolicy(Struct, frozen=True, kw_only=True):
    """Who answers when a host would ask a person."""

    allow: tuple[str, ...] = ()
    """Rules such as ``Read`` or ``Bash(git status*)`` that are allowed without asking."""
    deny: tuple[str, ...] = ()
    """Likewise: no, whatever ``allow`` says."""
    unattended: str = "deny"
    """Answer for an unattended agent if no rule applies: "deny" or "ask"."""


class EssentialsSettings(Struct, frozen=True, kw_only=True):
    """How sessions begin, what subagents must leave behind, and what happens at the end."""

    enabled: bool = True
    project: str = "blackbox5"
    """Default project name."""
    run_folders: bool = True
    """Create a run folder for every session in a workspace."""
    max_subagents: Annotated[int, Meta(ge=1)] = 10
    """Warn if more subagents run at the same time."""
    max_depth: Annotated[int, Meta(ge=1)] = 3
    """Warn if subagents are nested deeper than this."""
    exploration: tuple[str, ...] = ("Explore", "Plan", "scout", "explorer", "planner")
    """Subagent types that need not write RESULTS.md."""
    required_sections: tuple[str, ...] = ("Summary",)
    """Headings that a RESULTS.md must have."""
    error_patterns: tuple[str, ...] = (
        r"(?m)^Traceback \(most recent call last\):",
        r"(?m)^(?:FATAL|CRITICAL|PANIC|panic):",
        r"(?m)^\W*PROMISE_FAILED\W*$",
    )
    """Patterns that mark a result as failed, outside of code."""
    validate_subagents: bool = True
    """Validate results of subagents; ``false`` accepts all."""
    block_prompts: bool = True
    """Block prompts that would complete unfinished work or destroy something."""
    auto_complete: bool = True
    """Complete or block the task in the queue when the agent says so and the conditions hold."""
    auto_commit: bool = False
    """Commit what completing a task changed in the workspace; never on a protected branch."""
    protected_branches: tuple[str, ...] = ("main", "master")
    heartbeat_seconds: Annotated[float, Meta(gt=0)] = 30.0
    permissions: PermissionPolicy = PermissionPolicy()

    @staticmethod
    def find_errors(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: patterns and rules that cannot be followed."""
        import re  # only who checks needs these

        from snaphook.config.conditions import compile_condition
        from snaphook.errors import ConfigError

        patterns = table.get("error_patterns")
        for pattern in patterns if isinstance(patterns, list) else ():
            try:
                re.compile(str(pattern))
            except re.error as bad:
                yield ("error_patterns",), f"invalid pattern '{pattern}': {bad}", "Fix it."
        policy = table.get("permissions")
        for name, rules in policy.items() if isinstance(policy, dict) else ():
            if name == "unattended" and rules not in ("deny", "ask"):
                yield ("permissions", name), f"invalid value '{rules}'", 'Write "deny" or "ask".'
            for rule in rules if isinstance(rules, list) else ():
                try:
                    compile_condition(str(rule))
                except ConfigError as bad:
                    yield ("permissions", name), bad.what, bad.fix
