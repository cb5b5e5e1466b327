"""The agent stops: everything that follows is put into the outbox, and nobody is kept.

Stop  ->  a job 'finish'        nothing is said, nothing is blocked
"""

import msgspec
from msgspec import Struct

from snaphook.canon import Stop

from .desk import Desk
from .detect import Identity

LONGEST = 64_000
"""Characters kept of the last message; the rest is in the transcript."""


class Ended(Struct, frozen=True, kw_only=True):
    """What the work after a stop needs to know."""

    session: str
    identity: Identity
    at: float
    began: float
    prompted: float
    transcript: str = ""
    message: str = ""


def answer(event: Stop, desk: Desk) -> None:
    """Have the work after the end done in the background."""
    session = desk.session
    ended = Ended(
        session=desk.session_id,
        identity=desk.identity,
        at=desk.now,
        began=session.began or desk.now,
        prompted=session.prompted or session.began or desk.now,
        transcript=event.context.transcript_path or "",
        message=(event.last_assistant_message or "")[-LONGEST:],
    )
    turn = event.context.turn_id or f"{desk.now:.3f}"
    desk.later("finish", msgspec.to_builtins(ended), key=f"finish:{desk.session_id}:{turn}")
