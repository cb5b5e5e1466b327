"""What a person on call should hear, and the way there.

Alert  ->  the outbox  ->  the notification channels
"""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from snaphook.canon import ErrorOccurred
from snaphook.canon.failures import CLASSES, ErrorClass
from snaphook.config import Environment


class Alert(Struct, frozen=True, kw_only=True):
    """One thing to know; of equal *key* one is enough."""

    title: str
    text: str
    level: str = "error"
    key: str = ""


Alarm: TypeAlias = Callable[[Alert], None]


def silent(_alert: Alert) -> None:
    """Tell nobody."""


def through_outbox(around: Environment) -> Alarm:
    """Return the way over the outbox: kept at once, told when a channel can be reached."""

    def alarm(alert: Alert) -> None:
        from snaphook.notify.deliver import announce
        from snaphook.notify.notice import Notice
        from snaphook.scrub import Scrubber, load_salt
        from snaphook.stores.outbox import Outbox

        scrubber = Scrubber(salt=load_salt(around.data_dir / "salt"))
        text = scrubber.text(alert.text)
        outbox = Outbox.of(around)
        announce(outbox, Notice(event="alert", title=alert.title, text=text), key=alert.key)
        outbox.close()

    return alarm


def opened(model: str, name: ErrorClass, event: ErrorOccurred, threshold: int, now: float) -> Alert:
    """Return the alert for a circuit that has just opened."""
    return Alert(
        title=f"{model} keeps failing",
        text=f"{threshold} failures in a row, the last one {name}: {event.error:.300}",
        key=f"resilience open {model} {now:.0f}",
    )


def recovered(model: str, now: float) -> Alert:
    """Return the good news."""
    return Alert(
        title=f"{model} answers again",
        text="Its circuit is closed.",
        level="info",
        key=f"resilience closed {model} {now:.0f}",
    )


def stopped(model: str, name: ErrorClass, event: ErrorOccurred, now: float) -> Alert:
    """Return the alert for what a person must mend; one an hour is enough."""
    return Alert(
        title=f"{model} cannot be used ({name})",
        text=f"{event.error:.300} {CLASSES[name].fix}",
        key=f"resilience {name} {model} {now // 3600:.0f}",
    )
