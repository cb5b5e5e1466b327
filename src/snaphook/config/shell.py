"""The commands that a shell line is made of, roughly.

``cd x && FOO=1 git push "$(date)"``  ->  cd x · git push "$(date)" · date

Pure. No parser, only a filter's rough cut, which rather finds a command too many. (The guard has the
parser.)
"""

import re

_OPERATORS = re.compile(r"&&|\|\||[;&|\n(){}`]|\$\(")
_ASSIGNMENT = re.compile(r"\A(?:\w+=(?:'[^']*'|\"[^\"]*\"|[^\s'\"])*\s+)+")
_WORDS = re.compile(r"\A(?:(?:then|do|else|elif|if|while|until|!|time)\s+)+")


def simple_commands(line: str) -> list[str] | None:
    """Return the commands in *line*, substitutions included; ``None`` if a quote never ends."""
    if (bare := _without_quotes(line)) is None:
        return None
    pieces: list[str] = []
    start = 0
    for cut in [*_OPERATORS.finditer(bare), None]:
        end = cut.start() if cut else len(line)
        pieces.append(line[start:end].strip())
        start = cut.end() if cut else end
    return [_ASSIGNMENT.sub("", _WORDS.sub("", piece)) for piece in pieces if piece.strip("\"' \t")]


def _without_quotes(line: str) -> str | None:
    """Return *line* with the operators inside quotes blotted out, at the same places.

    A substitution inside double quotes still runs, so its signs stay.
    """
    shown: list[str] = []
    quote = ""
    i = 0
    while i < len(line):
        char = line[i]
        if char == "\\" and quote != "'":
            shown.append("__"[: len(line) - i])
            i += 2
            continue
        if quote:
            keeps = quote == '"' and (
                char in "`)" or line.startswith("$(", i) or line[i - 1] == "$"
            )
            shown.append(char if keeps else "_")
            quote = "" if char == quote else quote
        else:
            shown.append(char)
            quote = char if char in "'\"" else ""
        i += 1
    return None if quote else "".join(shown)
