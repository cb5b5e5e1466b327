"""Replies of hosts that listen to the exit code: 2 and stderr stop, stdout at 0 may be context.

HostDecision  ->  Reply
"""

from .host import Reply
from .json_reply import refusal
from .tighten import HostDecision


def by_exit_code(decision: HostDecision) -> Reply:
    """Return exit 2 with the reason for whatever stops, else the context on stdout.

    The reason is never empty: several of these hosts let a silent exit 2 pass.
    """
    if decision.verdict is not None and decision.verdict.stops:
        return refusal(decision.reason)
    return Reply(stdout=decision.context.encode(), stderr=decision.note.encode())
