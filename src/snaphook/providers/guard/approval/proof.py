"""Prove that a call is harmless, or say what is missing for a proof.

Judgement + World + level  ->  Proof

A proof needs all of it: the guard objects to nothing, every part is understood, every program is one
that is known to do only what the level allows, with these words, and every effect is in the level's
set. A failure on the way is no proof.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from snaphook.providers.guard.approval import running, steering
from snaphook.providers.guard.approval.calls import CallRules
from snaphook.providers.guard.approval.places import Places
from snaphook.providers.guard.approval.python_code import prove_python
from snaphook.providers.guard.judgement import Judgement
from snaphook.providers.guard.path_classes import PathClasses
from snaphook.shell.facts import Act, Effect, Span
from snaphook.shell.gaps import Gap, Unknown
from snaphook.shell.paths import resolve

READ_ONLY = "read-only"
PROJECT = "project"


class Proof(Struct, frozen=True, kw_only=True):
    """Whether a call is approved, under which level, and why; *reason* is a phrase, not a sentence."""

    approved: bool
    reason: str
    level: str = ""


class _Wanted(Struct, frozen=True, kw_only=True):
    """What a proof may rest on."""

    unknown: tuple[Unknown, ...]
    """Told once, for both levels."""
    in_project: bool = False
    never: tuple[str, ...] = ()
    files: bool = False
    confined: bool = False


class _NotProved(Exception):  # noqa: N818 - not an error: it carries the missing part out of the walk
    """What is missing for a proof."""


def prove(
    judgement: Judgement,
    classes: PathClasses,
    *,
    level: str,
    trusted: bool,
    never: tuple[str, ...] = (),
    files: bool = False,
    confined: bool = False,
) -> Proof:
    """Return the proof for a judged call, the milder level first: what only reads says so.

    *files*: the call is one of a file tool. *confined*: what nobody has read runs in a sandbox that
    cannot send.
    """
    if level not in (READ_ONLY, PROJECT):
        return Proof(approved=False, reason="automatic approval is off ([approve] level)")
    if judgement.objections:
        return Proof(approved=False, reason=f"the guard objects ({judgement.rule})")
    if not judgement.calls:
        return Proof(approved=False, reason="the guard does not know what it does")
    unknown = () if files else judgement.unknown
    what = _Wanted(unknown=unknown, never=never, files=files)
    missing = _missing(judgement, classes, what)
    if not missing:
        why = (
            "every effect is understood, and none writes, sends, runs unknown code or reads secrets"
        )
        return Proof(approved=True, reason=why, level=READ_ONLY)
    if level == PROJECT and (trusted or confined):
        what = replace(what, in_project=trusted, confined=confined)
        missing = _missing(judgement, classes, what)
        if not missing:
            return Proof(approved=True, reason=_WHY[confined], level=PROJECT)
    if level == PROJECT and not trusted:
        missing += "; this project's code is not trusted (approve.projects)"
    return Proof(approved=False, reason=missing)


_WHY = {
    False: "it only reads, writes, builds, tests or formats inside this trusted project",
    True: "what is not proved runs in the sandbox, which cannot write elsewhere or send",
}


def _missing(judgement: Judgement, classes: PathClasses, wanted: _Wanted) -> str:
    """Return what keeps *judgement* from being proved: the first thing found."""
    try:
        spans = _check_unknown(wanted.unknown, wanted)
        steering.check(judgement.assigned, judgement.calls, classes, in_project=wanted.in_project)
        steering.check_shown(judgement.command)
        rules = CallRules(
            judgement.calls,
            Places(classes),
            in_project=wanted.in_project,
            never=wanted.never,
            effects=judgement.effects,
            confined=spans,
        )
        for call in () if wanted.files else judgement.calls:
            if told := rules.refuses(call):
                return told
        _check_effects(judgement.effects, rules)
    except (_NotProved, steering.Steered) as found:
        return str(found)
    return ""


_CONFINED_GAPS = frozenset({Gap.PROJECT, Gap.PACKAGE, Gap.UNREAD, Gap.PROGRAM})


def _check_unknown(unknowns: Iterable[Unknown], wanted: _Wanted) -> frozenset[Span] | None:
    """Raise for what is not understood; return the places that the sandbox takes care of."""
    confined: set[Span] = set()
    for unknown in unknowns:
        if wanted.confined and unknown.gap in _CONFINED_GAPS:
            confined.add(unknown.span)
        elif not wanted.in_project or not _is_named(unknown):
            raise _NotProved(unknown.what)
    return frozenset(confined) if wanted.confined else None


def _is_named(unknown: Unknown) -> bool:
    """Say whether the program is a tool of the project's, whose task is asked of the call by name."""
    if unknown.gap is Gap.PROJECT:
        return True
    if unknown.gap is Gap.PACKAGE:
        return unknown.program in running.LOCAL
    return unknown.gap is Gap.PROGRAM and unknown.program in running.RUNNERS


def _check_effects(effects: Iterable[Effect], rules: CallRules) -> None:
    for effect in effects:
        if told := _refused(effect, rules):
            raise _NotProved(told)


def _refused(effect: Effect, rules: CallRules) -> str:
    """Return why *effect* is not in the set of the level."""
    places = rules.places
    match effect.act:
        case Act.READ:
            return places.unreadable(effect.path, whole=effect.recursive)
        case Act.ENTER:
            return ""
        case Act.CODE:
            return _code(effect, rules)
        case Act.OVERWRITE | Act.APPEND | Act.WRITE if rules.in_project:
            return places.unwritable(effect.path)
        case Act.PERMIT if rules.in_project and not effect.recursive:
            return places.unwritable(effect.path)
    return f"{effect.act.value} {effect.path or effect.detail[:60]}".strip()


_PROJECT_LANGUAGES = frozenset({"make", "scripts", "just", "taskfile", "import"})


def _code(effect: Effect, rules: CallRules) -> str:
    """Return why code of another language is not proved: only Python can be."""
    if effect.language in _PROJECT_LANGUAGES and rules.in_project:
        return ""  # its commands are calls of their own, and the task was asked about
    if effect.language in ("sed", "awk", "jq", "sh", "bash"):
        return ""  # their tables look at the text
    if rules.is_confined(effect.call):
        return ""
    if effect.language != "python":
        return f"runs {effect.language or 'code'} that cannot be proved harmless"
    proof = prove_python(effect.detail, trusted=rules.in_project)
    if proof.reason:
        return proof.reason
    cwd = effect.call.cwd
    for path in proof.reads:
        if told := rules.places.unreadable(_absolute(path, cwd, rules)):
            return told
    for path in proof.writes:
        if told := rules.places.unwritable(_absolute(path, cwd, rules)):
            return told
    return ""


def _absolute(path: str, cwd: str, rules: CallRules) -> str:
    if path == "~" or path.startswith("~/"):
        path = rules.places.home + path[1:]
    return resolve(path, cwd)
