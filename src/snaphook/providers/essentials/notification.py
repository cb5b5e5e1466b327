"""The host tells the person something: so do our channels.

Notification  ->  Notice  ->  the outbox
"""

from msgspec import to_builtins

from snaphook.canon import Notification
from snaphook.notify.notice import Notice

from .desk import Desk


def answer(event: Notification, desk: Desk) -> None:
    """Pass on what the host says."""
    identity = desk.identity
    notice = Notice(
        event="notification",
        title=event.title or "Your agent has something to say",
        text=event.message,
        facts={
            "": {
                "Agent": identity.agent_type,
                "Project": identity.project,
                "Kind": event.notification_type,
                "Folder": str(desk.cwd),
            }
        },
        made=desk.now,
    )
    desk.later(
        "notify", to_builtins(notice), key=f"said:{desk.session_id}:{desk.now}:{event.message[:80]}"
    )
