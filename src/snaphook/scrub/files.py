"""Secrets in a file, told by line and column.

path  ->  SecretMatch, SecretMatch, …
"""

from bisect import bisect_right
from pathlib import Path

from msgspec import Struct

from .scrubber import Scrubber

_SHOWN = 4


class SecretMatch(Struct, frozen=True, kw_only=True):
    """A secret in a file. Lines and columns count from 1; columns count characters."""

    line: int
    column: int
    type: str
    """The id of the rule that found it."""
    preview: str
    """Its first letters, and how long it is; never the secret itself."""


def scan_file_for_secrets(path: str | Path) -> list[SecretMatch]:
    """Return every secret in the file *path*, from top to bottom.

    Bytes that are no UTF-8 are read as what they look like. Errors of the file system are the
    caller's to hear: a file that cannot be read is not a clean one.
    """
    text = Path(path).read_bytes().decode("utf-8", "replace")
    raw = text.encode()
    starts = [0, *(at + 1 for at, byte in enumerate(raw) if byte == 10)]
    matches = []
    for finding in Scrubber(personal=False).find(text):
        line = bisect_right(starts, finding.start)
        column = len(raw[starts[line - 1] : finding.start].decode()) + 1
        preview = _preview(raw[finding.start : finding.end].decode("utf-8", "replace"))
        match = SecretMatch(line=line, column=column, type=finding.kind, preview=preview)
        matches.append(match)
    return matches


def _preview(secret: str) -> str:
    shown = secret[: min(_SHOWN, len(secret) // 4)]
    return f"{shown}… ({len(secret)} characters)"
