"""Staging everything at once: some teams want to be asked about that."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that stages whatever lies around. Off unless the settings turn it on.

    Asks: git add -A
    Asks: git add .
    Allows: git add src/app.py
    Allows: git add -n .
    """
    if call.subcommand != "add" or call.has("--dry-run"):
        return None
    if call.has("--all") or any(arg.text in (".", ":/") for arg in call.operands[1:]):
        return call.span
    return None


RULE = Rule(
    id="git.add-all",
    answer=GuardAnswer.ASK,
    says="stages every changed file",
    why="secrets and unrelated files may be committed",
    instead="Add files by name.",
    programs=("git",),
    objects_to=objects_to,
    optional=True,
)
