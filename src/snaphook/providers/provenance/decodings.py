"""What a text says besides its letters: percent-encoding, base64, hex, entities, escapes, spelled-out dots.

text  ->  the same, and what its encoded parts decode to

Pure and linear: each encoding is looked for where its own mark occurs, and decoded once.
"""

import re
from base64 import b64decode
from binascii import Error, unhexlify
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

_PERCENT = re.compile(r"\S{0,400}%[0-9a-fA-F]{2}\S{0,2000}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_HEX = re.compile(r"\b(?:[0-9a-fA-F]{2}){6,}\b")
_ESCAPES = re.compile(r"(?:\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[0-7]{3}){2,}")
_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\([0-7]{3})")
_ENTITY = re.compile(r"\S{0,400}&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]{2,8});\S{0,400}")
_SPELLED = re.compile(
    r"[\w-]+(?:\s*(?:\[|\(|\{|\s)\s*(?:dot|at|slash)\s*(?:\]|\)|\}|\s)\s*[\w-]+)+", re.IGNORECASE
)
_DOT = re.compile(r"\b(?:dot|DOT)\b")
_NEAR = 80
"""Characters around a spelled-out dot in which the rest of the address stands."""
_SPELLING = re.compile(r"\s*[\[({\s]\s*(dot|at|slash)\s*[\])}\s]\s*", re.IGNORECASE)
_SIGNS = {"dot": ".", "at": "@", "slash": "/"}
_CHARCODES = re.compile(r"(?:\d{2,3}\s*,\s*){5,}\d{2,3}")
MOST = 200
"""Encoded parts of one text that are decoded; a page of pictures in base64 has thousands."""
_DEPTH = 2
"""An encoding inside an encoding is followed once."""


def decoded(text: str) -> str:
    """Return what the encoded parts of *text* decode to, one per line; empty where there are none."""
    return "\n".join(_decoded(text, _DEPTH))


def _decoded(text: str, depth: int) -> Iterator[str]:
    for found in (*_once(text),):
        yield found
        if depth > 1:
            yield from _decoded(found, depth - 1)


def _once(text: str) -> Iterator[str]:
    if "%" in text:
        yield from _each(_PERCENT, text, unquote)
    if "&" in text:
        yield from _each(_ENTITY, text, unescape)
    if "\\" in text:
        yield from _each(_ESCAPES, text, _unescaped)
    if "," in text:
        yield from _each(_CHARCODES, text, _from_codes)
    yield from _each(_BASE64, text, _from_base64)
    yield from _each(_HEX, text, _from_hex)
    if "dot" in text or "DOT" in text:
        for _, found in zip(range(MOST), _DOT.finditer(text), strict=False):
            near = text[max(0, found.start() - _NEAR) : found.end() + _NEAR]
            yield from _each(_SPELLED, near, _signed)


def _each(shape: re.Pattern[str], text: str, decode: object) -> Iterator[str]:
    assert callable(decode)
    for _, found in zip(range(MOST), shape.finditer(text), strict=False):
        told = decode(found[0])
        if told and told != found[0]:
            yield told


def _from_base64(token: str) -> str:
    bare = token.rstrip("=")
    if (
        len(bare) % 4 == 1
        or bare.isdigit()
        or (bare.islower() and "-" not in bare and len(bare) < 40)
    ):
        return ""  # a word, a number, a path: not an encoding
    try:
        raw = b64decode(bare.replace("-", "+").replace("_", "/") + "=" * (-len(bare) % 4))
    except (Error, ValueError):
        return ""
    return _printable(raw)


def _from_hex(token: str) -> str:
    try:
        return _printable(unhexlify(token))
    except (Error, ValueError):
        return ""


def _from_codes(token: str) -> str:
    codes = [int(code) for code in token.split(",")]
    return _printable(bytes(codes)) if all(code < 256 for code in codes) else ""


def _printable(raw: bytes) -> str:
    """Return *raw* as text, or nothing where it is no text."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    return (
        text
        if len(text) > 3 and all(sign.isprintable() or sign in "\n\t\r" for sign in text)
        else ""
    )


def _unescaped(token: str) -> str:
    return _ESCAPE.sub(
        lambda one: chr(int(one[1] or one[2] or "0", 16) or int(one[3] or "0", 8)), token
    )


def _signed(token: str) -> str:
    return _SPELLING.sub(lambda one: _SIGNS[one[1].lower()], token)
