"""A message that is too long to be held: its two ends, and whose it is.

the first and the last bytes of a line  ->  OversizedMessage

Whoever waits for the answer hears that it is too long; a proxy that ended would leave everybody waiting.
"""

import re

from msgspec import Struct

from .message import Id

EDGE = 4096
"""Bytes kept at either end: only ``params``, ``result`` or ``error`` is long, and the id is beside it."""
_ID = rb"""(-?\d{1,18}|"[^"\\]{0,200}")"""
_VERSION = rb"""\s*"jsonrpc"\s*:\s*"2\.0"\s*"""
_METHOD = rb"""\s*"method"\s*:\s*"[^"\\]{0,200}"\s*"""
_SHORT = rb"(?:(?:" + _VERSION + rb"|" + _METHOD + rb"),)*"
_FIRST = re.compile(rb"""\s*\{""" + _SHORT + rb"""\s*"id"\s*:\s*""" + _ID + rb"""\s*,""")
_LAST = re.compile(
    rb"""[}\]"\d],"""
    + _SHORT
    + rb"""\s*"id"\s*:\s*"""
    + _ID
    + rb"""\s*(?:,"""
    + _VERSION
    + rb"""|,"""
    + _METHOD
    + rb""")*\}\s*\Z"""
)


class OversizedMessage(Struct, frozen=True, kw_only=True):
    """A message of which nothing is known but its id, and that only where it is at an end of the line."""

    id: Id | None
    bytes: int


def oversized(edges: bytes, size: int) -> OversizedMessage:
    """Return what stands for a line of *size* bytes whose first and last ones are *edges*."""
    found = _FIRST.match(edges) or _LAST.search(edges)
    if found is None:
        return OversizedMessage(id=None, bytes=size)
    text = found[1].decode("utf-8", "replace")
    return OversizedMessage(id=text[1:-1] if text.startswith('"') else int(text), bytes=size)
