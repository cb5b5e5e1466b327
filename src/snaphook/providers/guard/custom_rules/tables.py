"""The tables that hold rules of one's own.

[[guard.rule]], [[guard.role]], [[guard.test]] of snaphook.toml  ->  CustomRule, AgentRole, Expectation

Pure values; msgspec only, since every hook loads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

Words = str | tuple[str, ...]
"""One text, or a list of them: any of these."""
OwnVerdict = Literal["allow", "warn", "ask", "deny"]
Mode = Literal["enforce", "warn", "audit"]
Does = Literal[
    "reads", "writes", "deletes", "sends", "fetches", "drops", "empties", "rewrites", "grants"
]

MANAGED, FREE, STRICT = "managed", "free", "strict"
"""Whose a table is: an administrator's, whom nothing overrules; someone's who may loosen; someone's
who may only tighten (a project nobody approved)."""


def words(value: Words) -> tuple[str, ...]:
    """Return *value* as a tuple, whichever of its two forms it has."""
    return (value,) if isinstance(value, str) else value


class CustomRule(Struct, frozen=True, kw_only=True):
    """What to say of a call that fits every condition given here."""

    id: str
    """How messages, the log and `about` call the rule."""
    verdict: OwnVerdict
    """`deny`, `ask`, `warn` (it runs, and both are told), or `allow` (lifts what the guard says)."""
    message: str = ""
    """Why, in a few words: told to the agent and the person."""
    instead: str = ""
    """What to do instead."""

    program: Words = ()
    """The bare name, as the guard finds it under `sudo`, `bash -c`, aliases, `xargs`; globs count."""
    subcommand: Words = ()
    """How the operands begin: `push`, `remote add`."""
    flags: Words = ()
    """One of these options is given, in any spelling: `--force`, `--replicas=0`."""
    without: Words = ()
    """None of these options is given."""
    args: Words = ()
    """Regular expressions; one is found in the words after the program."""

    does: tuple[Does, ...] = ()
    """What happens to a path or table: `reads`, `writes`, `deletes`, `sends`, `fetches`, `drops` …"""
    paths: Words = ()
    """Globs of what is touched; relative to the project, or `~/…`, or absolute."""
    sql: Words = ()
    """Kinds of SQL statements, however they reach the database: `delete`, `drop`, `alter` …"""
    tables: Words = ()
    """Globs of the tables that a statement names."""

    tool: Words = ()
    """The tool that is called; globs count: `Edit`, `mcp__github__*`."""
    input: Mapping[str, str] = {}
    """Regular expressions by argument of the tool: `{url = "^http:"}`."""
    about: Words = ()
    """Rules of the guard whose objection this one changes: `git.discard`, `delete.*`."""

    agent: Words = ()
    """Type or name of the agent; globs count."""
    host: Words = ()
    """The host, as `snaphook hook` spells it: `codex`."""
    project: Words = ()
    """Globs of the project's folder: `~/work/*`, or its bare name."""
    days: tuple[str, ...] = ()
    """Days of the week: `mon` … `sun`."""
    hours: str = ""
    """Hours of the day: `18:00-08:00`."""
    timezone: str = ""
    """Of `days` and `hours`: `Europe/Berlin`; the machine's own where none is given."""

    unless_read: bool = False
    """Holds only for files that this session has not read; a new file needs no reading."""
    unless_ran: Words = ()
    """Holds until one of these commands succeeded, after the last change to a file."""

    standing: str = field(default=FREE, name="(standing)")


class AgentRole(Struct, frozen=True, kw_only=True):
    """Who may use what: a tool or program outside the list is objected to."""

    name: str
    """How messages and the log call the role."""
    agents: Words
    """Types or names of the agents that it binds; globs count."""
    tools: Words = ()
    """The tools that they may use; none given: all."""
    programs: Words = ()
    """The programs that they may run in a shell; none given: all."""
    mode: Mode = "enforce"
    """`enforce` denies, `warn` tells and lets it run, `audit` only keeps a record."""
    message: str = ""
    """Why, in a few words."""
    standing: str = field(default=FREE, name="(standing)")


class Expectation(Struct, frozen=True, kw_only=True):
    """A call and what the guard must say of it: run by `snaphook guard test`."""

    verdict: Literal["allow", "warn", "ask", "deny", "stop"]
    """`stop` is ask or deny."""
    command: str = ""
    """The text of a shell command."""
    tool: str = ""
    """Another tool, with its `input`."""
    input: Mapping[str, Any] = {}
    """The tool's arguments."""
    rule: str = ""
    """The rule that must decide."""
    cwd: str = ""
    """Where it would start; relative to the project."""
    agent: str = ""
    """Type or name of the agent."""
    host: str = ""
    """The host, as `snaphook hook` spells it."""
    at: str = ""
    """When: `2026-05-01T12:00`."""
    read: Words = ()
    """Files that the session has read."""
    ran: Words = ()
    """Commands that succeeded in the session since the last change."""
