"""Tell a value that is a secret from code and prose that merely mention one.

Only rules that know a secret by its name ask this. Pure.
"""

import re

_EXAMPLE = re.compile(
    r"(?i)example|placeholder|changeme|change[_-]me|dummy|redacted|your[_-]|_here\b|x{4}|\*{3}|\.{3}"
    r"|\$\{|\$\(|\{\{|%\(|%s|<[a-z_ -]+>|\#\{"
)
_PLACEHOLDER = re.compile(r"\[REDACTED:[\w-]{1,48}:[0-9a-f]{8}\Z")
"""One of our own, whose name may well end in ``secret``."""
_PLAIN_WORDS = frozenset(
    """
    password passwd secret token string none null true false undefined bearer basic hidden required
    optional default value text input empty unknown disabled enabled username private public
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
_TYPE = re.compile(r"(?i)(?:u?int|float|sha|utf-?|base|md|hmac|aes|rsa|es|hs|rs)[-_]?\d{1,4}\Z")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*\Z")
_NAME = re.compile(r"""([\w-]{1,64})["'`\])]{0,2}[ \t]{0,8}(?:=>|:=|==|=|:)[ \t]{0,8}["'`]?\Z""")
_OF_SOMETHING_ELSE = re.compile(
    r"(?i)(?:name|type|field|url|uri|file|path|dir|id|ids|hint|label|policy|length|len|size|expir\w*"
    r"|ttl|age|count|limit|endpoint|header|prefix|suffix|ref|env|var|format|regex|pattern|min|max"
    r"|reset|title|text|error|message|msg|required|strength|manager|store|provider|class|kind"
    r"|index|usage|budget|cost|cache|s)\Z"
)
_NAMES_THAT_END_SO = re.compile(r"(?i)(?:pass|passwords|secrets|credentials|tokens|keys)\Z")


def is_plausible(text: str, start: int, end: int) -> bool:
    """Say whether ``text[start:end]``, assigned to a telling name, is likely a real secret."""
    if text[end : end + 1] == "]" and _PLACEHOLDER.search(text, max(0, start - 64), end):
        return False
    value = text[start:end]
    if _EXAMPLE.search(value) or value.lower() in _PLAIN_WORDS or len(set(value)) < 3:
        return False
    name = _NAME.search(text, max(0, start - 96), start)
    if name and _OF_SOMETHING_ELSE.search(name[1]) and not _NAMES_THAT_END_SO.search(name[1]):
        return False
    if text[start - 1 : start] in {'"', "'", "`"}:
        return not value.startswith(("http://", "https://", "/", "./", "~/"))
    return _is_plausible_bare(text, start, end, value)


def _is_plausible_bare(text: str, start: int, end: int, value: str) -> bool:
    if value[0] in "/.~*-@:#%" or text[end : end + 1] in {"(", "["}:
        return False
    if "://" in value or _TYPE.match(value) or value.isdigit():
        return False
    if _IDENTIFIER.match(value):
        return _is_environment(text, start) or (
            any(c.isdigit() for c in value) and "." not in value
        )
    return any(c.isdigit() or c in "-+/=!@#%^*~?" for c in value)


def _is_environment(text: str, start: int) -> bool:
    """Say whether the value stands in a line such as ``DB_PASSWORD=value``."""
    line = text[max(0, start - 96) : start].rpartition("\n")[2]
    name = line.removesuffix("=").split()[-1:] if line.endswith("=") else []
    return bool(name) and name[0].isupper() and name[0].replace("_", "").isalnum()
