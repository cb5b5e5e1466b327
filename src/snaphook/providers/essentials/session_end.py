"""The session is over: its run is put away, and its agent is at work no more.

SessionEnd  ->  a job 'archive'
"""

from snaphook.canon import SessionEnd

from .desk import Desk
from .holding import beat_mark


def answer(event: SessionEnd, desk: Desk) -> None:
    """Have the run archived in the background."""
    beat_mark(desk).unlink(missing_ok=True)
    if desk.workspace is None or desk.session.identity is None:
        return
    identity = desk.identity
    agent = identity.name
    row = {
        "id": agent,
        "type": identity.agent_type,
        "status": "idle",
        "run_id": identity.run_id,
        "mode": identity.mode,
        "started_at": desk.session.began,
        "stopped_at": desk.now,
    }
    entry = {
        "type": "agent_stop",
        "agent": identity.agent_type,
        "agent_type": identity.agent_type,
        "agent_id": agent,
        "run_id": identity.run_id,
        "task_id": desk.session.task,
        "source": "hook",
        "data": {
            "reason": event.reason,
            "duration_seconds": round(max(0.0, desk.now - desk.session.began)),
            "files_modified": len(desk.session.files),
            "compactions": desk.session.compactions,
        },
    }
    payload = {"run_id": identity.run_id, "agents": [row], "entries": [entry]}
    desk.later("archive", payload, key=f"end:{desk.session_id}:{desk.now}")
