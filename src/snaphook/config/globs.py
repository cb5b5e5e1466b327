"""Globs as people write them in settings, as regular expressions.

``Edit*``  ``[EW]*``  ``mcp__{a,b}__?``  ->  the source of a regular expression

Pure. In a path, ``*`` stays within one directory and ``**`` does not.
"""

import re

from snaphook.shell.patterns import Searches, glob_pattern

UNFINISHED = "has an unclosed bracket"

_TOKEN = re.compile(
    r"""
    (?P<deep>\*\*/?)
  | (?P<star>\*)
  | (?P<one>\?)
  | (?P<set>\[[!^]?\]?[^\]]*\])
  | (?P<choice>\{[^{}]*\})
  | (?P<open>[\[{])
  | (?P<text>[^*?\[{]+)
    """,
    re.VERBOSE,
)


def glob_regex(glob: str, *, path: bool = False) -> str:
    """Return the source of the regular expression that *glob* stands for, not anchored.

    Raise ValueError where a bracket never closes.
    """
    return "".join(_part(token, path) for token in _TOKEN.finditer(glob))


def path_regex(glob: str) -> Searches:
    """Return *glob* as .gitignore reads it: without a slash it holds at any depth.

    What it holds for includes everything below it.
    """
    anchored = "/" in glob.rstrip("/")
    source = glob_regex(glob.strip("/"), path=True)
    whole = rf"\A{'' if anchored else '(?:.*/)?'}{source}(?:/.*)?\Z"
    return glob_pattern(whole, dotall=True)


def _part(token: "re.Match[str]", path: bool) -> str:
    text = token[0]
    match token.lastgroup:
        case "deep" if path:
            return "(?:.*/)?" if text.endswith("/") else ".*"
        case "deep":
            return ".*" + re.escape(text[2:])
        case "star":
            return "[^/]*" if path else ".*"
        case "one":
            return "[^/]" if path else "."
        case "set":
            negated = text[1] in "!^"
            inside = text[2 if negated else 1 : -1].replace("\\", r"\\").replace("[", r"\[")
            return f"[{'^' if negated else ''}{inside}]"
        case "choice":
            return f"(?:{'|'.join(glob_regex(one, path=path) for one in text[1:-1].split(','))})"
        case "open":
            raise ValueError(UNFINISHED)
        case _:
            return re.escape(text)
