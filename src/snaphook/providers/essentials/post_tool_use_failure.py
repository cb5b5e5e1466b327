"""A tool failed: whether it is worth another try, and how.

PostToolUseFailure  ->  advice
"""

import re
from collections.abc import Sequence

from snaphook.canon import PostToolUseFailure, PostToolUseFailureOutput

from .notes import Failed
from .scope import EventScope

ADVICE: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(pattern, re.IGNORECASE), words)
    for pattern, words in (
        (
            r"string to replace not found|old_string|not been read yet|modified since",
            "Read the file again, then make the change against what it holds now.",
        ),
        (
            r"no such file|does not exist|file not found|ENOENT",
            "Do not repeat it: look for the right path first.",
        ),
        (
            r"permission denied|EACCES|operation not permitted",
            "Repeating it will not help. Find out who owns it; do not widen permissions to get through.",
        ),
        (
            r"command not found|: not found$|ModuleNotFoundError|cannot find module",
            "It is not installed here. Look for what the project uses instead.",
        ),
        (
            r"timed out|timeout|ETIMEDOUT|deadline",
            "Try once more with less to do or more time; run long work in the background.",
        ),
        (
            r"connection (?:refused|reset)|ECONN|network|could not resolve|temporary f|\b(?:50[234]|429)\b",
            "This may be temporary. Wait a moment, then retry at most twice.",
        ),
        (
            r"no space left|disk full|ENOSPC",
            "The disk is full. Stop writing and tell the person.",
        ),
        (
            r"lock(?:ed)?\b|resource busy|EBUSY",
            "Another process holds the lock. Wait a moment, then retry; do not remove the lock.",
        ),
        (
            r"syntax error|SyntaxError|unexpected token",
            "Fix the syntax error before you run it again.",
        ),
    )
)
TOO_OFTEN = 3
AGAIN = (
    "This has failed {count} times in the same way. Do not try it again as it is: change the approach, "
    "or write the blocker down and say 'Status: BLOCKED'."
)
_VARIES = re.compile(r"0x[0-9a-f]+|\d+|/\S+")


def answer(event: PostToolUseFailure, scope: EventScope) -> PostToolUseFailureOutput | None:
    """Return advice on the failure of *event*; none where the person interrupted it."""
    if event.is_interrupt:
        return None
    same = _alike(event.error)
    scope.notebook.add(Failed(at=scope.now, tool=event.tool_name, error=same))
    failures = [each for each in scope.session.failures if each.at >= scope.session.prompted]
    count = sum(each.tool == event.tool_name and each.error == same for each in failures)
    if count >= TOO_OFTEN:
        return PostToolUseFailureOutput(additional_context=AGAIN.format(count=count))
    words = next((words for pattern, words in ADVICE if pattern.search(event.error)), "")
    return PostToolUseFailureOutput(additional_context=words) if words else None


def _alike(error: str) -> str:
    """Return what is the same about *error* the next time it happens."""
    return _VARIES.sub("#", " ".join(error.split())[:300])
