"""sed: what its scripts run and write, read command by command.

's/a/b/e;w out'  ->  runs the pattern space, writes out

Read as GNU sed reads them (https://www.gnu.org/software/sed/manual/html_node/sed-scripts.html): text
after `a`, `i`, `c` and what stands between the delimiters of `s` and `y` is never a command.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from snaphook.shell.facts import Act, Call, Code, Effect, Shell
from snaphook.shell.languages.common import on_path
from snaphook.shell.text import UNKNOWN

_TAKES_FILE = "rRwW"
_TAKES_LABEL = "btT:"
_TAKES_TEXT = "aic"
_FLAGS = "gpiImMe0123456789"


class SedEffect(NamedTuple):
    """One thing a script does outside of the text it edits: 'run', 'write' or 'read'."""

    kind: str
    text: str


def actions(script: str) -> Iterator[SedEffect]:
    """Return what *script* runs, writes and reads, in order."""
    at = 0
    while at < len(script):
        at = _skip(script, at, " \t\n;{}!")
        after = _address(script, at)
        if after != at:
            at = after
            continue
        if at >= len(script):
            return
        command, at = script[at], at + 1
        if command == "#":
            at = _line_end(script, at)
        elif command in "sy":
            found, at = _substitution(script, at, command)
            yield from found
        elif command in _TAKES_TEXT:
            at = _text_end(script, at)
        elif command in _TAKES_FILE:
            end = _line_end(script, at)
            kind = "read" if command in "rR" else "write"
            yield SedEffect(kind, script[at:end].strip())
            at = end
        elif command in _TAKES_LABEL:
            at = _label_end(script, at)
        elif command == "e":
            end = _line_end(script, at)
            yield SedEffect("run", script[at:end].strip())
            at = end


def sed(code: Code, call: Call) -> Iterator[Shell | Effect]:
    """Return what a script that sed reads from a file does."""
    for kind, text in actions(code.text):
        if kind == "run":
            yield Shell(text=text or UNKNOWN, span=code.span, via="sed")
        elif text:
            yield on_path(Act.OVERWRITE if kind == "write" else Act.READ, text, code, call)


def empties(script: str) -> bool:
    """Say whether *script* deletes every line, whatever it is."""
    return script.strip(" ;") in (
        "d",
        "1,$d",
        "1,$ d",
        "/./d;/^$/d",
        "/.*/d",
        "//d",
        "D",
        "Q",
        "q;d",
        "1d;d",
    )


def _skip(script: str, at: int, chars: str) -> int:
    while at < len(script) and script[at] in chars:
        at += 1
    return at


def _address(script: str, at: int) -> int:
    r"""Return where the address at *at* ends: `12`, `$`, `/x/I`, `\\,x,`, `1~2`, `1,+3`."""
    if at >= len(script):
        return at
    char = script[at]
    if char.isdigit() or char in "$,~+":
        return _skip(script, at, "0123456789$,~+ ")
    if char == "/":
        end = _closing(script, at + 1, "/")
    elif char == "\\" and at + 1 < len(script):
        end = _closing(script, at + 2, script[at + 1])
    else:
        return at
    return _skip(script, end, "IM ")


def _closing(script: str, at: int, delimiter: str) -> int:
    """Return the place after the next *delimiter* that is neither escaped nor in brackets."""
    bracket = False
    while at < len(script):
        char = script[at]
        if char == "\\":
            at += 2
            continue
        if char == "[" and not bracket:
            bracket = True
            at = _skip(script, at + 1, "^")
            if at < len(script) and script[at] == "]":
                at += 1
            continue
        if char == "]":
            bracket = False
        elif char == delimiter and (not bracket or delimiter not in script[at + 1 :]):
            return at + 1
        elif char == "\n" and bracket:
            bracket = False
        at += 1
    return at


def _substitution(script: str, at: int, command: str) -> tuple[list[SedEffect], int]:
    """Return what the flags of `s` do, and where it ends."""
    if at >= len(script):
        return [], at
    delimiter = script[at]
    middle = _closing(script, at + 1, delimiter)
    end = _plain_closing(script, middle, delimiter)
    replacement = script[middle : max(middle, end - 1)]
    if command == "y":
        return [], end
    flags_end = _skip(script, end, _FLAGS)
    found = [SedEffect("run", replacement)] if "e" in script[end:flags_end] else []
    if flags_end < len(script) and script[flags_end] == "w":
        line = _line_end(script, flags_end + 1)
        return [*found, SedEffect("write", script[flags_end + 1 : line].strip())], line
    return found, flags_end


def _plain_closing(script: str, at: int, delimiter: str) -> int:
    """Return the place after the next *delimiter* that is not escaped; brackets mean nothing here."""
    while at < len(script):
        if script[at] == "\\":
            at += 2
        elif script[at] == delimiter:
            return at + 1
        else:
            at += 1
    return at


def _line_end(script: str, at: int) -> int:
    end = script.find("\n", at)
    return len(script) if end < 0 else end


def _text_end(script: str, at: int) -> int:
    """Return where the text of `a`, `i`, `c` ends: at a line's end that no backslash escapes."""
    while True:
        end = _line_end(script, at)
        if end >= len(script):
            return end
        slashes = len(script[:end]) - len(script[:end].rstrip("\\"))
        if slashes % 2 == 0:
            return end
        at = end + 1


def _label_end(script: str, at: int) -> int:
    while at < len(script) and script[at] not in ";\n}":
        at += 1
    return at
