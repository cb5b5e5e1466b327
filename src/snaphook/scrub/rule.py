"""One kind of secret: what it is called, which word gives it away, what it looks like.

keyword at a place in a text  ->  the span of the secret there, or none

Rules are data. A rule's expression is tried only where one of its keywords stands, so a text pays
for the rules it has to do with, and no expression ever searches. Nothing is compiled until then.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from math import log2

from msgspec import Struct

from .plausible import is_plausible


class SecretRule(Struct, frozen=True, kw_only=True):
    """A kind of secret. The secret is the group that matched, or all of it without groups."""

    id: str
    what: str
    keywords: tuple[str, ...]
    """In lower case. The expression is matched where one begins."""
    regex: str
    entropy: float = 0.0
    """Bits per character that the secret must have at least."""
    lead: int = 0
    """How many characters before the keyword the match may begin."""
    generic: bool = False
    """Known by its name only (``password=…``), so obvious examples and code are passed over."""

    def at(self, text: str, place: int) -> tuple[int, int] | None:
        """Return the span of the secret whose keyword stands at *place* of *text*, if one does."""
        expression = _compiled(self.regex)
        if self.lead:
            first = max(0, place - self.lead)
            found = expression.search(text, first, place + _REACH)
            if found is None or found.start() > place:
                return None
        else:
            found = expression.match(text, place)
            if found is None:
                return None
        start, end = found.span(found.lastindex or 0)
        if _in_placeholder(text, start):
            return None
        if self.entropy and entropy(text[start:end]) < self.entropy:
            return None
        if self.generic and not is_plausible(text, start, end):
            return None
        return start, end


_REACH = 512
"""How far behind a keyword a rule with a lead looks."""


_PLACEHOLDER = re.compile(r"\[(?:REDACTED:[\w-]{1,48}|[A-Z][A-Z_-]{1,31}):[0-9a-f]{8}\]")
_PLACEHOLDER_LENGTH = 72


def _in_placeholder(text: str, start: int) -> bool:
    """Say whether a match that begins at *start* begins in what an earlier scrubbing put there.

    Its colons would pass for those of ``user:password``, and scrubbing twice would differ from once.
    """
    first = text.rfind("[", max(0, start - _PLACEHOLDER_LENGTH), start + 1)
    found = _PLACEHOLDER.match(text, first) if first >= 0 else None
    return found is not None and start < found.end()


@lru_cache(maxsize=1024)
def _compiled(regex: str) -> re.Pattern[str]:
    return re.compile(regex, re.ASCII)


def entropy(text: str) -> float:
    """Return the Shannon entropy of *text*, in bits per character."""
    size = len(text)
    if not size:
        return 0.0
    counts = (text.count(letter) for letter in set(text))
    return -sum(count / size * log2(count / size) for count in counts)


def token(
    id_: str, what: str, start: str, rest: str, *, entropy: float = 0.0, keyword: str = ""
) -> SecretRule:
    """Return the rule for a secret that begins with its own mark: *start*, then *rest*."""
    return SecretRule(
        id=id_,
        what=what,
        keywords=((keyword or start).lower(),),
        regex=re.escape(start) + rest,
        entropy=entropy,
    )


def named(id_: str, what: str, names: str, value: str, *, entropy: float = 2.5) -> SecretRule:
    """Return the rule for a secret without a mark, told by the *names* of what it is assigned to.

    ``names`` are separated by spaces; each may be the beginning of a longer name.
    """
    keywords = tuple(names.split())
    spelled = "|".join(re.escape(name) for name in keywords)
    return SecretRule(
        id=id_,
        what=what,
        keywords=keywords,
        regex=f"(?i:{spelled}){_ASSIGNED}({value})(?![A-Za-z0-9_+/-])",
        entropy=entropy,
    )


_ASSIGNED = r"""[\w.\-]{0,40}["'`\])]{0,2}[ \t]{0,8}(?:=>|:=|==|=|:|,|[ \t])[ \t]{0,8}["'`]?"""
"""The rest of a name, then what may stand between it and its value in code, settings and flags."""


def pattern(
    id_: str, what: str, keywords: Iterable[str], regex: str, *, lead: int = 0, entropy: float = 0.0
) -> SecretRule:
    """Return a rule whose expression is written out."""
    return SecretRule(
        id=id_, what=what, keywords=tuple(keywords), regex=regex, lead=lead, entropy=entropy
    )
