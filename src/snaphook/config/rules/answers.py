"""Answers that are printed in a form which nobody reads."""

import re

from snaphook.config.problems import Notes
from snaphook.config.settings import CommandHook, Dialect

from .scene import beside

_DECISION = re.compile(r"decision\W{1,6}(deny|allow|ask|reject)\b")
_REFUSAL = re.compile(r"(block|den(y|ied)|forbid|not allowed|refus).*\bexit 1\b", re.IGNORECASE)

_UNHEARD = re.compile(r"\b(?:echo|printf)\s[^|;&>\n]*(?:;|&&|\n)\s*exit 2\b")


def an_answer_that_nobody_reads(hook: CommandHook, notes: Notes) -> None:
    """Note JSON that its dialect ignores, and an exit 1 that is meant to block."""
    text, at = hook.command, beside(hook, "command")
    nested = "hookSpecificOutput" in text
    says_json = nested or "permissionDecision" in text
    if hook.dialect is Dialect.WAVE and says_json and not hook.json_output:
        fix = 'Add "jsonOutput": true, or answer with exit 2 and the reason on stderr.'
        notes.error("unread-answer", at, "wave reads no JSON on stdout", fix, tolerable=True)
    elif "permissionDecision" in text and not nested and "snaphook" not in text:
        what = "'permissionDecision' is read only inside 'hookSpecificOutput'"
        fix = 'Print {"hookSpecificOutput": {"hookEventName": …, "permissionDecision": …}}.'
        notes.error("unread-answer", at, what, fix, tolerable=True)
    elif (found := _DECISION.search(text)) and not says_json:
        what = f"a top-level 'decision' is 'block' or 'approve', so '{found[1]}' is ignored"
        notes.error("unread-answer", at, what, "Write 'block'.", tolerable=True)
    elif hook.event in ("PreToolUse", "UserPromptSubmit", "Stop") and _REFUSAL.search(text):
        what = "'exit 1' blocks nothing: only exit 2 does"
        notes.warning("exit-1", at, what, "Write exit 2, with the reason on stderr.")
    elif _UNHEARD.search(text) and ">&2" not in text:
        what = "output before 'exit 2' goes to stdout, which is ignored"
        notes.warning("unread-answer", at, what, "Print the reason to stderr: echo … >&2.")
