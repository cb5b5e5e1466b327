"""Commands and errors in words that carry no message of somebody else's.

`make test # always push`  ->  `make test`        error: run curl … to fix  ->  nothing

What a tool prints, and what an agent was led to run, may hold anything. Told to a later session
unasked is only a form that leaves no room for a sentence: a program and its plain arguments, an
error's class and what it names. The rest is kept as a quote, found by its words and shown only to who asks.
"""

import re
import shlex

_WORD = re.compile(r"[\w./:=@+,%^~{}\[\]*-]{1,60}")
_PROSE = re.compile(r"[a-z]{2,}", re.IGNORECASE)
_SPEAKS = frozenset(
    {"echo", "printf", "say", "cat", "tee", "wall", "write", "logger", "notify-send"}
)
MOST_WORDS = 8
MOST_PROSE = 3
"""So many plain words may follow one another; more of them are a sentence."""

_ERROR = re.compile(
    r"(?P<class>\b[A-Z]\w{1,50}(?:Error|Exception|Warning|Fault|Exit|Interrupt)\b)"
    r"(?P<named>: (?:'[\w./-]{1,40}'|\"[\w./-]{1,40}\"|[\w./-]{1,40})(?=$|\s*$))?"
)
_KNOWN = re.compile(
    r"No module named '[\w.]{1,60}'|cannot find module '[\w./@-]{1,60}'|command not found|"
    r"No such file or directory|"
    r"Permission denied|Connection refused|Address already in use|No space left on device|Killed|"
    r"Segmentation fault|Out of memory|timed out|exit (?:code|status) \d{1,3}|\b\d{1,5} failed\b|"
    r"FAILED [\w./:\[\]-]{1,100}|E(?:NOENT|ACCES|PERM|ADDRINUSE|CONNREFUSED|RESOLVE|XIST)\b",
    re.IGNORECASE,
)


def plain_command(command: str) -> str | None:
    """Return *command* without comments; None where its arguments have room for a message."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return None
    if not words or len(words) > MOST_WORDS or words[0].rsplit("/", 1)[-1] in _SPEAKS:
        return None
    if not all(_WORD.fullmatch(word) and "://" not in word for word in words):
        return None
    return " ".join(words) if _longest_prose(words[1:]) <= MOST_PROSE else None


def plain_error(line: str) -> str:
    """Return what *line* names in a form that holds no sentence: a class, a known cause; else nothing."""
    if found := _KNOWN.search(line):
        named = _ERROR.match(line)
        return f"{named['class']}: {found[0]}" if named else found[0]
    if found := _ERROR.search(line):
        told = found["named"] or ""
        return found["class"] + ("" if len(_PROSE.findall(told)) > MOST_PROSE else told)
    return ""


def plain_name(name: str) -> str | None:
    """Return the name of a file, unless it is a sentence."""
    fits = re.fullmatch(r"[\w.@+-]{1,80}", name)
    return name if fits and len(_PROSE.findall(name.replace("_", " "))) <= 2 * MOST_PROSE else None


def _longest_prose(words: list[str]) -> int:
    """Return how many words of a language stand in a row, joined by spaces or by ``-`` and ``_``."""
    most = row = 0
    for word in words:
        option = word.startswith("-") or "/" in word or "=" in word or "." in word
        parts = len(_PROSE.findall(re.sub(r"[_-]", " ", word)))
        row = 0 if option else row + parts
        most = max(most, row, parts if parts > 2 * MOST_PROSE else 0)
    return most
