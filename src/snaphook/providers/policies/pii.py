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
        return _without_addresses(result, {})


def _without_addresses(value: Any, made: dict[int, Any]) -> Any:
    """Return *value* scrubbed; *made* holds what became of the containers seen before."""
    if isinstance(value, str):
        return _redacted(value) if "@" in value else value
    if id(value) in made:
        return made[id(value)]
    if isinstance(value, Mapping):
        table = made[id(value)] = {}
        table.update((key, _without_addresses(item, made)) for key, item in value.items())
        return table
    if isinstance(value, list | tuple):
        items = made[id(value)] = []
        items.extend(_without_addresses(item, made) for item in value)
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
