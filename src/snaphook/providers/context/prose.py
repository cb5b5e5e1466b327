"""What a person says themselves, apart from what they quote.

prompt  ->  sentences, each as written and with its quotations blanked

Pure. Code blocks, quoted lines, tagged blocks and indented code are left out; a quotation or a bit of
code inside a sentence is blanked letter by letter, so that places stay the same in both forms.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

_FENCE = re.compile(r"[ \t]{0,3}(```|~~~)")
_TAG = re.compile(r"\s*<([A-Za-z][\w-]*)(?:\s[^<>]*)?>")
_QUOTED = re.compile(r'`[^`\n]+`|"[^"\n]+"|“[^”\n]+”|«[^»\n]+»|(?<!\w)\'[^\'\n]+\'(?!\w)')
_BULLET = re.compile(r"[ \t]{0,3}(?:[-*+•]|\d+[.)])[ \t]+")
_END = re.compile(r"(?<=[.!?])[ \t]+(?=[\"'`*_(]*[A-Z0-9])|(?<=[.!?])$")


class Sentence(Struct, frozen=True):
    """One sentence."""

    text: str
    """As written."""
    plain: str
    """In lower case, with quotations blanked."""


LONGEST_LINE = 2000
"""Characters; nobody types a longer line."""


def sentences(prompt: str) -> Iterator[Sentence]:
    """Yield what the person says, sentence by sentence; every line begins a new one."""
    for line in _own_lines(prompt):
        bullet = _BULLET.match(line)
        said = (line[bullet.end() :] if bullet else line).strip()
        blank = _QUOTED.sub(lambda found: "_" * len(found[0]), said)
        yield from _cut(said, blank.lower().replace("’", "'"))


def _own_lines(prompt: str) -> Iterator[str]:
    """Yield the lines of *prompt* that are neither quoted nor code."""
    end = ""
    for line in prompt.splitlines():
        if end:
            end = "" if end in line else end
        elif fence := _FENCE.match(line):
            end = fence[1]
        elif tag := _TAG.match(line):
            end = "" if f"</{tag[1]}>" in line else f"</{tag[1]}>"
        elif len(line) <= LONGEST_LINE and not _is_code(line):
            yield line


def _cut(said: str, blank: str) -> Iterator[Sentence]:
    start = 0
    for end in [found.start() for found in _END.finditer(said)] + [len(said)]:
        text, plain = said[start:end].strip(), blank[start:end].strip()
        if text:
            yield Sentence(text, plain)
        start = end


_CODE = re.compile(
    r">|    |\t|\$ |# |//"  # a quotation, an indent, a prompt, a comment
    r"|\s*(?:def |class |import |return\b|[\w.]+\(.*\)[;{]?$|[\w-]+:\s*\S+$)"
    r"|\s*(?:\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d)"  # a log
)


def _is_code(line: str) -> bool:
    """Say whether *line* looks like a program, a setting or a log and not like something said."""
    return _CODE.match(line) is not None
