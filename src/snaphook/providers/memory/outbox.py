"""The way of a request to be retained: kept at once, done when there is time.

Request  ->  the outbox
"""

import msgspec

from snaphook.config import Surroundings

from .request import Keep, Request


def through_outbox(around: Surroundings) -> Keep:
    """Return the way over the outbox of *around*."""

    def keep(request: Request, key: str) -> None:
        from snaphook.stores.outbox import Outbox

        outbox = Outbox.of(around)
        outbox.put("retain", msgspec.to_builtins(request), key=key)
        outbox.close()

    return keep
