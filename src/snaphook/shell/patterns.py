"""Regular expressions of strangers, matched in linear time.

text  ->  a pattern with ``search``, or a PatternError that says what is not supported

Python's own engine goes back over its steps, and ``(a+)+$`` keeps it busy for minutes. A rule may come
with a repository that nobody approved, so its expressions go to RE2, which reads a text once.
"""

import re
from typing import Protocol

MOST_REPEATS = 3
"""Open-ended repeats that Python's engine may have on a tool's name: its steps are cubic at most."""
_NESTED = re.compile(r"[+*}]\??\)(?:[+*]|\{\d+,\d*\})")
_REPEAT = re.compile(r"(?<!\\)(?:[+*]|\{\d+,\})")


class PatternError(ValueError):
    """An expression that cannot be used, and why."""


class Searches(Protocol):
    """A compiled expression."""

    @property
    def pattern(self) -> str:
        """Return what it was made of."""

    def search(self, text: str) -> object:
        """Return the first match in *text*, or ``None``."""


def linear(text: str) -> Searches:
    """Return the expression *text*, whose matching time grows with the length of what it reads."""
    import re2  # type: ignore[import-untyped, import-not-found, unused-ignore]  # C++; loaded where a rule has one

    options = re2.Options()
    options.log_errors = False
    try:
        found: Searches = re2.compile(text, options)
    except re2.error as bad:
        why = bad.args[0].decode(errors="replace") if isinstance(bad.args[0], bytes) else str(bad)
        raise PatternError(_explained(why)) from bad
    return found


def _explained(why: str) -> str:
    if "perl operator" in why or "invalid escape sequence" in why:
        return f"{why}; look-arounds and back-references are not supported"
    return why


def may_be_slow(text: str) -> bool:
    """Say whether Python's engine may take more than a moment for *text* on a short name."""
    return bool(_NESTED.search(text)) or len(_REPEAT.findall(text)) > MOST_REPEATS
