"""Globs of a rule against what a command touches.

glob + project + home  ->  PathGlob  ->  holds for this path, surely or perhaps

A rule that forbids counts what may be touched: a glob, all beneath a folder, where a link leads. One
that allows counts only what surely is.
"""

from __future__ import annotations

import re

from msgspec import Struct

from snaphook.config.globs import glob_regex
from snaphook.shell.patterns import Searches, glob_pattern
from snaphook.shell.text import UNKNOWN, has_glob, is_known, known_prefix, plain
from snaphook.shell.world import World

_SPECIAL = re.compile(r"[*?\[{]")


class PathGlob(Struct, frozen=True):
    """A glob made absolute. *stem* is the folder it surely lies in; empty: anywhere."""

    regex: Searches
    stem: str
    folded: Searches
    """The same for a disk that does not tell upper from lower case."""

    def surely(self, path: str) -> bool:
        """Say whether *path*, every character of it known, is one of these."""
        return is_known(path) and self.regex.match(path) is not None

    def perhaps(self, path: str, *, recursive: bool, world: World) -> bool:
        """Say whether what happens to *path* may happen to one of these."""
        text = plain(path)
        if self.regex.match(text):
            return True
        fold = world.folds(text)
        if UNKNOWN in path or has_glob(path):
            return self._below(known_prefix(path).rpartition("/")[0], fold=fold)
        if recursive and self.stem and self._below(text, fold=fold):
            return True
        real = world.real(text)
        if real != text and self.regex.match(real):
            return True
        return fold and self.folded.match(real) is not None

    def _below(self, folder: str, *, fold: bool) -> bool:
        """Say whether these lie beneath *folder*, of which something unknown is touched."""
        stem, folder = (self.stem.lower(), folder.lower()) if fold else (self.stem, folder)
        return bool(folder) and (stem == folder or stem.startswith(f"{folder}/"))


def shape(glob: str, *, project: str, home: str) -> PathGlob:
    """Return *glob* as it stands in *project*; ValueError where it is no glob.

    Without a slash it holds at any depth; whatever it holds for, all beneath is meant too.
    """
    bare = glob.rstrip("/")
    if bare == "~" or bare.startswith("~/"):
        whole = home + bare[1:]
    elif bare.startswith("/"):
        whole = bare or "/"
    elif "/" in bare or bare in ("", "."):
        whole = f"{project}/{bare.removeprefix('./')}".removesuffix("/.")
    else:
        return _made(rf"(?:.*/)?{glob_regex(bare, path=True)}(?:/.*)?\Z", "")
    return _made(rf"{glob_regex(whole, path=True)}(?:/.*)?\Z", _stem(whole))


def _made(source: str, stem: str) -> PathGlob:
    return PathGlob(
        glob_pattern(source, dotall=True), stem, glob_pattern(source, fold=True, dotall=True)
    )


def _stem(whole: str) -> str:
    """Return the part of *whole* before the first name with a star, or all of it."""
    found = _SPECIAL.search(whole)
    return whole[: found.start()].rpartition("/")[0] if found else whole
