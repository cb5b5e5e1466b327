"""Paths as the disk knows them, and globs over them.

"src/../../etc/passwd", root  ->  "/etc/passwd"        "src/**", root  ->  a regular expression
"""

import os
import re
from functools import lru_cache

from snaphook.shell.patterns import Searches, glob_pattern, text_pattern


def resolved(path: str, *, cwd: str = "", root: str = "") -> str:
    """Return where *path* really leads: absolute, without ``..``, symbolic links followed.

    Relative paths start at *cwd*, or at *root*, or where this process stands. Backslashes are
    separators too, as some agents write them on every system.
    """
    native = os.path.expanduser(path.replace("\\", "/"))  # noqa: PTH111 - Path() would cost 10 times more
    return os.path.realpath(os.path.join(root, cwd, native))  # noqa: PTH118


@lru_cache(maxsize=1024)
def glob(pattern: str, root: str) -> Searches:
    """Return *pattern* as an expression over resolved paths; a relative one starts at *root*.

    ``**/`` is any number of directories, also none; ``*`` and ``?`` stay within one name;
    ``[abc]`` and ``{a,b}`` choose; a final slash is all that lies below. The rest means itself.
    """
    native = os.path.expanduser(pattern.replace("\\", "/").removeprefix("./"))  # noqa: PTH111
    native += "**" if native.endswith("/") else ""
    absolute = native.startswith("/")
    start = "" if absolute else re.escape(os.path.realpath(root or os.curdir).rstrip("/")) + "/"
    return glob_pattern(rf"{start}{_expression(native)}\Z", dotall=True)


_PIECE = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]]+\]|\{[^{}]*\}|.", re.DOTALL)


def _expression(glob: str) -> str:
    return "".join(_piece(match[0]) for match in _PIECE.finditer(glob))


def _piece(piece: str) -> str:
    match piece:
        case "**/":
            return "(?:[^/]+/)*"
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
        case _ if len(piece) > 2 and piece[0] == "[":
            inside = piece[1:-1].replace("\\", "\\\\")
            return f"[^/{inside[1:]}]" if inside[0] == "!" else f"[{inside}]"
        case _ if len(piece) > 1 and piece[0] == "{":
            return "(?:" + "|".join(_expression(part) for part in piece[1:-1].split(",")) + ")"
        case _:
            return re.escape(piece)


@lru_cache(maxsize=1024)
def compatible_glob(pattern: str) -> Searches:
    """Return *pattern* as Squad reads it: an expression in which only dots are quoted."""
    return text_pattern(f"^{_COMPATIBLE.sub(_compatible, pattern.replace(chr(92), '/'))}\\Z")


_COMPATIBLE = re.compile(r"\*\*|[*?.]")
_ANY = r"[^\n\r\u2028\u2029]"
_READS_AS = {"**": f"{_ANY}*", "*": "[^/]*", "?": _ANY, ".": r"\."}


def _compatible(match: re.Match[str]) -> str:
    return _READS_AS[match[0]]
