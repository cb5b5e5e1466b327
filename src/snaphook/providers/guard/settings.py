"""What people may change about the guard.

[guard] of snaphook.toml  ->  GuardSettings

Every rule has an id, and one line under `rules` changes its answer: "off", "warn", "ask" or "deny".
A pack (`packs = ["bb5"]`) turns on the rules of one way of working. `[[guard.rule]]` adds a rule of
one's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct, field

from snaphook.providers.guard.custom_rules.tables import AgentRole, CustomRule, Expectation

PROTECTED = (
    "~/.blackbox5/2-engine/.autonomous/agents/communications/",
    "~/.blackbox5/5-project-memory/*/tasks/active/*/task.md",
)
"""Paths that no agent changes, as the first of our users drew them up."""

PRODUCTION = (
    "prod",
    "prod-*",
    "prod_*",
    "*-prod",
    "*_prod",
    "*-prod-*",
    "*production*",
    "prd",
    "*-prd",
    "live",
)
"""Names that tell a context, a namespace, a profile or a host apart from one to play with."""

ANSWERS = ("off", "allow", "warn", "ask", "deny")
"""What a line under ``rules`` may say."""

SettingError = tuple[tuple[str | int, ...], str, str]
"""Where in the table, what is wrong, and what to do next."""


class GuardSettings(Struct, frozen=True, kw_only=True):
    """Settings of the guard: rules, allowlists, protected paths."""

    mode: Literal["enforce", "audit"] = "enforce"
    """`audit` only logs what would be blocked, except attacks on the guard itself; `enforce` blocks."""
    rules: Mapping[str, str] = {}
    """Answers by rule: `off`, `warn`, `ask` or `deny`."""
    packs: tuple[str, ...] = ()
    """Enabled packs of stricter rules."""
    own: tuple[CustomRule, ...] = field(default=(), name="rule")
    """Your own rules: `[[guard.rule]]`."""
    roles: tuple[AgentRole, ...] = field(default=(), name="role")
    """Which agent may use which tools: `[[guard.role]]`."""
    tests: tuple[Expectation, ...] = field(default=(), name="test")
    """Expected verdicts: `[[guard.test]]`, run by `snaphook guard test`."""
    allow: tuple[str, ...] = ()
    """Allowlist: globs of whole commands that may run, such as `docker system prune*`."""
    allow_paths: tuple[str, ...] = ()
    """Folders in which deleting is allowed."""
    allow_hosts: tuple[str, ...] = ()
    """Hosts whose downloads may be run."""
    protected_paths: tuple[str, ...] = PROTECTED
    """Globs of paths that agents must not change."""
    protected_branches: tuple[str, ...] = ("main", "master")
    """Branches that must not be force-pushed or deleted."""
    protected_tables: tuple[str, ...] = ()
    """Database tables that must not be dropped."""
    production: tuple[str, ...] = PRODUCTION
    """Globs of names that mean production: contexts, namespaces, profiles, workspaces, hosts."""
    temp_dirs: tuple[str, ...] = ("/tmp", "/var/tmp", "/private/tmp", "/dev/shm")  # noqa: S108
    """Folders for temporary files."""
    build_dirs: tuple[str, ...] = ()
    """Globs of build output folders, which may be deleted."""
    commit_format: str = ""
    """A regular expression for the first line of a commit message, or `bb5`."""
    task_scope: tuple[str, ...] = ()
    """Paths an executor may write to (pack `bb5`)."""
    bulk_files: int = 10
    """Ask when one call changes more files than this."""
    read_scripts: bool = True
    """Also evaluate scripts on disk that a command runs."""
    safety_net: tuple[str, ...] = ("git.reset-unsaved",)
    """Rules that allow a command after a snapshot was taken for `snaphook undo`."""
    overrides: bool = True
    """Whether denials can be overridden with `snaphook allow` and `snaphook pause`."""
    managed: Mapping[str, Any] = field(default={}, name="(managed)")

    @property
    def remembers(self) -> bool:
        """Whether a rule asks what the session has done before."""
        return any(rule.unless_read or rule.unless_ran for rule in self.own)

    @property
    def netted(self) -> tuple[str, ...]:
        """The rules that a snapshot lifts: none that an administrator fixed, but by his own word."""
        fixed, by_them = self.managed.get("rules", ()), self.managed.get("safety_net", ())
        return tuple(one for one in self.safety_net if one not in fixed or one in by_them)

    def lifts(self, rules: frozenset[str]) -> bool:
        """Say whether a snapshot would help against any of *rules*."""
        return not rules.isdisjoint(self.netted)

    @staticmethod
    def find_errors(table: Mapping[str, Any]) -> Iterator[SettingError]:
        """Yield what the types cannot tell: rules nobody has, expressions that cannot be read."""
        from .custom_rules.errors import find_errors  # only who checks needs it

        return find_errors(table)

    @staticmethod
    def find_warnings(table: Mapping[str, Any]) -> Iterator[SettingError]:
        """Yield what works and is hardly meant: rules that hide or contradict each other."""
        from .custom_rules.warnings import find_warnings

        return find_warnings(table)

    @staticmethod
    def join(
        merged: dict[str, Any], table: Mapping[str, Any], *, layer: str, free: bool
    ) -> Iterator[tuple[str | int, ...]]:
        """Take into *merged* what *table* of a higher layer says; yield the keys it may not say."""
        from .custom_rules.join import join

        return join(merged, table, layer=layer, free=free)
