"""The host tells the person something: so do our channels.

Notification  ->  Notice  ->  the outbox
"""

from msgspec import to_builtins

from snaphook.canon import Notification
from snaphook.notify.notice import Notice

from .scope import EventScope


def answer(event: Notification, scope: EventScope) -> None:
    """Pass on what the host says."""
    identity = scope.identity
    notice = Notice(
        event="notification",
        title=event.title or "Your agent needs your attention",
        text=event.message,
        facts={
            "": {
                "Agent": identity.agent_type,
                "Project": identity.project,
                "Kind": event.notification_type,
                "Folder": str(scope.cwd),
            }
        },
        made=scope.now,
    )
    scope.later(
        "notify",
        to_builtins(notice),
        key=f"said:{scope.session_id}:{scope.now}:{event.message[:80]}",
    )
