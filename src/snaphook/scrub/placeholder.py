"""What stands in the place of something scrubbed: its kind, and a mark that is always the same.

("email", b"ada@example.org")  ->  "[EMAIL:3fa9c1d2]"

The mark is a keyed hash. Whoever has the logs can see that two lines speak of the same person;
only whoever has the salt could check a guess at who it is.
"""

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

from msgspec.structs import replace

from snaphook.errors import StoreError
from snaphook.storage.files import create, move
from snaphook.storage.folders import make_private

from .finding import Finding

_SALT_BYTES = 32


def placeholder(finding: Finding, value: bytes, salt: bytes) -> str:
    """Return what *value* is replaced with."""
    mark = blake2b(value, key=salt, digest_size=4).hexdigest()
    if finding.personal:
        return f"[{finding.kind.upper()}:{mark}]"
    return f"[REDACTED:{finding.kind}:{mark}]"


_PLACEHOLDER = re.compile(rb"\[(?:REDACTED:[\w-]{1,48}|[A-Z][A-Z_-]{1,31}):[0-9a-f]{8}\]")


def around_placeholders(findings: Iterable[Finding], raw: bytes) -> Iterator[Finding]:
    """Yield those of *findings* that are more than what an earlier scrubbing put into *raw*.

    One that begins within a placeholder is none: its colons pass for those of ``user:password``. One
    that ends within it takes all of it.
    """
    spans = [found.span() for found in _PLACEHOLDER.finditer(raw)]
    at, reached = 0, 0
    for finding in findings:
        while at < len(spans) and spans[at][1] <= finding.start:
            at += 1
        end, last = finding.end, at
        while last < len(spans) and spans[last][0] < end:
            end, last = max(end, spans[last][1]), last + 1
        within = at < len(spans) and spans[at][0] <= finding.start
        if not within and finding.start >= reached:
            yield finding if end == finding.end else replace(finding, end=end)
            reached = end


@cache
def process_salt() -> bytes:
    """Return a salt of this process's own: marks can be joined until it ends."""
    return os.urandom(_SALT_BYTES)


def kept_salt(data_dir: Path) -> bytes:
    """Return the salt of *data_dir*, or one of this process where none can be kept there.

    Marks that differ from one process to the next are better than a text that is not scrubbed.
    """
    try:
        return load_salt(data_dir / "salt")
    except StoreError:
        return process_salt()


def load_salt(path: Path) -> bytes:
    """Return the salt kept in *path*, made there first if need be, readable by its owner alone.

    Several processes may ask at once; all get the same.
    """
    try:
        make_private(path.parent)
        if not path.exists():
            create(path, os.urandom(_SALT_BYTES))
        salt = path.read_bytes()
        if len(salt) != _SALT_BYTES:
            # Without a salt nothing would be recorded. Marks differ from here on; that is all.
            move(path, path.with_name(f"{path.name}.damaged"))
            create(path, os.urandom(_SALT_BYTES))
            salt = path.read_bytes()
    except OSError as error:
        fix = "Make the directory writable, or name another one."
        raise StoreError(where=str(path), what=f"cannot keep a salt: {error}", fix=fix) from error
    if len(salt) != _SALT_BYTES:
        fix = "Remove the file; marks made from now on will differ from those before."
        raise StoreError(where=str(path), what=f"holds {len(salt)} bytes, not a salt", fix=fix)
    return salt
