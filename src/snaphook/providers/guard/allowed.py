"""Whether a line of ``[guard] allow`` names a call.

``docker system prune*``  against  docker system prune -af  ->  yes
``rm -rf build*``         against  rm -rf build ~           ->  no

Compared word by word, so that no quote and no blank makes two words one. A `*` stands for the rest of
its word; at the end of the line it stands for further words as well, except for files: what is deleted
or written must be named by a word of its own, or by a `*` that stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from snaphook.lazy import regex
from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.text import UNKNOWN, plain

_FILES = frozenset(
    {Act.DELETE, Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.MOVE, Act.PERMIT, Act.OWN, Act.LINK}
)

_GLOB = regex(r"[*?[]")
_NEEDS_QUOTES = regex(r"[\s'\"\\]")


def names(line: str, fact: Call | Effect) -> bool:
    """Say whether *line* names the call of *fact*."""
    call = fact if isinstance(fact, Call) else fact.call
    wanted, words = _split(line), _words(call)
    if not wanted:
        return False
    if line == exactly(words):
        return not any(UNKNOWN in word for word in words)
    *before, last = wanted
    rest = words[len(before) :]
    if len(words) < len(before) or not all(map(_fits, words, before)):
        return False
    if last == "*":
        return True
    if not rest or not _fits(rest[0], last):
        return False
    return len(rest) == 1 or (last.endswith("*") and _may_follow(fact, before))


def line_for(call: Call) -> str:
    """Return the line that names *call* and nothing else."""
    return exactly(_words(call))


def exactly(words: Iterable[str]) -> str:
    """Return the line that these *words* alone fit, their own globs taken as they are written."""
    return " ".join(map(_quoted, words))


def _may_follow(fact: Call | Effect, before: list[str]) -> bool:
    """Say whether words may follow the one that the final `*` ends: ``rm*`` means all of rm."""
    return not before or not (isinstance(fact, Effect) and fact.act in _FILES)


def _words(call: Call) -> list[str]:
    # `rm -rf build` was allowed here and for this user, so not behind sudo, ssh or docker exec.
    outside = call.via if call.root or call.remote else ()
    return [*outside, plain(call.name.value), *(plain(arg.value) for arg in call.args)]


def _fits(word: str, shape: str) -> bool:
    """Say whether *shape* stands for *word*; what only the run can tell fits nothing but a bare `*`."""
    if UNKNOWN in word:
        return shape == "*"
    return fnmatchcase(word, shape) and not _climbs(word, shape)


def _climbs(word: str, shape: str) -> bool:
    """Say whether a `*` would have to stand for ``..``: ``build/*`` is not ``build/../..``."""
    return word.split("/").count("..") > shape.split("/").count("..")


def _split(line: str) -> list[str]:
    """Return the words of *line*; quotes hold one together."""
    if "'" not in line and '"' not in line:
        return line.split()
    from shlex import split  # few lines have quotes

    try:
        return split(line)
    except ValueError:  # an apostrophe in a line that was written before quotes counted
        return line.split()


def _quoted(word: str) -> str:
    word = _GLOB.sub(r"[\g<0>]", word)
    if word and not _NEEDS_QUOTES.search(word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"
