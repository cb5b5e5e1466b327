"""Points in time, as the files spell them.

seconds since 1970  <->  '2026-02-01T16:01:00.000Z'
"""

import re
from datetime import UTC, datetime

_ZONE = re.compile(r"([+-]\d\d)(\d\d)$")


def spelled(moment: float) -> str:
    """Return *moment* as the files have it: UTC, to the millisecond."""
    told = datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
    return told.replace("+00:00", "Z")


def instant(text: str) -> float | None:
    """Return the moment that *text* spells, in any of the ways found in the wild; or ``None``.

    A time without a zone is taken for UTC.
    """
    try:
        moment = datetime.fromisoformat(_ZONE.sub(r"\1:\2", text.strip()))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
