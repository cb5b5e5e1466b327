"""The way of a request to be retained: kept at once, done when there is time.

RetainRequest  ->  the outbox
"""

import msgspec

from snaphook.config import Environment

from .request import Keep, RetainRequest


def through_outbox(around: Environment) -> Keep:
    """Return the way over the outbox of *around*."""

    def keep(request: RetainRequest, key: str) -> None:
        from snaphook.stores.outbox import Outbox

        outbox = Outbox.of(around)
        outbox.put("retain", msgspec.to_builtins(request), key=key)
        outbox.close()

    return keep
