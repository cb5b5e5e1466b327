"""The project's files of decisions, history, roles and skills, read with care.

patterns + root  ->  texts

A path that leads out of the project, by a link or by dots, is passed over, and no more than the end
of a large file is read: these files come with the repository.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

LARGEST = 200_000
"""Bytes read of one file: its end, where the newest is."""
_HEADING = re.compile(r"^(?=#{2,4} )", re.MULTILINE)
_BULLET = re.compile(r"^(?=[-*] )", re.MULTILINE)


def texts(root: Path, patterns: Iterable[str], *, agent: str = "") -> Iterator[tuple[str, str]]:
    """Yield each file that *patterns* find below *root*: its path from there, and what it says."""
    home = root.resolve()
    safe = agent if re.fullmatch(r"[\w.@-]+", agent) and agent.strip(".") else "main"
    for pattern in patterns:
        for path in sorted(root.glob(pattern.replace("{agent}", safe))):
            real = path.resolve()
            if real.is_file() and real.is_relative_to(home):
                yield path.relative_to(root).as_posix(), _end_of(real)


def _end_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LARGEST))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def entries(text: str) -> list[str]:
    """Return what *text* lists: its sections below the title, or its bullets, or the whole of it."""
    for mark in (_HEADING, _BULLET):
        _head, *found = mark.split(text)
        if found:
            return [entry.strip() for entry in found]
    return [text.strip()] if text.strip() else []
