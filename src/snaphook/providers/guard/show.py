"""A judgement as people and as programs read it.

Judgement  ->  text, or a JSON value
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from snaphook.printable import printable, printable_line
from snaphook.providers.guard.judgement import GuardAnswer, Judgement, Objection
from snaphook.shell.facts import Act, Call, Effect, origins
from snaphook.shell.text import show

if TYPE_CHECKING:
    from snaphook.providers.guard.provider import GuardPreview

_VERDICTS = {
    GuardAnswer.ALLOW: "allowed",
    GuardAnswer.WARN: "allowed, with a warning",
    GuardAnswer.ASK: "needs confirmation",
    GuardAnswer.DENY: "blocked",
}


def as_text(judgement: Judgement) -> str:
    """Return the verdict, the marked command, what was understood, and every objection."""
    lines = [f"{judgement.answer.name.lower()}: {_VERDICTS[judgement.answer]}"]
    if judgement.would > judgement.answer:
        lines[0] += f"; enforced, it would be: {judgement.would.name.lower()}"
    for objection in judgement.objections:
        lines += ["", *_objection(objection, judgement.command)]
    if judgement.stake:
        lines += ["", "affected:", *(f"  {printable_line(one)}" for one in judgement.stake)]
    if not judgement.objections:
        lines += ["", "  " + printable(judgement.command).replace("\n", "\n  ")]
    if judgement.calls:
        lines += [
            "",
            "understood as:",
            *(f"  {printable_line(_call(call))}" for call in judgement.calls),
        ]
    if judgement.effects:
        lines += [
            "",
            "which:",
            *(f"  {printable_line(_effect(effect))}" for effect in judgement.effects),
        ]
    if unknown := judgement.unknown:
        lines += ["", "not understood:", *(f"  {printable_line(one.what)}" for one in unknown)]
    return "\n".join(lines)


def preview_as_text(preview: GuardPreview) -> str:
    """Return the same with what becomes of it: a snapshot, or the sandbox, may let the call go on."""
    text = as_text(preview.judgement)
    if preview.left is preview.judgement:
        return text
    left = preview.left
    how = (
        "what would be lost is kept first ('snaphook undo' brings it back)"
        if preview.snapshot
        else "it runs in the sandbox"
    )
    first = f"{left.answer.name.lower()}: {_VERDICTS[left.answer]}: {how}"
    return "\n".join(
        [first, "", "the rules alone say:", *(f"  {line}" for line in text.split("\n"))]
    )


def preview_as_json(preview: GuardPreview) -> dict[str, Any]:
    """Return what the guard would say, and of the objections which would be lifted."""
    found = as_json(preview.judgement)
    left = {(one.rule, one.span) for one in preview.left.objections}
    for one, shown in zip(preview.judgement.objections, found["objections"], strict=True):
        shown["lifted"] = (one.rule, one.span) not in left
    return {
        **found,
        "verdict": preview.left.answer.name.lower(),
        "would": preview.left.would.name.lower(),
        "rule": preview.left.rule,
        "reason": preview.left.reason,
        "snapshot": preview.snapshot,
        "confined": preview.confined,
    }


def _objection(objection: Objection, command: str) -> list[str]:
    lines = [*_marked(command, objection), f"  {objection.rule} ({objection.answer.name.lower()})"]
    lines.append(printable_line(f"  {objection.what}: {objection.why}."))
    if objection.instead:
        lines.append(printable_line(f"  {objection.instead}"))
    return lines


def _marked(command: str, objection: Objection) -> list[str]:
    """Return the line of *command* that holds the objection, and a line that marks the place."""
    start, end = objection.span
    begin = command.rfind("\n", 0, start) + 1
    newline = command.find("\n", start)
    finish = newline if newline >= 0 else len(command)
    window = max(begin, start - 60)
    line = command[window : min(finish, start + 100)]
    marked = command[start : max(start + 1, min(end, finish, start + 100))]
    before = printable_line(command[window:start])
    width = max(1, len(printable_line(marked)))
    return [f"  {printable_line(line)}", f"  {' ' * len(before)}{'^' * width}"]


def _call(call: Call) -> str:
    """Return one line: indented by depth, with what it runs through."""
    notes = []
    if call.via:
        notes.append(f"via {' > '.join(call.via)}")
    if call.root:
        notes.append("as root")
    if call.remote:
        notes.append(f"in {call.remote}")
    notes.append(f"at {show(call.cwd)}")
    return f"{'  ' * (call.depth - 1)}{call}   [{', '.join(notes)}]"


def _effect(effect: Effect) -> str:
    what = show(effect.path) or effect.detail or effect.language
    if effect.act is Act.CODE:
        what = f"in {effect.language}: {effect.detail[:60]!r}"
    how = " with all beneath it" if effect.recursive else ""
    return f"{effect.act.value} {what}{how}"


def as_json(judgement: Judgement) -> dict[str, Any]:
    """Return the judgement as a JSON value; spans count characters of the command."""
    return {
        "command": judgement.command,
        "verdict": judgement.answer.name.lower(),
        "would": judgement.would.name.lower(),
        "rule": judgement.rule,
        "reason": judgement.reason,
        "objections": [
            {
                "rule": one.rule,
                "verdict": one.answer.name.lower(),
                "what": one.what,
                "why": one.why,
                "instead": one.instead,
                "span": list(one.span),
            }
            for one in judgement.objections
        ],
        "stake": list(judgement.stake),
        "calls": [_call_json(call) for call in judgement.calls],
        "effects": [_effect_json(effect) for effect in judgement.effects],
        "understood": judgement.understood,
        "unknown": [
            {
                "gap": one.gap.name.lower(),
                "what": one.what,
                "program": one.program,
                "path": show(one.path),
                "span": list(one.span),
            }
            for one in judgement.unknown
        ],
    }


def _call_json(call: Call) -> dict[str, Any]:
    return {
        "program": call.program,
        "args": [show(arg.value) for arg in call.args],
        "options": [
            [name, None if value is None else show(value.value)]
            for name, value in call.options.given
        ],
        "operands": [
            {
                "text": show(arg.value),
                "known": arg.known,
                "origin": origins(arg.origin),
            }
            for arg in call.operands
        ],
        "cwd": show(call.cwd),
        "env": {name: show(value) for name, value in call.env.items()},
        "via": list(call.via),
        "root": call.root,
        "remote": call.remote,
        "span": list(call.span),
    }


def _effect_json(effect: Effect) -> dict[str, Any]:
    return {
        "act": effect.act.name.lower(),
        "program": effect.call.program,
        "path": show(effect.path),
        "recursive": effect.recursive,
        "language": effect.language,
        "detail": show(effect.detail)[:200],
        "span": list(effect.span),
    }
