"""Find where things end in shell text: quotes, brackets, here-documents.

text + position  ->  position

Pure, and linear in what it walks over.
"""

from __future__ import annotations

import re

from snaphook.lazy import regex


class ShellSyntaxError(ValueError):
    """The text is not a shell script; *at* says where it stopped making sense."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.what = what
        self.at = at


class TooDeep(ShellSyntaxError):  # noqa: N818 - it says what happened
    """The text nests deeper than we are willing to follow."""


DEEPEST = 40
"""Levels of nesting that are read; one more is `TooDeep`."""

BLANK = regex(r"(?:[ \t\r]|\\\r?\n)+")
COMMENT = regex(r"#[^\n]*")
ANSI_STOP = regex(r"[\\']")
ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b",
    "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
NUMERIC = regex(
    r"x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)", re.DOTALL
)
BRACKETS = regex(r"[\[\]]")
ARITH_STOP = regex(r"[()'\"\\`]")


def ansi(text: str, at: int) -> tuple[str, int]:
    """Return the text of `$'…'` whose first character is at *at*, and where it ends."""
    out: list[str] = []
    while True:
        stop = ANSI_STOP.search(text, at)
        if stop is None:
            raise ShellSyntaxError("a $'…' that never closes", at)
        out.append(text[at : stop.start()])
        at = stop.end()
        if stop[0] == "'":
            return "".join(out), at
        char, at = escaped(text, at)
        out.append(char)


def escaped(text: str, at: int) -> tuple[str, int]:
    """Return what the escape after a backslash at *at* - 1 stands for, and where it ends."""
    following = text[at : at + 1]
    if following in ESCAPES and following:
        return ESCAPES[following], at + 1
    if numeric := NUMERIC.match(text, at):
        short, four, eight, octal, control = numeric.groups()
        if control:
            return chr(ord(control[0]) & 0x1F), numeric.end()
        code = int(octal, 8) & 0xFF if octal else int(short or four or eight, 16)
        return chr(code) if code < 0x110000 else "\ufffd", numeric.end()
    return f"\\{following}", at + len(following)


def decode_escapes(text: str) -> str:
    """Return *text* with backslash escapes decoded, as echo -e and printf do."""
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while (slash := text.find("\\", at)) >= 0:
        out.append(text[at:slash])
        if text.startswith("\\0", slash) and (
            octal := re.match(r"[0-7]{1,3}", text[slash + 2 : slash + 5])
        ):
            out.append(chr(int(octal[0], 8) & 0xFF))
            at = slash + 2 + octal.end()
        else:
            char, at = escaped(text, slash + 1)
            out.append(char)
    out.append(text[at:])
    return "".join(out)


def arithmetic_end(text: str, at: int) -> int:
    """Return where the `))` stands that closes arithmetic begun before *at*, or -1."""
    depth = 0
    while stop := ARITH_STOP.search(text, at):
        at = stop.end()
        match stop[0]:
            case "(":
                depth += 1
                if depth > DEEPEST:
                    return -1
            case ")" if depth:
                depth -= 1
            case ")":
                return at - 1 if text.startswith(")", at) else -1
            case "\\":
                at += 1
            case quote:
                closing = text.find(quote, at)
                if closing < 0:
                    return -1
                at = closing + 1
    return -1


def bracket_end(text: str, at: int) -> int:
    """Return where the `]` stands that closes a bracket begun before *at*, or -1."""
    depth = 0
    while stop := BRACKETS.search(text, at):
        if stop[0] == "[":
            depth += 1
        elif depth:
            depth -= 1
        else:
            return stop.start()
        at = stop.end()
    return -1


def heredoc(text: str, at: int, delimiter: str, *, strips_tabs: bool) -> tuple[str, int, int]:
    """Return a here-document's body that begins at *at*, its body's end, and where it is over.

    A delimiter that never comes ends the body with the text, as the shell does (with a warning).
    """
    indent = r"\t*" if strips_tabs else ""
    ending = re.compile(rf"^{indent}{re.escape(delimiter)}\r?$", re.MULTILINE)
    found = ending.search(text, at) if at <= len(text) else None
    if found is None:
        return text[at:], len(text), len(text)
    return text[at : found.start()], found.start(), found.end()
