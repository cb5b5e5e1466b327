"""Ask every rule about every fact.

Scene  ->  Objections, strictest first
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache

from snaphook.providers.guard.facts import Act, Call, Effect, Span
from snaphook.providers.guard.judgement import Answer, Objection
from snaphook.providers.guard.rules.rule import Rule, Scene
from snaphook.providers.guard.rules.table import RULES

_ANSWERS = {"ask": Answer.ASK, "deny": Answer.DENY}
_OFF = ("off", "allow")

Entry = tuple[Rule, Answer]
"""A rule and what it answers under the settings."""


def objections(scene: Scene) -> tuple[Objection, ...]:
    """Return what the rules object to; where two are equally strict, the first in the text."""
    found: list[Objection] = []
    settings = scene.settings
    by_program, by_act = in_force(tuple(sorted(settings.rules.items())), settings.packs)
    every = by_program.get("*", ())
    for call in scene.calls:
        for rule, answer in (*by_program.get(call.program, ()), *every):
            if call.sure or answer is Answer.DENY:
                _ask(rule, answer, call, scene, found)
    for effect in scene.effects:
        for rule, answer in by_act[effect.act]:
            if effect.call.sure or answer is Answer.DENY:
                _ask(rule, answer, effect, scene, found)
    if len(found) > 1:
        found.sort(key=lambda one: (-one.answer, one.span))
    return tuple(found)


Sorted = tuple[Mapping[str, tuple[Entry, ...]], Mapping[Act, tuple[Entry, ...]]]


@lru_cache(maxsize=32)
def in_force(changes: tuple[tuple[str, str], ...], packs: tuple[str, ...] = ()) -> Sorted:
    """Return the rules that *changes* leave in force, with their answers, by what they watch."""
    changed = dict(changes)
    entries = [
        (rule, _ANSWERS.get(changed.get(rule.id, ""), rule.answer))
        for rule in RULES
        if changed.get(rule.id) not in _OFF
        and (not rule.optional or rule.id in changed or rule.pack in packs)
    ]
    names = {name for rule, _ in entries for name in rule.programs}
    return (
        {name: tuple(one for one in entries if name in one[0].programs) for name in names},
        {act: tuple(one for one in entries if act in one[0].acts) for act in Act},
    )


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
