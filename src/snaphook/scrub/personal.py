"""Personal data in a text: addresses, numbers of telephones, cards and accounts.

ScannedText  ->  places where something may begin  ->  Findings

Pure, and linear in the length of the text.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

from .checks import iban_length, is_card, is_iban, is_public_address
from .finding import Finding
from .scan import Hint, Scan, ScannedText

_LOCAL = re.compile(r"[A-Za-z0-9._%+\-\x80-\xff]{1,64}\Z")
_DOMAIN = re.compile(r"(?:[A-Za-z0-9\x80-\xff][A-Za-z0-9\-\x80-\xff]{0,62}\.){1,8}[A-Za-z]{2,24}\b")
_NO_ADDRESS = re.compile(r"\d+x\.(?:png|jpe?g|gif|webp|svg|avif)\Z")

_CARD = re.compile(r"(?<![\w.\-])\d(?:[ \-]?\d){12,18}(?![\w\-]|\.\d)")
_SSN = re.compile(r"(?<![\w\-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w\-])")
_IPV4 = re.compile(r"(?<![\w.\-])\d{1,3}(?:\.\d{1,3}){3}(?![\w\-]|\.\d)")
_PHONE = re.compile(
    r"(?<![\w.+\-/=])(?:"
    r"\+[1-9]\d{0,2}(?:[ .\-]?\(?\d{1,5}\)?){2,5}"
    r"|(?:1[ .\-])?(?:\([2-9]\d\d\)[ .\-]?|[2-9]\d\d[.\-])[2-9]\d\d[ .\-]\d{4}"
    r")(?![\w\-]|\.\d)"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}")

_IPV6 = re.compile(
    r"(?<![\w:.])2[0-9A-Fa-f]{3}:(?:[0-9A-Fa-f]{0,4}:){1,6}[0-9A-Fa-f]{0,4}(?![\w:])"
)


_HINTS = (
    r"[A-Za-z0-9._%+\-\x80-\xff]@(?:[A-Za-z0-9\x80-\xff][A-Za-z0-9\-\x80-\xff]*\.)+[A-Za-z]{2}",
    r"\b[2-6](?:[ \-]?\d){12}",
    r"\b\d{3}-\d\d-\d{4}",
    r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d",
    r"\+[1-9]\d{0,2}[ .\-]?\(?\d{1,5}\)?[ .\-]?\(?\d",
    r"(?:\b1[ .\-])?(?:\([2-9]\d\d\)[ .\-]?|\b[2-9]\d\d[.\-])[2-9]\d\d[ .\-]\d{4}",
    r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11}",
    r"\b2[0-9A-Fa-f]{3}:[0-9A-Fa-f]{0,4}:",
)
"""What each kind begins with; the expressions above say the rest, with what may stand around it."""


def personal_in(text: ScannedText) -> Iterator[Finding]:
    """Yield every piece of personal data in *text*, overlaps included."""
    looked: dict[str, int] = {}
    for place in _scan().places(text.raw):
        for kind in _kinds(text.letters[place]):
            find = _FINDERS[kind]
            if place >= looked.get(kind, 0) and (span := find(text.letters, place)) is not None:
                yield Finding(*span, kind.partition(" ")[0], personal=True)
                looked[kind] = span[1]


@cache
def _scan() -> Scan:
    return Scan(map(Hint, _HINTS))


def _address(letters: str, place: int) -> tuple[int, int] | None:
    """Return the address whose ``@`` stands behind *place*."""
    at = place + 1
    if letters[at : at + 1] != "@":
        return None
    local = _LOCAL.search(letters, max(0, at - 64), at)
    domain = _DOMAIN.match(letters, at + 1) if local else None
    if local is None or domain is None or _is_other(local[0], domain, letters):
        return None
    return local.start(), domain.end()


def _is_other(local: str, domain: re.Match[str], letters: str) -> bool:
    """Say whether this is a picture (``icon@2x.png``) or a repository (``git@host:path``)."""
    remote = local == "git" and letters[domain.end() : domain.end() + 1] in {":", "/"}
    return remote or _NO_ADDRESS.match(domain[0]) is not None


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _account(letters: str, place: int) -> tuple[int, int] | None:
    """Return the account number that begins at *place*, which may run on into the next words."""
    found = _IBAN.match(letters, place)
    if found is None:
        return None
    wanted, taken = iban_length(found[0][:2]), 0
    for offset, sign in enumerate(found[0]):
        taken += sign != " "
        if taken == wanted:
            number = found[0][: offset + 1].replace(" ", "")
            return (place, place + offset + 1) if is_iban(number) else None
    return None


def _matching(
    expression: re.Pattern[str], holds: Callable[[str], bool]
) -> Callable[[str, int], tuple[int, int] | None]:
    """Return what finds *expression* at a place, if what it matched *holds*."""

    def find(letters: str, place: int) -> tuple[int, int] | None:
        found = expression.match(letters, place)
        return found.span() if found is not None and holds(found[0]) else None

    return find


def _kinds(sign: str) -> tuple[str, ...]:
    """Return the kinds that may begin with *sign*."""
    if sign.isdigit():
        return _DIGITS
    return ("phone",) if sign in "+(" else ("email", "iban")


_DIGITS = ("card", "ssn", "ip", "phone", "ip of version 6", "email")

_FINDERS: dict[str, Callable[[str, int], tuple[int, int] | None]] = {
    "email": _address,
    "card": _matching(_CARD, lambda text: is_card(_digits(text))),
    "ssn": _matching(_SSN, lambda _: True),
    "ip": _matching(_IPV4, is_public_address),
    "phone": _matching(_PHONE, lambda text: 8 <= len(_digits(text)) <= 15),
    "iban": _account,
    "ip of version 6": _matching(_IPV6, lambda text: text.count(":") == 7 or "::" in text),
}
