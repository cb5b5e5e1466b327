"""Ask every rule about every fact.

Scene  ->  Objections, strictest first
"""

from __future__ import annotations

from snaphook.providers.guard.facts import Call, Effect, Span
from snaphook.providers.guard.judgement import Answer, Objection
from snaphook.providers.guard.rules.rule import Rule, Scene
from snaphook.providers.guard.rules.table import BY_ACT, BY_PROGRAM

_ANSWERS = {"ask": Answer.ASK, "deny": Answer.DENY}
_OFF = ("off", "allow")


def objections(scene: Scene) -> tuple[Objection, ...]:
    """Return what the rules object to; where two are equally strict, the first in the text."""
    found: list[Objection] = []
    every = BY_PROGRAM.get("*", ())
    for call in scene.calls:
        for rule in (*BY_PROGRAM.get(call.program, ()), *every):
            _ask(rule, call, scene, found)
    for effect in scene.effects:
        for rule in BY_ACT[effect.act]:
            _ask(rule, effect, scene, found)
    if len(found) > 1:
        found.sort(key=lambda one: (-one.answer, one.span))
    return tuple(found)


def _ask(rule: Rule, fact: Call | Effect, scene: Scene, found: list[Objection]) -> None:
    setting = scene.settings.rules.get(rule.id)
    if setting in _OFF or (rule.optional and setting is None):
        return
    answer = _ANSWERS.get(setting or "", rule.answer)
    call = fact if isinstance(fact, Call) else fact.call
    if not call.sure and answer is not Answer.DENY:
        return
    span = rule.objects_to(fact, scene)
    if span is not None:
        found.append(_objection(rule, fact, span, answer))


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
