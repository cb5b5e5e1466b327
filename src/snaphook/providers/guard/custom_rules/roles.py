"""Who may use which tool.

Roles + RuleContext  ->  Objections

A call must be in the list of every role that binds its agent: roles add up, none widens another.
"""

from __future__ import annotations

from collections.abc import Iterator

from snaphook.providers.guard.custom_rules.match import asker_names, like
from snaphook.providers.guard.custom_rules.tables import AgentRole, words
from snaphook.providers.guard.judgement import GuardAnswer, Objection
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Span

_ANSWERS = {"enforce": GuardAnswer.DENY, "warn": GuardAnswer.WARN, "audit": GuardAnswer.DENY}
_HARMLESS_TEXT = """
    cd echo printf true false test [ [[ pwd : set export local return exit read wait umask
"""
_HARMLESS = frozenset(_HARMLESS_TEXT.split())
"""Builtins that do nothing but steer a script."""


def role_objections(scene: RuleContext) -> Iterator[Objection]:
    """Yield what the roles of the asking agent do not let it use."""
    names = asker_names(scene)
    for role in scene.settings.roles:
        if any(like(name, words(role.agents)) for name in names):
            yield from _outside(role, scene)


def _outside(role: AgentRole, scene: RuleContext) -> Iterator[Objection]:
    tools, programs = words(role.tools), words(role.programs)
    tool = scene.asker.tool
    if tools and tool and not like(tool, tools):
        allowed = ", ".join(tools)
        yield _objection(role, f"a {role.name} may not use {tool}", allowed, Span(0, len(tool)))
        return
    for call in scene.calls if programs else ():
        name = call.program or "a program that is known only at run time"
        if name not in _HARMLESS and name != tool and not like(name, programs):
            what = f"a {role.name} may not run {name}"
            yield _objection(role, what, ", ".join(programs), call.span)
            return


def _objection(role: AgentRole, what: str, allowed: str, span: Span) -> Objection:
    return Objection(
        rule=f"role.{role.name}",
        answer=_ANSWERS[role.mode],
        what=what,
        why=role.message or "its role does not include it",
        span=span,
        instead=f"Use what the role allows: {allowed}.",
        enforced=role.mode != "audit",
    )
