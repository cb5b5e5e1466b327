"""The scrubber: any value in, the same without what must not be kept or sent.

text | bytes | nested values  ->  the same, with placeholders
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from .finding import Finding, apart
from .personal import personal_in
from .placeholder import around_placeholders, placeholder, process_salt
from .scan import ScannedText
from .secrets import secrets_in

T = TypeVar("T")

_DEEP = 200
"""Deeper than this nothing is looked at, and nothing is let through."""
SECRET_REACH = 20_480
"""Characters that the longest secret has: a private key in PEM form, as its rule reads it."""
_ROUNDS = 8
"""Times a text is scrubbed at most. Texts made of any four secrets needed three."""
TOO_DEEP = "[NESTED TOO DEEPLY]"


class Scrubber:
    """Takes secrets and personal data out of values. It keeps nothing it has seen.

    *allow* lists values that may stay: exact texts, or ``/regular expressions/`` that must match
    the whole value. With the same *salt* the same value always becomes the same placeholder.
    """

    def __init__(
        self,
        *,
        secrets: bool = True,
        personal: bool = True,
        allow: Iterable[str] = (),
        salt: bytes | None = None,
    ) -> None:
        self._secrets = secrets
        self._personal = personal
        self._allow = _allowed(tuple(allow))
        self._salt = salt or process_salt()

    def find(self, text: str) -> list[Finding]:
        """Return what *text* must not show, from left to right; places count bytes of its UTF-8."""
        return list(self._find(_raw(text)))

    def text(self, text: str) -> str:
        """Return *text* scrubbed; the same object where there is nothing to scrub."""
        raw = _raw(text)
        scrubbed = self.raw(raw)
        return text if scrubbed is raw else _text(scrubbed)

    def start_of(self, text: str, most: int, name: str = "") -> str:
        """Return the first *most* characters of *text* scrubbed, as its whole; it is called *name*.

        What follows is looked at as well, as far as a secret may reach: cut first, the part of a
        secret before the cut would fit no rule and stay.
        """
        if len(text) <= most:
            return self.assigned(name, text) if name else self.text(text)
        raw, limit = _raw(text[: most + SECRET_REACH]), len(_raw(text[:most]))
        findings = [each for each in self._found(raw, name) if each.start < limit]
        end = max(limit, findings[-1].end) if findings else limit
        kept = self._scrubbed(self._replaced(raw[:end], findings), name)
        return f"{_text(kept)}… [+{len(text) - most} characters]"

    def raw(self, raw: bytes) -> bytes:
        """Return *raw* scrubbed, whatever its encoding as long as it contains ASCII."""
        return self._scrubbed(raw, "")

    def assigned(self, name: str, value: str) -> str:
        """Return *value* scrubbed, knowing that it is called *name*."""
        raw = _raw(value)
        scrubbed = self._scrubbed(raw, name)
        return value if scrubbed is raw else _text(scrubbed)

    def _scrubbed(self, raw: bytes, name: str) -> bytes:
        """Return *raw* without anything that scrubbing it again would find.

        A placeholder is shorter or longer than what it replaces and has other neighbours, so that a
        rule may now fit which did not before. Each round replaces some of what is not yet a
        placeholder, so this ends; a text with nothing to hide takes one.
        """
        for _ in range(_ROUNDS):
            findings = self._found(raw, name)
            if not findings:
                return raw
            raw = self._replaced(raw, findings)
        return raw

    def _found(self, raw: bytes, name: str) -> list[Finding]:
        """Return what *raw* must not show, knowing that it is called *name*, if anything."""
        if not name:
            return list(self._find(raw))
        before = _raw(f'{name}="')
        shift, size = len(before), len(raw)
        return [
            replace(each, start=max(0, each.start - shift), end=min(size, each.end - shift))
            for each in self._find(before + raw + b'"')
            if each.end > shift and each.start < shift + size
        ]

    def scrub(self, value: T, *, most: int = 0) -> T:
        """Return *value* scrubbed: texts, bytes, and whatever is nested in containers, keys too.

        The same object where there is nothing to scrub. Cycles stay cycles. Of each text *most*
        characters are kept, if given.
        """
        walk = _Walk(self, most)
        scrubbed = walk.visit(value, 0)
        return scrubbed if walk.changed else value

    def _find(self, raw: bytes) -> Iterator[Finding]:
        text = ScannedText(raw)
        secrets = list(self._kept(secrets_in(text), raw)) if self._secrets else []
        personal = list(self._kept(personal_in(text), raw)) if self._personal else []
        if not secrets and not personal:
            return iter(())
        return around_placeholders(apart(secrets, personal), raw)

    def _kept(self, findings: Iterator[Finding], raw: bytes) -> Iterator[Finding]:
        if self._allow is None:
            return findings
        return (each for each in findings if not self._allows(raw[each.start : each.end]))

    def _allows(self, value: bytes) -> bool:
        return self._allow is not None and self._allow.fullmatch(_text(value)) is not None

    def _replaced(self, raw: bytes, findings: list[Finding]) -> bytes:
        kept: list[bytes] = []
        end = 0
        for each in findings:
            mark = placeholder(each, raw[each.start : each.end], self._salt)
            kept += (raw[end : each.start], mark.encode())
            end = each.end
        return b"".join((*kept, raw[end:]))


def _allowed(allow: tuple[str, ...]) -> re.Pattern[str] | None:
    if not allow:
        return None
    parts = [
        entry[1:-1] if len(entry) > 2 and entry[0] == entry[-1] == "/" else re.escape(entry)
        for entry in allow
    ]
    return re.compile("|".join(f"(?:{part})" for part in parts))


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")


class _Walk:
    """One way through a nested value."""

    def __init__(self, scrubber: Scrubber, most: int) -> None:
        self.changed = False
        self._scrubber = scrubber
        self._most = most
        self._made: dict[int, Any] = {}

    def visit(self, value: Any, depth: int) -> Any:
        match value:
            case str():
                return self._noted(value, self._text(value))
            case bytes() | bytearray():
                return self._noted(value, type(value)(self._scrubber.raw(bytes(value))))
            case Mapping() | list() | tuple() | set() | frozenset():
                return self._container(value, depth)
            case _:
                return value

    def _noted(self, before: T, after: T) -> T:
        self.changed = self.changed or after != before
        return after

    def _container(self, value: Any, depth: int) -> Any:
        if id(value) in self._made:
            return self._made[id(value)]
        if depth >= _DEEP:
            self.changed = True
            return TOO_DEEP
        if isinstance(value, Mapping):
            table: dict[Any, Any] = {}
            self._made[id(value)] = table
            for key, item in value.items():
                table[self.visit(key, depth + 1)] = self._item(key, item, depth + 1)
            return table
        if isinstance(value, list):
            items: list[Any] = []
            self._made[id(value)] = items
            items.extend(self.visit(item, depth + 1) for item in value)
            return items
        inside = [self.visit(item, depth + 1) for item in value]
        return type(value)(inside) if type(value) in {tuple, set, frozenset} else tuple(inside)

    def _item(self, key: Any, item: Any, depth: int) -> Any:
        if isinstance(key, str) and isinstance(item, str) and len(key) <= _NAME:
            return self._noted(item, self._text(item, key))
        return self.visit(item, depth)

    def _text(self, text: str, name: str = "") -> str:
        if self._most:
            return self._scrubber.start_of(text, self._most, name)
        return self._scrubber.assigned(name, text) if name else self._scrubber.text(text)


_NAME = 128
"""A key longer than this is no name."""
