"""Whether a rule of one's own fits a fact.

CustomRule + RuleContext + Call or Effect  ->  yes or no

Every condition that is given must hold. What takes time to read (expressions, globs, hours) is read
when it is first needed: of a thousand rules a command meets a handful.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cached_property

from snaphook.errors import ConfigError
from snaphook.providers.guard.custom_rules.paths import PathGlob, shape
from snaphook.providers.guard.custom_rules.statements import statements
from snaphook.providers.guard.custom_rules.tables import FREE, STRICT, CustomRule, words
from snaphook.providers.guard.custom_rules.time import Hours
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import given, readings
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.patterns import PatternError, Searches, linear

ACTS: dict[str, tuple[Act, ...]] = {
    "reads": (Act.READ,),
    "writes": (Act.WRITE, Act.OVERWRITE, Act.APPEND, Act.LINK, Act.PERMIT, Act.OWN, Act.MOVE),
    "deletes": (Act.DELETE, Act.MOVE),
    "sends": (Act.SEND,),
    "fetches": (Act.FETCH,),
    "drops": (Act.DROP,),
    "empties": (Act.EMPTY,),
    "rewrites": (Act.REWRITE,),
    "grants": (Act.GRANT,),
}
TOUCHES = (*ACTS["reads"], *ACTS["writes"], *ACTS["deletes"], Act.SEND)
"""What counts where `paths` are given and `does` is not."""
_DATA = (Act.DROP, Act.EMPTY, Act.REWRITE, Act.GRANT)
ANSWERS = {
    "allow": GuardAnswer.ALLOW,
    "warn": GuardAnswer.WARN,
    "ask": GuardAnswer.ASK,
    "deny": GuardAnswer.DENY,
}


def like(text: str, shapes: Iterable[str]) -> bool:
    """Say whether *text* is one of *shapes*, which may be globs."""
    return any(text == one or fnmatchcase(text, one) for one in shapes)


def asker_names(scene: RuleContext) -> set[str]:
    """Return what the asking agent is called: its type, its name, the role of its session."""
    asker = scene.asker
    return {name for name in (scene.agent, asker.agent_name, asker.role.name) if name}


class Fit:
    """One rule, ready to be held against facts."""

    def __init__(self, rule: CustomRule) -> None:
        self.rule = rule
        self.answer = ANSWERS[rule.verdict]
        self.programs = words(rule.program)
        self.subcommands = tuple(tuple(one.split()) for one in words(rule.subcommand))
        self.tools = words(rule.tool)
        self.about = words(rule.about)
        self.of_call = bool(
            rule.program or rule.subcommand or rule.flags or rule.without or rule.args
        )
        self.of_effect = bool(
            rule.paths or rule.does or rule.sql or rule.tables or rule.unless_read
        )
        self.acts = frozenset(self._acts())
        self._who = bool(
            rule.tool or rule.input or rule.agent or rule.host or rule.project
            or rule.days or rule.hours or rule.unless_ran
        )  # fmt: skip
        self._shapes: dict[tuple[str, str], tuple[PathGlob, ...]] = {}

    def _acts(self) -> Iterable[Act]:
        rule = self.rule
        if rule.sql or (rule.tables and not rule.does):
            yield Act.CODE
        if rule.tables and not rule.sql and not rule.does:
            yield from _DATA
        if (rule.paths or rule.unless_read) and not rule.does:
            yield from ACTS["writes"] if rule.unless_read else TOUCHES
        for one in rule.does:
            yield from ACTS[one]

    # --- the scene -------------------------------------------------------------------------

    def scene(self, scene: RuleContext) -> bool:
        """Say whether who asks, where and when are as the rule says."""
        return not self._who or self._circumstances(scene)

    def _circumstances(self, scene: RuleContext) -> bool:
        rule, asker = self.rule, scene.asker
        if self.tools and not like(asker.tool, self.tools):
            return False
        if rule.agent and not any(like(name, words(rule.agent)) for name in asker_names(scene)):
            return False
        if rule.host and not like(asker.host, words(rule.host)):
            return False
        if rule.project and not self._here(scene):
            return False
        if (rule.days or rule.hours) and not self._hours.hold(asker.time):
            return False
        if not all(
            isinstance(value := asker.input.get(name), str) and shape.search(value)
            for name, shape in self._input.items()
        ):
            return False
        return not (rule.unless_ran and scene.memory.has_run(words(rule.unless_ran)))

    def _here(self, scene: RuleContext) -> bool:
        project, home = scene.world.project, scene.world.home
        bare = project.rpartition("/")[2]
        for one in words(self.rule.project):
            if "/" not in one and one != "~":
                if fnmatchcase(bare, one):
                    return True
            elif shape(one, project="", home=home).surely(project):
                return True
        return False

    # --- facts -----------------------------------------------------------------------------

    def call(self, call: Call) -> bool:
        """Say whether *call* is the one the rule speaks of."""
        if self.programs and not like(call.program, self.programs):
            return False
        if self.subcommands and not any(
            self._begins(operands) for operands in ([a.text for a in r] for r in readings(call))
        ):
            return False
        rule = self.rule
        if rule.flags and not any(given(call, one) for one in words(rule.flags)):
            return False
        if rule.without and any(given(call, one) for one in words(rule.without)):
            return False
        if rule.args:
            text = " ".join(map(str, call.args))
            return any(one.search(text) for one in self._args)
        return True

    def _begins(self, operands: list[str]) -> bool:
        return any(
            len(operands) >= len(wanted)
            and all(
                have == want or fnmatchcase(have, want)
                for have, want in zip(operands, wanted, strict=False)
            )
            for wanted in self.subcommands
        )

    def effect(self, effect: Effect, scene: RuleContext) -> bool:
        """Say whether *effect* is what the rule speaks of."""
        if effect.act not in self.acts or (self.of_call and not self.call(effect.call)):
            return False
        rule = self.rule
        if effect.act is Act.CODE:
            return effect.language == "sql" and self._states(effect.detail)
        if rule.tables and not self._names_table(effect.path):
            return False
        if rule.paths and not self._touches(effect, scene):
            return False
        return not rule.unless_read or self._unread(effect, scene)

    def _states(self, text: str) -> bool:
        kinds, tables = words(self.rule.sql), words(self.rule.tables)
        return any(
            (not kinds or one.kind in kinds)
            and (not tables or any(like(name, tables) for name in one.tables))
            for one in statements(text)
        )

    def _names_table(self, path: str) -> bool:
        names = re.findall(r"[\w.]+", path.lower())
        return any(like(name, words(self.rule.tables)) for name in names)

    def _touches(self, effect: Effect, scene: RuleContext) -> bool:
        path = effect.path
        shapes = self.shapes(scene.world.project, scene.world.home)
        if self.answer is GuardAnswer.ALLOW:
            return any(one.surely(path) for one in shapes)
        return any(
            one.perhaps(path, recursive=effect.recursive, world=scene.world) for one in shapes
        )

    def _unread(self, effect: Effect, scene: RuleContext) -> bool:
        """Say whether the file is there and this session has not seen what is in it."""
        path = effect.path
        return scene.world.kind(path) is not None and not scene.memory.has_read(path)

    # --- what is read once -----------------------------------------------------------------

    def shapes(self, project: str, home: str) -> tuple[PathGlob, ...]:
        """Return the rule's globs as they stand in *project*."""
        known = self._shapes.get((project, home))
        if known is None:
            try:
                known = tuple(
                    shape(one, project=project, home=home) for one in words(self.rule.paths)
                )
            except (ValueError, re.error) as bad:
                raise self._unusable("paths", bad) from bad
            self._shapes[project, home] = known
        return known

    @cached_property
    def _args(self) -> tuple[Searches, ...]:
        return self._expressions("args", words(self.rule.args))

    @cached_property
    def _input(self) -> dict[str, Searches]:
        names = tuple(self.rule.input)
        shapes = self._expressions("input", tuple(self.rule.input.values()))
        return dict(zip(names, shapes, strict=True))

    def _expressions(self, key: str, texts: tuple[str, ...]) -> tuple[Searches, ...]:
        try:
            return tuple(linear(text) for text in texts)
        except PatternError as bad:
            raise self._unusable(key, bad) from bad

    @cached_property
    def _hours(self) -> Hours:
        rule = self.rule
        try:
            return Hours(rule.days, rule.hours, rule.timezone)
        except ValueError as bad:
            raise self._unusable("hours", bad) from bad

    def _unusable(self, key: str, bad: Exception) -> ConfigError:
        return ConfigError(
            where=f"guard rule '{self.rule.id}': {key}",
            what=str(bad),
            fix="Run 'snaphook check'.",
        )

    # --- what it comes to ------------------------------------------------------------------

    def instead_of(self, answer: GuardAnswer, *, locked: bool) -> GuardAnswer:
        """Return what an objection of *answer* becomes; where it is *locked*, nothing milder."""
        if self.rule.standing == STRICT or (locked and self.rule.standing == FREE):
            return max(answer, self.answer)
        return self.answer
