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
    GuardAnswer.ASK: "Approve it to continue, or change the command.",
    GuardAnswer.DENY: (
        "Do not rephrase the command or work around this. Change the plan, or tell the user "
        "what you need and why."
    ),
    GuardAnswer.WARN: "The command runs anyway.",
    GuardAnswer.ALLOW: "Nothing was blocked: audit mode.",
}


def message(judgement: Judgement, settings: GuardSettings) -> str:
    """Return the message: what and why, what to do instead, then the details.

    Hosts show the first line or two, and a model acts on them, so nothing stands before them.
    """
    lines = [_head(judgement), *_stake(judgement), _advice(judgement), ""]
    lines.append(f"Command: {_shortened(judgement.command)}")
    lines += [f"Also: {one.what}: {one.why} [{one.rule}]" for one in judgement.objections[1:3]]
    more = len(judgement.objections) - 3
    if more > 0:
        lines.append(f"({more} more: snaphook explain)")
    if settings.protected_paths and (
        settings.protected_paths != PROTECTED or "bb5" in settings.packs
    ):
        lines += ["", "Protected paths:", *(f"- {path}" for path in settings.protected_paths)]
    return "\n".join(lines)


def _stake(judgement: Judgement) -> list[str]:
    return [f"Affected: it {'; it '.join(judgement.stake)}."] if judgement.stake else []


def _advice(judgement: Judgement) -> str:
    """Return the line with what to do instead, from the first two rules that have an answer."""
    alternatives = dict.fromkeys(one.instead for one in judgement.objections if one.instead)
    return " ".join([*list(alternatives)[:2], _HOW[judgement.answer]])


def _head(judgement: Judgement) -> str:
    """Return the line that people see first: what was found, why it matters, and the rule."""
    head = _HEADS[judgement.answer]
    return f"{head} {judgement.reason} [{judgement.rule}]" if judgement.objections else head


def _shortened(command: str, most: int = 500) -> str:
    return command if len(command) <= most else f"{command[:most]}… ({len(command)} characters)"
