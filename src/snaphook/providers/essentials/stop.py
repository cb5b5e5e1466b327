"""The agent stops: everything that follows is put into the outbox, and nobody is kept.

Stop  ->  a job 'finish'        nothing is said, nothing is blocked
"""

import os
import zlib

import msgspec
from msgspec import Struct

from snaphook.canon import Stop

from .detect import Identity
from .scope import EventScope

LONGEST = 64_000
"""Characters kept of the last message; the rest is in the transcript."""


class StopFacts(Struct, frozen=True, kw_only=True):
    """What the work after a stop needs to know."""

    session: str
    root: str = ""
    """The project's folder."""
    identity: Identity
    at: float
    began: float
    prompted: float
    transcript: str = ""
    message: str = ""
    seconds: float | None = None
    """The session's length as its host counts it."""


def answer(event: Stop, scope: EventScope) -> None:
    """Have the work after the end done in the background."""
    session = scope.session
    ended = StopFacts(
        session=scope.session_id,
        root=event.context.team_root or str(scope.cwd),
        identity=scope.identity,
        at=scope.now,
        began=session.began or scope.now,
        prompted=session.prompted or session.began or scope.now,
        transcript=event.context.transcript_path or "",
        seconds=event.duration_seconds,
        message=(event.last_assistant_message or "")[-LONGEST:],
    )
    scope.later("finish", msgspec.to_builtins(ended), key=_key(event, ended))


def _key(event: Stop, ended: StopFacts) -> str:
    """Return what is the same when one stop is heard twice, and another when the agent went on."""
    turn = event.context.turn_id or f"{ended.at:.3f}"
    try:
        grown = os.stat(ended.transcript).st_size if ended.transcript else 0  # noqa: PTH116
    except OSError:
        grown = 0
    return f"finish:{ended.session}:{turn}:{zlib.crc32(ended.message.encode()):08x}:{grown}"
