"""Regular expressions of strangers, matched in linear time.

text  ->  a pattern with ``search``, or a PatternError that says what is not supported

Python's own engine goes back over its steps, and ``(a+)+$`` keeps it busy for minutes. A rule may come
with a repository that nobody approved, so its expressions go to RE2, which reads a text once.
"""

import re
from typing import Any, Protocol

from .backtracking import is_bounded

LONGEST_NAME = 1_000
"""Characters of a name that Python's engine may read with two repeats: a million steps, some milliseconds."""


class PatternError(ValueError):
    """An expression that cannot be used, and why."""


class Searches(Protocol):
    """A compiled expression."""

    @property
    def pattern(self) -> str:
        """Return what it was made of."""

    def search(self, text: str, /) -> object:
        """Return the first match in *text*, or ``None``."""

    def match(self, text: str, /) -> object:
        """Return the match at the beginning of *text*, or ``None``."""


class LinearPattern:
    """An expression in RE2, which is loaded when somebody first uses it."""

    def __init__(self, pattern: str, *, fold: bool = False, dotall: bool = False) -> None:
        self.pattern = pattern
        self._flags = fold, dotall
        self._compiled: Any = None

    def search(self, text: str) -> object:
        """Return the first match in *text*, or ``None``."""
        return self.compiled().search(_encodable(text))

    def match(self, text: str) -> object:
        """Return the match at the beginning of *text*, or ``None``."""
        return self.compiled().match(_encodable(text))

    def compiled(self) -> Any:
        """Return what RE2 made of it, or raise ``PatternError``."""
        if self._compiled is None:
            self._compiled = _compiled(self.pattern, *self._flags)
        return self._compiled


def linear(text: str, *, fold: bool = False, dotall: bool = False) -> Searches:
    """Return the expression *text*, whose matching time grows with the length of what it reads.

    *fold* makes upper and lower case one, *dotall* has a dot mean a line break, too.
    """
    found = LinearPattern(text, fold=fold, dotall=dotall)
    found.compiled()
    return found


def glob_pattern(source: str, *, fold: bool = False, dotall: bool = False) -> Searches:
    """Return *source*, made of a glob, for texts of any length; used with ``match`` alone.

    By Python's engine where that is as good, since RE2 takes long to load.
    """
    flags = (re.IGNORECASE if fold else 0) | (re.DOTALL if dotall else 0)
    if is_bounded(source, flags, anchored=True, repeats=1):
        return re.compile(source, flags)
    return LinearPattern(_for_re2(source), fold=fold, dotall=dotall)


def text_pattern(source: str) -> Searches:
    """Return the expression *source* for texts of any length, such as a command.

    By Python's engine, which knows look-arounds, where its time is the square of the length at most.
    Raises as ``name_pattern`` does.
    """
    found = re.compile(source)
    if is_bounded(source, 0, anchored=False, repeats=2):
        return found
    return linear(_for_re2(source))


def name_pattern(source: str, *, fold: bool = False) -> Searches:
    """Return the expression *source* for a tool's name, or another as short.

    By Python's engine where its steps are bounded, which look-arounds need; otherwise by RE2. Raises
    ``PatternError`` where neither will do, and ``re.error`` for what is no expression.
    """
    flags = re.IGNORECASE if fold else 0
    found = re.compile(source, flags)
    if is_bounded(source, flags, anchored=False, repeats=2):
        return NamePattern(found, fold=fold)
    return linear(_for_re2(source), fold=fold)


class NamePattern:
    """An expression whose steps on a short text are bounded; a longer one is left to RE2."""

    def __init__(self, found: "re.Pattern[str]", *, fold: bool) -> None:
        self.pattern = found.pattern
        self._found = found
        self._fold = fold

    def search(self, text: str) -> object:
        """Return the first match in *text*, or ``None``."""
        if len(text) <= LONGEST_NAME:
            return self._found.search(text)
        try:
            return linear(_for_re2(self.pattern), fold=self._fold).search(text)
        except PatternError:  # a look-around: nobody's name is that long but an attacker's
            return self._found.search(text[:LONGEST_NAME])

    def match(self, text: str) -> object:
        """Return the match at the beginning of *text*, or ``None``."""
        return self._found.match(text[:LONGEST_NAME])


def _compiled(text: str, fold: bool, dotall: bool) -> Any:
    import re2  # type: ignore[import-untyped, import-not-found, unused-ignore]  # C++; loaded where a rule has one

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not fold
    options.dot_nl = dotall
    try:
        return re2.compile(text, options)
    except re2.error as bad:
        why = bad.args[0].decode(errors="replace") if isinstance(bad.args[0], bytes) else str(bad)
        raise PatternError(_explained(why)) from bad


def _for_re2(source: str) -> str:
    """Return *source*, an expression of Python's, as RE2 spells the end of a text and odd characters."""
    return re.sub(r"\\u([0-9a-fA-F]{4})", r"\\x{\1}", source.replace(r"\Z", r"\z"))


def _encodable(text: str) -> str:
    """Return *text* without halves of surrogate pairs, which RE2 does not take."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _explained(why: str) -> str:
    if "perl operator" in why or "invalid escape sequence" in why:
        return f"{why}; look-arounds and back-references are not supported"
    return why
