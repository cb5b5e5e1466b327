"""Personal data out of results.

"mail ada@example.org"  ->  "mail [EMAIL:3fa9c1d2]"    (compatible: "mail [EMAIL_REDACTED]")

Strict mode leaves this to ``snaphook.scrub``, which knows more kinds, and looks into keys too. What
is here finds e-mail addresses in values, as Squad does, but never follows a cycle twice.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_DOMAIN = re.compile(r"[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}")
_NOT_LOCAL = re.compile(r"[^a-zA-Z0-9._%+-]")
_REDACTED = "[EMAIL_REDACTED]"


class CompatiblePii:
    """E-mail addresses go, everything else stays."""

    def scrub(self, result: Any) -> Any:
        """Return *result* without e-mail addresses; the same object where there are none."""
        walk = _Walk()
        scrubbed = walk.visit(result)
        return scrubbed if walk.changed else result


class _Walk:
    """One way through a nested value; containers seen before become what they became then."""

    def __init__(self) -> None:
        self.changed = False
        self._made: dict[int, Any] = {}

    def visit(self, value: Any) -> Any:
        if isinstance(value, str):
            scrubbed = _redacted(value) if "@" in value else value
            self.changed = self.changed or scrubbed != value
            return scrubbed
        if id(value) in self._made:
            return self._made[id(value)]
        if isinstance(value, Mapping):
            table = self._made[id(value)] = {}
            table.update((key, self.visit(item)) for key, item in value.items())
            return table
        if isinstance(value, list | tuple):
            items = self._made[id(value)] = []
            items.extend(self.visit(item) for item in value)
            return items
        return value


def _redacted(text: str) -> str:
    """Return *text* with each address replaced.

    One step per ``@`` instead of one per letter: Squad's expression takes quadratic time on a long
    word, and finds the same.
    """
    kept: list[str] = []
    end = 0
    for start, stop in _addresses(text):
        kept += (text[end:start], _REDACTED)
        end = stop
    return "".join((*kept, text[end:]))


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    end = at = 0
    while (at := text.find("@", at)) >= 0:
        local = _NOT_LOCAL.split(text[end:at])[-1]
        domain = _DOMAIN.match(text, at + 1) if local else None
        if domain:
            yield at - len(local), domain.end()
            end = domain.end()
        at += 1
