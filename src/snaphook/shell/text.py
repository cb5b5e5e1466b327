"""Text that is known in part: a plain string with marks in it.

'rm -rf $X/*'  ->  'rm', '-rf', '<UNKNOWN>/<STAR>'

The marks are private-use characters, so that ordinary string operations carry them along:
one for a run that only the machine can know, three for glob characters that are still active
(a quoted or escaped `*` is just a star). Three more follow the mark of an unknown run and say what is
in it: text of a file of secrets, a variable that holds a key, what a server sent. Input that already
holds such a character is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from snaphook.lazy import regex

UNKNOWN = "\ue000"
STAR = "\ue001"
QUERY = "\ue002"
BRACKET = "\ue003"
SECRET = "\ue004"  # noqa: S105 - a mark
KEY = "\ue005"
FETCHED = "\ue006"

_TO_PLAIN = {ord(STAR): "*", ord(QUERY): "?", ord(BRACKET): "["}
_TO_SHOW = {**_TO_PLAIN, ord(UNKNOWN): "…", ord(SECRET): "", ord(KEY): "", ord(FETCHED): ""}
_TO_GLOB = {ord("*"): STAR, ord("?"): QUERY, ord("["): BRACKET}
_FOREIGN = {ord(mark): UNKNOWN for mark in (UNKNOWN, STAR, QUERY, BRACKET, SECRET, KEY, FETCHED)}
_GLOB = regex(f"[{STAR}{QUERY}{BRACKET}]")
_MARK = regex(f"[{UNKNOWN}{STAR}{QUERY}{BRACKET}{SECRET}{KEY}{FETCHED}]")
_CONTENTS = {ord(SECRET): None, ord(KEY): None, ord(FETCHED): None}


def plain(value: str) -> str:
    """Return *value* with its glob marks spelled as usual."""
    return value if value.isascii() else value.translate(_TO_PLAIN)


def show(value: str) -> str:
    """Return *value* for people: globs as usual, an ellipsis for what is unknown."""
    return value if value.isascii() else value.translate(_TO_SHOW)


def globbed(text: str) -> str:
    """Return *text* with its glob characters marked as active."""
    return text.translate(_TO_GLOB)


def disarmed(text: str) -> str:
    """Return foreign *text* with our own marks in it turned into what they are: unknown."""
    return text if text.isascii() else text.translate(_FOREIGN)


def has_glob(value: str) -> bool:
    """Say whether a glob is still active in *value*."""
    return not value.isascii() and _GLOB.search(value) is not None


def is_known(value: str) -> bool:
    """Say whether *value* is the very text the program will see."""
    return value.isascii() or _MARK.search(value) is None


def is_unknown(value: str) -> bool:
    """Say whether nothing at all is known of *value*, but perhaps that it holds a secret."""
    if value.isascii():
        return False
    return value.translate(_CONTENTS).strip() == UNKNOWN


def with_secrets(value: str, source: str) -> str:
    """Return *value* with the marks of what *source* holds: it was made from it."""
    if source.isascii():
        return value
    for mark in (SECRET, KEY, FETCHED):
        if mark in source and mark not in value:
            value = f"{value if UNKNOWN in value else value + UNKNOWN}{mark}"
    return value


def has_secret(value: str | None) -> bool:
    """Say whether *value* holds what a file of secrets holds."""
    return value is not None and SECRET in value


def may_match(value: str, names: Iterable[str]) -> bool:
    """Say whether the glob *value* would match one of *names*, were they there."""
    shape = (
        re.escape(value.translate(_CONTENTS))
        .replace(STAR, "[^/]*")
        .replace(QUERY, "[^/]")
        .replace(UNKNOWN, ".*")
    )
    if BRACKET in shape:
        shape = re.sub(rf"{BRACKET}.*?\\\]", "[^/]", shape)
    found = re.compile(shape)
    return any(found.fullmatch(name) for name in names)


def known_prefix(value: str) -> str:
    """Return what *value* surely starts with."""
    if value.isascii():
        return value
    found = _MARK.search(value)
    return value[: found.start()] if found else value
