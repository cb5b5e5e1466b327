"""Ask every rule about every fact.

RuleContext  ->  Objections
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from snaphook.providers.guard.index import RuleRow, load, rows
from snaphook.providers.guard.judgement import GuardAnswer, Objection
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Call, Effect, Span

if TYPE_CHECKING:
    from snaphook.providers.guard.custom_rules.index import CustomRules
    from snaphook.providers.guard.custom_rules.match import Fit

_ANSWERS = {"warn": GuardAnswer.WARN, "ask": GuardAnswer.ASK, "deny": GuardAnswer.DENY}
_OFF = ("off", "allow")
ANY_PROGRAM = "*"
"""What a rule watches that looks at every call."""
_MOST_WATCHED = 1_000
"""Names whose rules are remembered; a command may name whatever it likes."""

Entry = tuple[Rule, GuardAnswer, str]
"""A rule, what it answers under the settings, and when it is asked."""


def objections(scene: RuleContext) -> tuple[Objection, ...]:
    """Return what the guard's rules, the user's own and the roles object to."""
    found: list[Objection] = []
    settings = scene.settings
    rules = in_force(tuple(sorted(settings.rules.items())), settings.packs)
    own = _own(scene)
    # Written out twice, with nothing called that need not be: it runs for every rule of every fact.
    for call in scene.calls:
        plain = call.sure and not call.stored
        for rule, answer, counts in rules.about(call.program):
            if plain or counts is _ALWAYS or (call.sure and counts is _IN_SCRIPTS):
                span = rule.objects_to(call, scene)
                if span is not None:
                    _object(rule, answer, call, span, scene, own, found)
    for effect in scene.effects:
        call = effect.call
        plain = call.sure and not call.stored
        for rule, answer, counts in rules.about(effect.act):
            if plain or counts is _ALWAYS or (call.sure and counts is _IN_SCRIPTS):
                span = rule.objects_to(effect, scene)
                if span is not None:
                    _object(rule, answer, effect, span, scene, own, found)
    if own is not None:
        found += _of_ones_own(own, scene)
    if settings.roles:
        from snaphook.providers.guard.custom_rules.roles import role_objections

        found += role_objections(scene)
    if settings.mode == "audit":
        return tuple(one if _protects(one.rule) else replace(one, enforced=False) for one in found)
    return tuple(found)


_PLAIN_IN_SCRIPTS = ("delete.", "overwrite.", "move.", "git.", "database.", "system.startup")
"""Rules whose harm is as plain in a script on disk as on the command line."""
_NOT_IN_SCRIPTS = frozenset({"delete.unknown"})
_ALWAYS, _IN_SCRIPTS, _TYPED = "always", "in scripts", "typed"


def _counts(rule: str, answer: GuardAnswer) -> str:
    """Return when *rule* is asked: always, of what surely runs, or only where no script is between.

    What must never happen counts even where it may not run.
    """
    if answer is GuardAnswer.DENY:
        return _ALWAYS
    plain = rule.startswith(_PLAIN_IN_SCRIPTS) and rule not in _NOT_IN_SCRIPTS
    return _IN_SCRIPTS if plain else _TYPED


class InForce:
    """The rules that some settings leave in force, each loaded when what it watches is met."""

    def __init__(self, rows: Iterable[tuple[RuleRow, GuardAnswer]]) -> None:
        self._rows = tuple(rows)
        self._about: dict[str | Act, tuple[Entry, ...]] = {}

    def about(self, watched: str | Act) -> tuple[Entry, ...]:
        """Return the rules that watch a program or an act, in the order in which they are asked."""
        found = self._about.get(watched)
        if found is None:
            found = self._about[watched] = tuple(self._load(watched))
            if len(self._about) > _MOST_WATCHED:
                del self._about[next(iter(self._about))]
        return found

    def _load(self, watched: str | Act) -> Iterator[Entry]:
        if isinstance(watched, Act):
            for row, answer in self._rows:
                if watched.name in row.acts:
                    yield rule_of(row), answer, _counts(row.id, answer)
            return
        for name in (watched, ANY_PROGRAM):
            for row, answer in self._rows:
                if name in row.programs:
                    yield rule_of(row), answer, _counts(row.id, answer)


@lru_cache(maxsize=32)
def in_force(changes: tuple[tuple[str, str], ...], packs: tuple[str, ...] = ()) -> InForce:
    """Return the rules that *changes* leave in force, with their answers."""
    changed = dict(changes)
    return InForce(
        (row, _ANSWERS[changed[row.id] if changed.get(row.id) in _ANSWERS else row.answer])
        for row in rows()
        if changed.get(row.id) not in _OFF
        and (not row.optional or row.id in changed or row.pack in packs)
    )


def rule_of(row: RuleRow) -> Rule:
    """Return the rule that *row* speaks of, its module loaded."""
    module = load(row.module)
    rules: tuple[Rule, ...] = getattr(module, "RULES", None) or (module.RULE,)
    return next(rule for rule in rules if rule.id == row.id)


def _own(scene: RuleContext) -> CustomRules | None:
    """Return the user's own rules; who has none does not load what reads them."""
    if not scene.settings.own:
        return None
    from snaphook.providers.guard.custom_rules.index import own_rules

    return own_rules(scene.settings)


