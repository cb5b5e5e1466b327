"""The session is over: its run is put away, and its agent is at work no more.

SessionEnd  ->  a job 'archive'
"""

from snaphook.canon import SessionEnd

from .holding import beat_mark
from .scope import EventScope


def answer(event: SessionEnd, scope: EventScope) -> None:
    """Have the run archived in the background."""
    beat_mark(scope).unlink(missing_ok=True)
    if scope.workspace is None or scope.session.identity is None:
        return
    identity = scope.identity
    agent = identity.name
    row = {
        "id": agent,
        "type": identity.agent_type,
        "status": "idle",
        "run_id": identity.run_id,
        "mode": identity.mode,
        "started_at": scope.session.began,
        "stopped_at": scope.now,
    }
    entry = {
        "type": "agent_stop",
        "agent": identity.agent_type,
        "agent_type": identity.agent_type,
        "agent_id": agent,
        "run_id": identity.run_id,
        "task_id": scope.session.task,
        "source": "hook",
        "data": {
            "reason": event.reason,
            "duration_seconds": round(max(0.0, scope.now - scope.session.began)),
            "files_modified": len(scope.session.files),
            "compactions": scope.session.compactions,
        },
    }
    payload = {"run_id": identity.run_id, "agents": [row], "entries": [entry]}
    scope.later("archive", payload, key=f"end:{scope.session_id}:{scope.now}")
