"""Rules that a person's answers suggest.

Decided questions  ->  Suggestions  ->  TOML to paste

What was approved every time becomes a rule that allows just that; what was turned down every time one
that denies it. Nothing is applied: a person reads and pastes.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from snaphook.providers.guard.examine import SHELLS, examine
from snaphook.providers.guard.judgement import Judgement
from snaphook.providers.guard.rules.table import BY_ID
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.facts import Call
from snaphook.shell.world import StillWorld

_SHOWN = 3
_WORD = re.compile(r"[a-z][\w:-]*")
_OPERANDS = frozenset({"cat", "chmod", "chown", "cp", "dd", "find", "grep", "head", "less", "ln", "mv",
                       "node", "python", "python3", "rm", "rsync", "scp", "sed", "tail", "tar"})  # fmt: skip
"""Programs whose first word is a file, not a verb."""


class Decided(Struct, frozen=True, kw_only=True):
    """One question of the guard, and what the person made of it."""

    rule: str
    tool: str
    input: Mapping[str, Any]
    session: str
    project: str
    approved: bool

    @property
    def command(self) -> str:
        """The shell command, if it is one."""
        text = self.input.get("command") if self.tool in SHELLS else None
        return text if isinstance(text, str) else ""


class QuestionPattern(Struct, frozen=True):
    """What several questions have in common."""

    rule: str
    tool: str = ""
    program: str = ""
    subcommand: str = ""


class Suggestion(Struct, frozen=True, kw_only=True):
    """A rule that would have given the person's answer."""

    shape: QuestionPattern
    verdict: str
    times: int
    sessions: int
    examples: tuple[str, ...]


def suggest(decided: Iterable[Decided], *, at_least: int = 3) -> list[Suggestion]:
    """Return what *decided* suggests, the most frequent first.

    Only where the person answered the same way each time, and at least so often. What protects the
    guard itself, and rules of one's own, are left out: the latter are one's own to change.
    """
    grouped: dict[QuestionPattern, list[Decided]] = defaultdict(list)
    for one in decided:
        if one.rule in BY_ID and not one.rule.startswith("self."):
            grouped[_shape(one)].append(one)
    found = [
        _suggestion(shape, asked)
        for shape, asked in grouped.items()
        if len(asked) >= at_least and len({one.approved for one in asked}) == 1
    ]
    return sorted(found, key=lambda one: (-one.times, one.shape.rule, one.shape.program))


def as_toml(suggestions: Sequence[Suggestion]) -> str:
    """Return the rules, ready to paste, each with what it rests on."""
    return "\n".join("\n".join(_lines(one)) + "\n" for one in suggestions)


def _suggestion(shape: QuestionPattern, asked: Sequence[Decided]) -> Suggestion:
    examples = dict.fromkeys(one.command or json.dumps(dict(one.input)) for one in asked)
    return Suggestion(
        shape=shape,
        verdict="allow" if asked[0].approved else "deny",
        times=len(asked),
        sessions=len({one.session for one in asked}),
        examples=tuple(" ".join(one.split())[:100] for one in list(examples)[:_SHOWN]),
    )


def _shape(one: Decided) -> QuestionPattern:
    if not one.command:
        return QuestionPattern(one.rule, tool=one.tool)
    world = StillWorld(cwd=one.project or "/project", project=one.project or "/project")
    pack = BY_ID[one.rule].pack
    settings = GuardSettings(packs=(pack,) if pack else (), rules={one.rule: "ask"})
    call = _objected(one.rule, examine(one.command, world, settings=settings))
    if call is None or not call.program:
        return QuestionPattern(one.rule, tool=one.tool)
    return QuestionPattern(one.rule, program=call.program, subcommand=_verb(call))


def _verb(call: Call) -> str:
    """Return the subcommand where the program has such, not the name of a file."""
    if call.program in _OPERANDS or not _WORD.fullmatch(call.subcommand):
        return ""
    return call.subcommand


def _objected(rule: str, judgement: Judgement) -> Call | None:
    """Return the call that *rule* objected to, or the only one there is."""
    for objection in judgement.objections:
        if objection.rule == rule:
            inside = [
                call
                for call in judgement.calls
                if call.span.start <= objection.span.start < max(call.span.end, 1)
            ]
            return inside[-1] if inside else None
    return judgement.calls[0] if len(judgement.calls) == 1 else None


def _lines(one: Suggestion) -> Iterator[str]:
    shape = one.shape
    did = "approved" if one.verdict == "allow" else "turned down"
    where = f"{one.sessions} session{'s' * (one.sessions != 1)}"
    yield f"# {did} {one.times} times in {where}: {'; '.join(one.examples)}"
    yield "[[guard.rule]]"
    name = "-".join(part for part in (did.split()[0], shape.program, shape.subcommand) if part)
    yield f"id = {json.dumps(f'{name}-{shape.rule}'.replace(':', '-'))}"
    yield f"about = {json.dumps(shape.rule)}"
    for key in ("program", "subcommand", "tool"):
        if value := getattr(shape, key):
            yield f"{key} = {json.dumps(value)}"
    yield f"verdict = {json.dumps(one.verdict)}"
