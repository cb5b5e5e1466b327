"""How long a vendor asks us to wait, in whichever of their ways they say it.

headers + words  ->  milliseconds | None

Pure, given the time it is.
"""

import re
from collections.abc import Mapping
from contextlib import suppress

_UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_UNIT = r"(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|h|days?|d)(?![a-z])"
_TIME = rf"((?:\d+(?:\.\d+)?\s*{_UNIT}\s*)+)"
_WORDS = re.compile(
    r"(?:try again in|retry (?:after|in)|retrydelay\W{1,4}|please wait|wait for)\s*" + _TIME,
    re.IGNORECASE,
)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|milli|[smhd])", re.IGNORECASE)


def retry_after_ms(headers: Mapping[str, str], words: str = "", *, now: float) -> int | None:
    """Return the wait that *headers* ask for, or else *words*; never less than nothing."""
    named = {name.lower(): value for name, value in headers.items()}
    with suppress(KeyError, ValueError):
        return max(0, round(float(named["retry-after-ms"])))
    if "retry-after" in named:
        return _header(named["retry-after"], now)
    found = _WORDS.search(words)
    return round(sum(_parts(found[1]))) if found else None


def _header(value: str, now: float) -> int | None:
    """Return what ``Retry-After`` says: seconds, or a date."""
    from email.utils import parsedate_to_datetime

    with suppress(ValueError):
        return max(0, round(float(value) * 1000))
    with suppress(ValueError, TypeError):
        return max(0, round((parsedate_to_datetime(value).timestamp() - now) * 1000))
    return None


def _parts(text: str) -> list[float]:
    return [
        float(number) * _UNITS["ms" if unit.lower().startswith("mi") else unit.lower()]
        for number, unit in _PART.findall(text)
    ]
