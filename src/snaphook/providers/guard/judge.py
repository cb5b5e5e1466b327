"""Ask every rule about every fact.

Scene  ->  Objections, strictest first
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from snaphook.providers.guard.facts import Act, Call, Effect, Span
from snaphook.providers.guard.index import Row, load, rows
from snaphook.providers.guard.judgement import Answer, Objection
from snaphook.providers.guard.rules.rule import Rule, Scene

_ANSWERS = {"ask": Answer.ASK, "deny": Answer.DENY}
_OFF = ("off", "allow")
ANY_PROGRAM = "*"
"""What a rule watches that looks at every call."""
_MOST_WATCHED = 1_000
"""Names whose rules are remembered; a command may name whatever it likes."""

Entry = tuple[Rule, Answer]
"""A rule and what it answers under the settings."""


def objections(scene: Scene) -> tuple[Objection, ...]:
    """Return what the rules object to; where two are equally strict, the first in the text."""
    found: list[Objection] = []
    settings = scene.settings
    rules = in_force(tuple(sorted(settings.rules.items())), settings.packs)
    for call in scene.calls:
        for rule, answer in rules.about(call.program):
            if call.sure or answer is Answer.DENY:
                _ask(rule, answer, call, scene, found)
    for effect in scene.effects:
        for rule, answer in rules.about(effect.act):
            if effect.call.sure or answer is Answer.DENY:
                _ask(rule, answer, effect, scene, found)
    if len(found) > 1:
        found.sort(key=lambda one: (-one.answer, one.span))
    return tuple(found)


class InForce:
    """The rules that some settings leave in force, each loaded when what it watches is met."""

    def __init__(self, rows: Iterable[tuple[Row, Answer]]) -> None:
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
                    yield rule_of(row), answer
            return
        for name in (watched, ANY_PROGRAM):
            for row, answer in self._rows:
                if name in row.programs:
                    yield rule_of(row), answer


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


def rule_of(row: Row) -> Rule:
    """Return the rule that *row* speaks of, its module loaded."""
    module = load("rules", row.module)
    rules: tuple[Rule, ...] = getattr(module, "RULES", None) or (module.RULE,)
    return next(rule for rule in rules if rule.id == row.id)


def _ask(
    rule: Rule, answer: Answer, fact: Call | Effect, scene: Scene, found: list[Objection]
) -> None:
    span = rule.objects_to(fact, scene)
    if span is not None and not _is_allowed(rule, fact, scene):
        found.append(_objection(rule, fact, span, answer))


def _is_allowed(rule: Rule, fact: Call | Effect, scene: Scene) -> bool:
    """Say whether the settings name this very call; what protects the guard itself stays."""
    if not scene.settings.allow or rule.id.startswith("self."):
        return False
    from fnmatch import fnmatchcase

    text = str(fact if isinstance(fact, Call) else fact.call)
    return any(fnmatchcase(text, shape) for shape in scene.settings.allow)


def _objection(rule: Rule, fact: Call | Effect, span: Span, answer: Answer) -> Objection:
    call = fact if isinstance(fact, Call) else fact.call
    detail = f" ({fact.detail})" if isinstance(fact, Effect) and rule.id == "opaque" else ""
    return Objection(
        rule=rule.id,
        answer=answer,
        what=f"'{_short(str(call))}' {rule.says}{detail}",
        why=rule.why,
        span=span,
        instead=rule.instead,
    )


def _short(text: str, most: int = 120) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]}…"
