"""Which module sends over which channel."""

from importlib import import_module
from typing import Any, Protocol

from snaphook.config import Environment
from snaphook.notify.notice import Notice
from snaphook.notify.settings import (
    AnyChannel,
    CommandChannel,
    Desktop,
    Email,
    Slack,
    Telegram,
    Webhook,
)


class Send(Protocol):
    """How every channel sends: it returns, or raises."""

    def __call__(self, channel: Any, notice: Notice, around: Environment, delivery: str, /) -> None:
        """Send *notice*; *delivery* is the same each time the same one is sent."""


_MODULES: dict[type[AnyChannel], str] = {
    Telegram: "telegram",
    Webhook: "webhook",
    Slack: "slack",
    Email: "mail",
    Desktop: "desktop",
    CommandChannel: "command",
}


def sender(channel: AnyChannel) -> Send:
    """Return who sends over *channel*; imported now."""
    send: Send = import_module(f"{__package__}.{_MODULES[type(channel)]}").send
    return send
