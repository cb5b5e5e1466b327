"""What an archive would put into the directory it is unpacked in.

tool-1.2.tar.gz  ->  'tool-1.2/'

Bounded: a few names and megabytes, whatever the archive claims.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

_MOST_MEMBERS = 400
_MOST_NAMES = 40
_LARGEST = 64 * 1024 * 1024
"""Bytes of an archive that is looked into; a larger one takes too long to read."""


def top_names(path: str) -> Sequence[str] | None:
    """Return the names at the top of the archive *path*, folders with a slash at the end."""
    with suppress(OSError, tarfile.TarError, zipfile.BadZipFile, EOFError, ValueError):
        if Path(path).stat().st_size > _LARGEST:
            return None
        found: dict[str, None] = {}
        for name in islice(_members(path), _MOST_MEMBERS):
            first, slash, _ = name.removeprefix("./").partition("/")
            if first and first != "..":
                found[f"{first}/" if slash else first] = None
        return list(found)[:_MOST_NAMES]
    return None


def _members(path: str) -> Iterator[str]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            yield from packed.namelist()
        return
    with tarfile.open(path, "r|*") as stream:
        for member in stream:
            yield f"{member.name}/" if member.isdir() else member.name
