"""Personal data in a text: addresses, numbers of telephones, cards and accounts.

IndexedText  ->  Findings

Pure, and linear in the length of the text.
"""

import re
from collections.abc import Callable, Iterator

from .checks import iban_length, is_card, is_iban, is_public_address
from .finding import Finding
from .index import IndexedText, places

_LOCAL = re.compile(r"[A-Za-z0-9._%+\-\x80-\xff]{1,64}\Z")
_DOMAIN = re.compile(r"(?:[A-Za-z0-9\x80-\xff][A-Za-z0-9\-\x80-\xff]{0,62}\.){1,8}[A-Za-z]{2,24}\b")
_NO_ADDRESS = re.compile(r"\d+x\.(?:png|jpe?g|gif|webp|svg|avif)\Z")

_MASK = bytes(48 if 48 <= c < 58 else 32 for c in range(256))
"""Every digit becomes ``0``, everything else a space."""
_FEW = 1000
"""Up to so many runs of digits it is faster to step from one to the next than to search."""
_NUMBERS = re.compile(rb"\d[\d .()\-]{5,}\d")
_AROUND = 2
"""A ``+`` or a bracket may stand before the first digit, and a letter behind the last one."""

_CARD = re.compile(r"(?<![\w.\-])\d(?:[ \-]?\d){12,18}(?![\w\-]|\.\d)")
_SSN = re.compile(r"(?<![\w\-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w\-])")
_IPV4 = re.compile(r"(?<![\w.\-])\d{1,3}(?:\.\d{1,3}){3}(?![\w\-]|\.\d)")
_PHONE = re.compile(
    r"(?<![\w.+\-/=])(?:"
    r"\+[1-9]\d{0,2}(?:[ .\-]?\(?\d{1,5}\)?){2,5}"
    r"|(?:1[ .\-])?(?:\([2-9]\d\d\)[ .\-]?|[2-9]\d\d[.\-])[2-9]\d\d[ .\-]\d{4}"
    r")(?![\w\-]|\.\d)"
)
_IBAN_HEAD = re.compile(rb"[A-Z]{2}\d\d")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}")

_IPV6_HEADS = frozenset(
    head.encode()
    for stem in ("200", "240", "260", "261", "262", "263", "280", "2a0", "2a1", "2c0")
    for last in "0123456789abcdef"
    for head in (stem + last, (stem + last).upper())
)
"""How addresses in public use begin."""
_IPV6 = re.compile(
    r"(?<![\w:.])2[0-9A-Fa-f]{3}:(?:[0-9A-Fa-f]{0,4}:){1,6}[0-9A-Fa-f]{0,4}(?![\w:])"
)


def personal_in(text: IndexedText) -> Iterator[Finding]:
    """Yield every piece of personal data in *text*, overlaps included."""
    if "@" in text.letters:
        yield from _addresses(text.letters)
    mask = text.raw.translate(_MASK)
    runs = mask.split()
    if any(len(run) > 2 for run in runs) or len(runs) > 3:
        spans = _stepping(text.raw, mask) if len(runs) < _FEW else _NUMBERS.finditer(text.raw)
        yield from _numbers(text.letters, spans)
        yield from _accounts(text)


def _addresses(letters: str) -> Iterator[Finding]:
    for at in places("@", letters):
        if letters[at - 1 : at].isspace():
            continue
        local = _LOCAL.search(letters, max(0, at - 64), at)
        domain = _DOMAIN.match(letters, at + 1) if local else None
        if local and domain and not _is_other(local[0], domain, letters):
            yield Finding(local.start(), domain.end(), "email", personal=True)


def _is_other(local: str, domain: re.Match[str], letters: str) -> bool:
    """Say whether this is a picture (``icon@2x.png``) or a repository (``git@host:path``)."""
    remote = local == "git" and letters[domain.end() : domain.end() + 1] in {":", "/"}
    return remote or _NO_ADDRESS.match(domain[0]) is not None


def _stepping(raw: bytes, mask: bytes) -> Iterator[re.Match[bytes]]:
    """Yield what ``_NUMBERS.finditer(raw)`` does, stepping from one run of digits to the next."""
    place = mask.find(b"0")
    while place >= 0:
        found = _NUMBERS.match(raw, place)
        if found:
            yield found
        end = found.end() if found else mask.find(b" ", place)
        place = mask.find(b"0", end) if end >= 0 else -1


def _numbers(letters: str, spans: Iterator[re.Match[bytes]]) -> Iterator[Finding]:
    for span in spans:
        start, end = max(0, span.start() - _AROUND), span.end() + _AROUND
        for kind, expression, holds in _KINDS:
            for found in expression.finditer(letters, start, end):
                if holds(found[0]):
                    yield Finding(*found.span(), kind, personal=True)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("card", _CARD, lambda text: is_card(_digits(text))),
    ("ssn", _SSN, lambda _: True),
    ("ip", _IPV4, is_public_address),
    ("phone", _PHONE, lambda text: 8 <= len(_digits(text)) <= 15),
)


def _accounts(text: IndexedText) -> Iterator[Finding]:
    """Yield account numbers and IPv6 addresses, looked for only where a word begins like one."""
    if _IBAN_HEAD.search(text.raw):
        for word in text.words:
            if word[2:4].isdigit() and iban_length(word[:2].decode()):
                for found in _matches(_IBAN, word.decode(), text.letters):
                    yield from _iban(found)
    for word in _IPV6_HEADS.intersection(text.words):
        for found in _matches(_IPV6, f"{word.decode()}:", text.letters):
            if found[0].count(":") == 7 or "::" in found[0]:
                yield Finding(*found.span(), "ip", personal=True)


def _matches(expression: re.Pattern[str], head: str, letters: str) -> Iterator[re.Match[str]]:
    tried = (expression.match(letters, place) for place in places(head, letters))
    return (found for found in tried if found)


def _iban(found: re.Match[str]) -> Iterator[Finding]:
    """Yield the account number that begins at *found*, which may run on into the next words."""
    wanted, taken = iban_length(found[0][:2]), 0
    for offset, sign in enumerate(found[0]):
        taken += sign != " "
        if taken == wanted:
            if is_iban(found[0][: offset + 1].replace(" ", "")):
                yield Finding(found.start(), found.start() + offset + 1, "iban", personal=True)
            return
