"""Replies of hosts that listen to the exit code: 2 and stderr stop, stdout at 0 may be context.

Said  ->  Reply
"""

from .express import Said
from .host import Reply
from .json_reply import refusal


def by_exit_code(said: Said) -> Reply:
    """Return exit 2 with the reason for whatever stops, else the context on stdout.

    The reason is never empty: several of these hosts let a silent exit 2 pass.
    """
    if said.verdict is not None and said.verdict.stops:
        return refusal(said.reason)
    return Reply(stdout=said.context.encode(), stderr=said.note.encode())
