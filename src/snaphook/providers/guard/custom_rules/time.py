"""When a rule counts.

days, hours, timezone + a moment  ->  yes or no

Pure: the moment comes from the event. Hours may pass midnight: `22:00-06:00`.
"""

from __future__ import annotations

import re
from datetime import datetime, tzinfo

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOURS = re.compile(r"(\d{1,2})(?::(\d\d))?-(\d{1,2})(?::(\d\d))?")


def minutes(hours: str) -> tuple[int, int]:
    """Return the minutes of the day that *hours* spans; ValueError says what is wrong."""
    found = _HOURS.fullmatch(hours.replace(" ", ""))
    if not found:
        raise ValueError(f"invalid hours '{hours}'")
    start, end = (int(found[at]) * 60 + int(found[at + 1] or 0) for at in (1, 3))
    if start > 1440 or end > 1440:
        raise ValueError(f"'{hours}' goes beyond 24:00")
    return start, end


def zone(name: str) -> tzinfo | None:
    """Return the time zone *name*, or nothing for the machine's own; ValueError for no zone."""
    if not name:
        return None
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"unknown time zone '{name}'") from None


def day(name: str) -> int:
    """Return the number of the weekday *name*; ValueError where it is none."""
    short = name.lower()[:3]
    if short not in DAYS:
        raise ValueError(f"unknown day '{name}'")
    return DAYS.index(short)


class Hours:
    """The hours of a rule, read once."""

    __slots__ = ("_days", "_span", "_zone")

    def __init__(self, days: tuple[str, ...], hours: str, timezone: str) -> None:
        self._days = frozenset(map(day, days))
        self._span = minutes(hours) if hours else None
        self._zone = zone(timezone)

    def hold(self, moment: float) -> bool:
        """Say whether they hold at *moment*, in seconds since the epoch."""
        there = datetime.fromtimestamp(moment, self._zone)
        weekday = there.weekday()
        if self._span:
            start, end = self._span
            now = there.hour * 60 + there.minute
            if start <= end:
                if not start <= now < end:
                    return False
            elif end <= now < start:
                return False
            elif now < end:  # the small hours belong to the evening before
                weekday = (weekday - 1) % 7
        return not self._days or weekday in self._days
