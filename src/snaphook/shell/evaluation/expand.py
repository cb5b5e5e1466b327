"""What a word becomes before a program sees it: parameters, substitutions, braces, splitting.

Word + Frame  ->  the program's words, each with what is known of it

Order as in the shell: braces, tilde, parameters and substitutions, splitting, globs (which stay
marked: what they match is asked of the world only when a rule needs it).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from snaphook.lazy import regex
from snaphook.shell.evaluation import parameters
from snaphook.shell.evaluation.braces import expand_braces
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Arg, Span, TextOrigin
from snaphook.shell.limits import PastLimit
from snaphook.shell.syntax.tree import (
    Arithmetic,
    Array,
    Param,
    Part,
    ProcessSubstitution,
    Script,
    Substitution,
    Text,
    Word,
)
from snaphook.shell.text import UNKNOWN, globbed

Run = Callable[[Script | ProcessSubstitution, Frame], str]
"""Follows a script and returns what it prints; for `<(…)`, the name of the file that holds it."""

MOST_FIELDS = 5_000
_ACTIVE = regex(r"[*?\[{~]")


class _Piece:
    """A stretch of a field: its text, and whether the shell still splits and globs it."""

    __slots__ = ("origin", "quoted", "text")

    def __init__(self, text: str, quoted: bool, origin: int) -> None:
        self.text = text
        self.quoted = quoted
        self.origin = origin


def arguments(words: Sequence[Word], frame: Frame, run: Run) -> list[Arg]:
    """Return *words* as a program would receive them."""
    out: list[Arg] = []
    at = frame.at
    for word in words:
        bare = word.bare
        if bare is not None and not _ACTIVE.search(bare):
            out.append(Arg(value=bare, span=at or Span(word.start, word.end)))
        else:
            span = at or Span(word.start, word.end)
            for value, origin in fields(word, frame, run):
                out.append(Arg(value=value, span=span, origin=origin))
        if len(out) > MOST_FIELDS:
            raise PastLimit(f"has a command of more than {MOST_FIELDS} words")
    return out


def single(word: Word, frame: Frame, run: Run) -> str:
    """Return *word* as one string: no splitting, no globs. So assignments and case work."""
    return _joined(word.parts, frame, run, tilde=True)


def body(word: Word, frame: Frame, run: Run) -> str:
    """Return the text of a here-document or of quotes."""
    return _joined(word.parts, frame, run, tilde=False)


def array(word: Word, frame: Frame, run: Run) -> tuple[str, ...] | None:
    """Return the values of `(a b c)`, or nothing when *word* is no array."""
    for part in word.parts:
        if isinstance(part, Array):
            values: list[str] = []
            for item in part.words:
                values.extend(value for value, _ in fields(item, frame, run))
            return tuple(values[:MOST_FIELDS])
    return None


def fields(word: Word, frame: Frame, run: Run) -> list[tuple[str, int]]:
    """Return the fields that *word* becomes."""
    out: list[tuple[str, int]] = []
    for parts in expand_braces(word.parts):
        out.extend(_split(_pieces(parts, frame, run), frame))
    return out


def _joined(parts: Sequence[Part], frame: Frame, run: Run, *, tilde: bool) -> str:
    out: list[str] = []
    for at, part in enumerate(parts):
        if isinstance(part, Text):
            text = part.value
            if tilde and at == 0 and not part.quoted and text.startswith("~"):
                text = _tilde(text, frame)
            out.append(text)
        else:
            out.extend(" ".join(group) for group, _ in [_value(part, frame, run)])
    return "".join(out)


def _pieces(parts: Sequence[Part], frame: Frame, run: Run) -> list[list[_Piece]]:
    """Return the pieces of each field; `"${a[@]}"` begins new fields in the midst of a word."""
    out: list[list[_Piece]] = [[]]
    for at, part in enumerate(parts):
        if isinstance(part, Text):
            text = part.value
            if not part.quoted:
                if at == 0 and text.startswith("~"):
                    text = _tilde(text, frame)
                text = globbed(text)
            out[-1].append(_Piece(text, True, TextOrigin.LITERAL))
            continue
        values, origin = _value(part, frame, run)
        quoted = isinstance(part, (Param, Substitution)) and part.quoted
        for number, value in enumerate(values):
            if number:
                out.append([])
            out[-1].append(_Piece(value, quoted, origin))
        if not values and not quoted:
            out[-1].append(_Piece("", False, origin))
    return out


def _value(part: Part, frame: Frame, run: Run) -> tuple[Sequence[str], int]:
    """Return the fields that an expansion gives, and where they came from."""
    match part:
        case Param():
            values = parameters.value(
                part, frame, lambda parts: _joined(parts, frame, run, tilde=True)
            )
            unknown = (
                TextOrigin.UNKNOWN
                if any(UNKNOWN in value for value in values)
                else TextOrigin.LITERAL
            )
            return values, TextOrigin.VARIABLE | unknown
        case Substitution():
            output = run(part.script, frame).rstrip("\n")
            unknown = TextOrigin.UNKNOWN if UNKNOWN in output else TextOrigin.LITERAL
            return (output,), TextOrigin.SUBSTITUTION | unknown
        case ProcessSubstitution():
            return (run(part, frame),), TextOrigin.SUBSTITUTION
        case Arithmetic():
            text = _joined(part.parts, frame, run, tilde=False)
            return (parameters.arithmetic(text, frame),), TextOrigin.VARIABLE
        case Array():
            return (), TextOrigin.LITERAL
        case Text():
            return (part.value,), TextOrigin.LITERAL


def _tilde(text: str, frame: Frame) -> str:
    name, slash, rest = text[1:].partition("/")
    match name:
        case "":
            home = frame.get("HOME")
            start = home if isinstance(home, str) else UNKNOWN
        case "+":
            start = frame.cwd
        case "-":
            old = frame.get("OLDPWD")
            start = old if isinstance(old, str) else UNKNOWN
        case "root":
            start = "/root"
        case _ if name.replace("-", "").replace("_", "").isalnum():
            start = f"{frame.world.home.rpartition('/')[0]}/{name}"
        case _:
            return text
    return f"{start}{slash}{rest}"


def _split(groups: list[list[_Piece]], frame: Frame) -> list[tuple[str, int]]:
    """Split unquoted values at blanks (or IFS), as the shell does after expansion."""
    out: list[tuple[str, int]] = []
    separators = frame.get("IFS")
    blanks = separators if isinstance(separators, str) and UNKNOWN not in separators else " \t\n"
    for group in groups:
        current: list[str] = []
        origin = TextOrigin.LITERAL
        begun = False
        for piece in group:
            origin |= piece.origin
            if piece.quoted:
                current.append(piece.text)
                begun = True
                continue
            chunks = _chunks(globbed(piece.text), blanks)
            for number, chunk in enumerate(chunks):
                if number and begun:
                    out.append(("".join(current), origin))
                    current, begun = [], False
                if chunk:
                    current.append(chunk)
                    begun = True
        if begun:
            out.append(("".join(current), origin))
    return out


def _chunks(text: str, blanks: str) -> list[str]:
    if not any(blank in text for blank in blanks):
        return [text]
    return re.split(f"[{re.escape(blanks)}]+", text)
