"""Whether an agent says that it is done.

what it said + RESULTS.md  ->  Completion | None

A marker counts on a line of its own, outside code and quotations: an agent that talks about
PROMISE_COMPLETE has not promised anything. Pure.
"""

import re
from enum import StrEnum

from msgspec import Struct

_CODE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)|`[^`\n]*`")
_QUOTED = re.compile(r"(?m)^[ \t]*>.*$")
_PROMISE = re.compile(r"(?m)^[ \t*_<>/\w-]{0,12}?\bPROMISE_COMPLETE\b[ \t*_.!<>/\w-]{0,12}$")
_STATUS = re.compile(
    r"(?mi)^[ \t>*_#-]*status[ \t*_]*:[ \t*_]*(complete|completed|done|partial|blocked)\b"
)
_TASK = re.compile(r"(?mi)^[ \t*_#-]*task(?:[ _]id)?[ \t*_]*:[ \t*_`]*([A-Z][\w.-]*-[\w.-]*\w)")
_SHARE = re.compile(r"(?mi)^[ \t*_#-]*completion[ \t*_]*:[ \t*_]*(\d{1,3})[ \t]*%")
_REASON = re.compile(
    r"(?mi)^[ \t*_#-]*(?:blocker|blocked by|blocked reason|reason)[ \t*_]*:[ \t*_]*(\S.*?)[ \t*_]*$"
)


class CompletionStatus(StrEnum):
    """How far an agent says it got."""

    COMPLETE = "COMPLETE"
    PARTIAL = "PARTIAL"
    BLOCKED = "BLOCKED"


class Completion(Struct, frozen=True, kw_only=True):
    """What the agent says of its task."""

    status: CompletionStatus
    task_id: str = ""
    """Where it names one."""
    reason: str = ""
    """Why it is blocked."""


def completion(said: str, results: str = "") -> Completion | None:
    """Return what *said* and the run's *results* tell of the end; ``None`` if nothing.

    Where they disagree, the less complete counts: nothing is completed by half a word.
    """
    spoken, written = prose(said), prose(results)
    found = [status for text in (spoken, written) if (status := _status(text)) is not None]
    if not found:
        return None
    worst = max(found, key=list(CompletionStatus).index)
    both = f"{spoken}\n{written}"
    task, why = _TASK.search(both), _REASON.search(both)
    return Completion(
        status=worst,
        task_id=task[1] if task else "",
        reason=why[1][:500] if why and worst is CompletionStatus.BLOCKED else "",
    )


def prose(text: str) -> str:
    """Return *text* without code and quotations."""
    return _QUOTED.sub("", _CODE.sub("", text))


def _status(text: str) -> CompletionStatus | None:
    share = _SHARE.search(text)
    unfinished = share is not None and int(share[1]) < 100
    if stated := [found[1].upper() for found in _STATUS.finditer(text)]:
        last = stated[-1]
        if last in ("PARTIAL", "BLOCKED"):
            return CompletionStatus(last)
        return CompletionStatus.PARTIAL if unfinished else CompletionStatus.COMPLETE
    if _PROMISE.search(text):
        return CompletionStatus.PARTIAL if unfinished else CompletionStatus.COMPLETE
    return None
