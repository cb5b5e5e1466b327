"""What the guard says to agent and person when it objects.

Judgement  ->  text
"""

from __future__ import annotations

from snaphook.providers.guard.judgement import Answer, Judgement
from snaphook.providers.guard.settings import GuardSettings

_HEADS = {
    Answer.ASK: "[Snaphook Guard: confirmation needed]",
    Answer.DENY: "[Snaphook Guard: blocked]",
    Answer.WARN: "[Snaphook Guard: warning]",
    Answer.ALLOW: "[Snaphook Guard: audit]",
}
_HOW = {
    Answer.ASK: "Approve it to go on, or change the command.",
    Answer.DENY: (
        "Do not retry it in another spelling, and do not pursue the same goal by other means. "
        "Change the plan, or tell the person what you wanted and why."
    ),
    Answer.WARN: "It runs all the same.",
    Answer.ALLOW: "Nothing was stopped: the rule is only watched.",
}


def message(judgement: Judgement, settings: GuardSettings) -> str:
    """Return the whole message: command, reason, protected paths, how to proceed."""
    lines = [_HEADS[judgement.answer], "", f"Command: {_shortened(judgement.command)}"]
    lines += [f"Reason: {one.what}: {one.why} [{one.rule}]" for one in judgement.objections[:3]]
    more = len(judgement.objections) - 3
    if more > 0:
        lines.append(f"(and {more} more; 'snaphook explain' shows all)")
    if settings.protected_paths:
        lines += ["", "Protected paths:", *(f"- {path}" for path in settings.protected_paths)]
    alternatives = dict.fromkeys(one.instead for one in judgement.objections if one.instead)
    lines += ["", *list(alternatives)[:2], _HOW[judgement.answer]]
    return "\n".join(lines)


def _shortened(command: str, most: int = 500) -> str:
    return command if len(command) <= most else f"{command[:most]}… ({len(command)} characters)"
