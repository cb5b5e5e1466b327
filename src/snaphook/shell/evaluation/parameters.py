"""What `$name` and `${name…}` stand for.

Param + Frame  ->  values

Unset variables are asked of the world; what nobody knows is the unknown mark, never nothing:
`rm -rf "$X/"` with an X we cannot see must not look like `rm -rf ""`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from snaphook.lazy import regex
from snaphook.shell.evaluation.secret_flow import names_secret, of_variable
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.syntax.tree import Param, Part
from snaphook.shell.text import UNKNOWN, plain

Join = Callable[[Sequence[Part]], str]

_USUAL = {"TMPDIR": "/tmp", "SHELL": "/bin/sh", "BASH": "/bin/bash", "RANDOM": "0", "SECONDS": "0"}  # noqa: S108
"""What these hold where nobody set them."""

_LONGEST_CHANGED = 1_000
"""Patterns are tried at every place, so a longer value is not worth its time."""

_INTEGER = regex(r"-?\d+")


def value(param: Param, frame: Frame, join: Join) -> Sequence[str]:
    """Return the fields that *param* gives; more than one only for `@` and arrays."""
    if param.inside:
        join(param.inside)
    found = _lookup(param, frame)
    if param.prefix == "#":
        return (UNKNOWN if found is None or UNKNOWN in found else str(len(found[0])),)
    if param.prefix == "!":
        found = _indirect(param, found, frame)
    if param.operator:
        return _operated(param, found, frame, join)
    if found is None:
        return (of_variable(param.name, frame),)
    return found or (() if param.index or param.name == "@" else ("",))


def _lookup(param: Param, frame: Frame) -> Sequence[str] | None:
    name = param.name
    match name:
        case "@" | "*":
            return frame.arguments[1:] if name == "@" else (" ".join(frame.arguments[1:]),)
        case "#":
            return (str(len(frame.arguments) - 1),)
        case _ if name.isdigit():
            at = int(name)
            if at < len(frame.arguments):
                return (frame.arguments[at],)
            return ("",) if len(frame.arguments) > 1 else None
        case _:
            held = _named(name, frame)
    if held is None:
        return None
    if isinstance(held, str):
        return (held,)
    if param.index in ("@", "*"):
        return held if param.index == "@" or not param.quoted else (" ".join(held),)
    if not param.index:
        return held[:1]
    at_text = arithmetic(param.index, frame)
    if _INTEGER.fullmatch(at_text) and -len(held) <= int(at_text) < len(held):
        return (held[int(at_text)],)
    return None


def _named(name: str, frame: Frame) -> str | tuple[str, ...] | None:
    seen = set()
    while (target := frame.variables.get(f"&{name}")) and name not in seen:
        seen.add(name)
        name = target if isinstance(target, str) else name
    held = frame.get(name)
    if held is None:
        if names_secret(name) and name not in frame.env:
            return None  # what the machine holds is nobody's to carry along
        return frame.env.get(name) or frame.world.env.get(name) or _USUAL.get(name)
    return held


def _indirect(param: Param, found: Sequence[str] | None, frame: Frame) -> Sequence[str] | None:
    if param.index in ("@", "*") or not found or UNKNOWN in found[0]:
        return None
    held = _named(found[0], frame)
    if held is None:
        return None
    return (held,) if isinstance(held, str) else held


def _operated(param: Param, found: Sequence[str] | None, frame: Frame, join: Join) -> Sequence[str]:
    """Return the values after `${name<operator>word}`."""
    operator = param.operator
    if operator in (":-", "-", ":=", "="):
        if found and (found[0] or not operator.startswith(":")):
            return found
        default = join(param.word)
        if not default and found is None:
            return (of_variable(param.name, frame),)
        if operator.endswith("="):
            frame.variables[param.name] = default
        return (default,)
    if operator in (":?", "?"):
        join(param.word)
        return found or (of_variable(param.name, frame),)
    word = join(param.word)
    if operator in (":+", "+"):
        if found is None:
            return (UNKNOWN,) if UNKNOWN in word else (word,)
        return (word,) if found and found[0] else ("",)
    if found is None or any(UNKNOWN in one for one in found):
        return (UNKNOWN,)
    word = plain(word)
    if word.count("*") > 2 or any(len(one) > _LONGEST_CHANGED for one in found):
        return (UNKNOWN,)
    return [_changed(one, operator, word, frame) for one in found]


def _changed(text: str, operator: str, word: str, frame: Frame) -> str:
    match operator:
        case "#" | "##" | "%" | "%%":
            return _trimmed(text, operator, word)
        case "/" | "//":
            old, _, new = word.partition("/")
            return _replaced(text, old, new, everywhere=operator == "//")
        case ":":
            return _slice(text, word, frame)
        case "^" | "^^":
            return text.upper() if operator == "^^" else text[:1].upper() + text[1:]
        case "," | ",,":
            return text.lower() if operator == ",," else text[:1].lower() + text[1:]
        case _:
            return text if word in ("Q", "E", "P") else UNKNOWN


def _trimmed(text: str, operator: str, pattern: str) -> str:
    shape = _regex(pattern)
    ends = range(len(text) + 1)
    longest = len(operator) == 2
    if operator[0] == "#":
        for end in reversed(ends) if longest else ends:
            if shape.fullmatch(text, 0, end):
                return text[end:]
        return text
    for start in ends if longest else reversed(ends):
        if shape.fullmatch(text, start):
            return text[:start]
    return text


def _replaced(text: str, old: str, new: str, *, everywhere: bool) -> str:
    anchor = old[:1] if old[:1] in ("#", "%") and not everywhere else ""
    pattern = _regex(old[len(anchor) :]).pattern
    if not pattern:
        return text
    shape = {"#": rf"\A(?:{pattern})", "%": rf"(?:{pattern})\Z"}.get(anchor, pattern)
    return re.sub(shape, lambda _: new, text, count=0 if everywhere else 1)


def _slice(text: str, word: str, frame: Frame) -> str:
    start_text, colon, length_text = word.partition(":")
    start, length = arithmetic(start_text, frame), arithmetic(length_text, frame)
    if not _INTEGER.fullmatch(start) or (colon and not _INTEGER.fullmatch(length)):
        return UNKNOWN
    rest = text[int(start) :]
    return rest[: int(length)] if colon else rest


def _regex(pattern: str) -> re.Pattern[str]:
    """Return a shell pattern as a regular expression; brackets are taken as they are."""
    out = "".join(
        {"*": ".*", "?": "."}.get(char, char if char in "[]" else re.escape(char))
        for char in pattern
    )
    try:
        return re.compile(out, re.DOTALL)
    except re.error:
        return re.compile(re.escape(pattern))


def arithmetic(text: str, frame: Frame) -> str:
    """Return the number that *text* comes to, or the unknown mark."""
    text = text.strip()
    if _INTEGER.fullmatch(text):
        return text
    held = frame.get(text) if text.isidentifier() else None
    if isinstance(held, str) and _INTEGER.fullmatch(held):
        return held
    return UNKNOWN