def _object(
    rule: Rule,
    answer: GuardAnswer,
    fact: Call | Effect,
    span: Span,
    scene: RuleContext,
    own: CustomRules | None,
    found: list[Objection],
) -> None:
    """Add what *rule* objects to, unless the settings allow it."""
    if _is_allowed(rule, fact, scene):
        return
    if own is not None and not _protects(rule.id):
        answer = own.changed(rule.id, answer, fact, scene, locked=_is_managed(rule, scene))
    if answer is not GuardAnswer.ALLOW:
        found.append(_objection(rule, fact, span, answer, scene))


def _is_allowed(rule: Rule, fact: Call | Effect, scene: RuleContext) -> bool:
    """Say whether the settings name this very call; what protects the guard itself stays."""
    if not scene.settings.allow or _protects(rule.id) or _is_managed(rule, scene):
        return False
    from snaphook.providers.guard.allowed import names

    return any(names(line, fact) for line in scene.settings.allow)


def _protects(rule: str) -> bool:
    """Say whether *rule* keeps an agent from loosening its own leash: no setting lifts that."""
    return rule.startswith("self.")


def _is_managed(rule: Rule, scene: RuleContext) -> bool:
    """Say whether an administrator's settings fix what *rule* answers."""
    return bool(scene.settings.managed) and rule.id in scene.settings.managed.get("rules", ())


def _objection(
    rule: Rule, fact: Call | Effect, span: Span, answer: GuardAnswer, scene: RuleContext
) -> Objection:
    call = fact if isinstance(fact, Call) else fact.call
    detail = f" ({fact.detail})" if isinstance(fact, Effect) and rule.id == "opaque" else ""
    return Objection(
        rule=rule.id,
        answer=answer,
        what=f"'{_short(str(call))}' {rule.says}{detail}",
        why=rule.why,
        span=span,
        instead=(rule.advise(fact, scene) if rule.advise else "") or rule.instead,
    )


def _of_ones_own(own: CustomRules, scene: RuleContext) -> Iterator[Objection]:
    """Yield what the user's own rules object to."""
    for fit in own.of_tool(scene):
        yield _own_objection(fit, scene.asker.tool, Span(0, len(scene.command)))
    for call in scene.calls:
        for fit in own.of_call(call, scene):
            if call.sure or fit.answer is GuardAnswer.DENY:
                yield _own_objection(fit, str(call), call.span)
    for effect in scene.effects:
        for fit in own.of_effect(effect, scene):
            if effect.call.sure or fit.answer is GuardAnswer.DENY:
                yield _own_objection(fit, str(effect.call), effect.span)


def _own_objection(fit: Fit, text: str, span: Span) -> Objection:
    return Objection(
        rule=fit.rule.id,
        answer=fit.answer,
        what=f"'{_short(text)}' matches the rule '{fit.rule.id}' in the settings",
        why=fit.rule.message or "the settings say so",
        span=span,
        instead=fit.rule.instead,
    )


def _short(text: str, most: int = 120) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]}…"
