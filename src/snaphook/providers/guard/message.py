"""What the guard says to agent and person when it objects.

Judgement  ->  text
"""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer, Judgement
from snaphook.providers.guard.settings import PROTECTED, GuardSettings

_HEADS = {
    GuardAnswer.ASK: "[Snaphook Guard: confirmation needed]",
    GuardAnswer.DENY: "[Snaphook Guard: blocked]",
    GuardAnswer.WARN: "[Snaphook Guard: warning]",
    GuardAnswer.ALLOW: "[Snaphook Guard: audit]",
}
_HOW = {
    GuardAnswer.ASK: "Approve it to go on, or change the command.",
    GuardAnswer.DENY: (
        "Do not retry it in another spelling, and do not pursue the same goal by other means. "
        "Change the plan, or tell the person what you wanted and why."
    ),
    GuardAnswer.WARN: "It runs all the same.",
    GuardAnswer.ALLOW: "Nothing was stopped: the rule is only watched.",
}


def message(judgement: Judgement, settings: GuardSettings) -> str:
    """Return the whole message: command, reason, protected paths, how to proceed."""
    lines = [_head(judgement), "", f"Command: {_shortened(judgement.command)}"]
    lines += [f"Reason: {one.what}: {one.why} [{one.rule}]" for one in judgement.objections[:3]]
    more = len(judgement.objections) - 3
    if more > 0:
        lines.append(f"(and {more} more; 'snaphook explain' shows all)")
    if settings.protected_paths and (
        settings.protected_paths != PROTECTED or "bb5" in settings.packs
    ):
        lines += ["", "Protected paths:", *(f"- {path}" for path in settings.protected_paths)]
    alternatives = dict.fromkeys(one.instead for one in judgement.objections if one.instead)
    lines += ["", *list(alternatives)[:2], _HOW[judgement.answer]]
    return "\n".join(lines)


def _head(judgement: Judgement) -> str:
    """Return the line that people see first, with what was found and why it matters."""
    head = _HEADS[judgement.answer]
    return f"{head} {judgement.reason}" if judgement.objections else head


def _shortened(command: str, most: int = 500) -> str:
    return command if len(command) <= most else f"{command[:most]}… ({len(command)} characters)"
