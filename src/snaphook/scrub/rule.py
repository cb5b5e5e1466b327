"""One kind of secret: what it is called, which word gives it away, what it looks like.

keyword at a place in a text  ->  the spans of the secrets there

Rules are data. A rule's expression is tried only where one of its keywords stands and its hint fits, so
a text pays for the rules it has to do with, and no expression ever searches. Nothing is compiled until then.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import log2
from typing import TypeAlias

from msgspec import Struct

from .command import end_of_command
from .plausible import is_plausible, is_random, is_scrambled
from .scan import Hint, any_of, at_word

Span: TypeAlias = tuple[int, int]


class SecretRule(Struct, frozen=True, kw_only=True):
    """A kind of secret. The secret is the group that matched, or all of it without groups."""

    id: str
    what: str
    keywords: tuple[str, ...]
    """In lower case. The expression is matched where one begins."""
    regex: str
    hints: tuple[Hint, ...] = ()
    """What must stand at the keyword, if more than the keyword: one of these."""
    entropy: float = 0.0
    """Bits per character that the secret must have at least."""
    lead: int = 0
    """How many characters before the keyword the match may begin."""
    generic: bool = False
    """Known by its name only (``password=…``), so obvious examples and code are passed over."""
    mixed: bool = False
    """The name alone tells little, so the value must look random: letters and digits, or an environment's."""
    scrambled: bool = False
    """Nothing but its looks gives it away: large and small letters and digits in no order."""
    program: str = ""
    """Begins a command, in which every match of the expression counts, not only the first."""

    @property
    def where(self) -> tuple[Hint, ...]:
        """Return what must stand at a place for this rule to be tried there: one of these."""
        return self.hints or (Hint(any_of(self.keywords)),)

    def at(self, text: str, place: int) -> tuple[list[Span], int]:
        """Return the secrets whose keyword stands at *place* of *text*, and how far was looked."""
        found = list(self._found(text, place))
        spans = [span for each in found if (span := self._secret(text, each)) is not None]
        if self.program:
            return spans, self._end(text, place)
        return spans, spans[0][1] if spans else place

    def _found(self, text: str, place: int) -> Iterator[re.Match[str]]:
        expression = compiled(self.regex)
        if self.program:
            begun = compiled(self.program).match(text, place)
            if begun is not None:
                yield from expression.finditer(text, begun.end(), end_of_command(text, begun.end()))
        elif self.lead:
            found = expression.search(text, max(0, place - self.lead), place + _REACH)
            if found is not None and found.start() <= place:
                yield found
        elif (found := expression.match(text, place)) is not None:
            yield found

    def _end(self, text: str, place: int) -> int:
        begun = compiled(self.program).match(text, place)
        return place if begun is None else end_of_command(text, begun.end())

    def _secret(self, text: str, found: re.Match[str]) -> Span | None:
        start, end = found.span(found.lastindex or 0)
        if self.generic and not is_plausible(text, start, end):
            return None
        if self.scrambled and not is_scrambled(text[start:end]):
            return None
        if self.mixed and not is_random(text, start, end):
            return None
        if self.entropy and entropy(text[start:end]) < self.entropy:
            return None
        return start, end


_REACH = 512
"""How far behind a keyword a rule with a lead looks."""


@lru_cache(maxsize=1024)
def compiled(regex: str) -> re.Pattern[str]:
    """Return *regex* for texts of one character per byte."""
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
        hints=() if keyword else (Hint(at_word(start) + re.escape(start) + _first(rest)),),
        entropy=entropy,
    )


_CLASS = re.compile(r"(\[(?:\\.|[^\]\\])+\]|\\[wd])\{(\d+)[,}]")
_FEW = 6
"""Characters of a token that tell it from a word with the same beginning; more only cost memory."""


def _first(rest: str) -> str:
    """Return what a secret's first characters look like, where *rest* begins with plain characters."""
    found = _CLASS.match(rest)
    return f"{found[1]}{{{min(_FEW, int(found[2]))}}}" if found else ""


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
        hints=(Hint(any_of(keywords), _ASSIGNED + r"[^\s\"'`]{6}"),),
        entropy=entropy,
    )


_ASSIGNED = (
    r"""[\w.\-]{0,40}(?:\\{0,7}["'`\])]){0,2}[ \t]{0,8}"""
    r"""(?:=>|:=|==|=|:|,|[ \t])[ \t]{0,8}(?:\\{0,7}["'`])?"""
)
"""The rest of a name, then what may stand between it and its value in code, settings and flags."""


def pattern(
    id_: str,
    what: str,
    keywords: Iterable[str],
    regex: str,
    *,
    lead: int = 0,
    entropy: float = 0.0,
    hint: str = "",
) -> SecretRule:
    """Return a rule whose expression is written out."""
    return SecretRule(
        id=id_,
        what=what,
        keywords=tuple(keywords),
        regex=regex,
        lead=lead,
        entropy=entropy,
        hints=(Hint(hint),) if hint else (),
    )
