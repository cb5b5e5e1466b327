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
    password passwd passphrase secret token string none null true false undefined bearer basic hidden required
    optional default value text input empty unknown disabled enabled username private public
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
_TYPE = re.compile(r"(?i)(?:u?int|float|sha|utf-?|base|md|hmac|aes|rsa|es|hs|rs)[-_]?\d{1,4}\Z")
_ANNOTATION = re.compile(r"[A-Za-z_][\w.]*(?:\[[\w., |\[\]]*\])(?: \| None)?\Z")
"""A type, in quotes where it is not yet known: ``token: "re.Match[str]"``."""
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*\Z")
_EMAN = re.compile(
    r"""["'`]?\\{0,7}[ \t]{0,8}(?:>=|=:|==|=|:)[ \t]{0,8}(?:["'`\])]\\{0,7}){0,2}([\w-]{1,64})"""
)
"""A name and what stands between it and its value, backwards: so it is matched, not searched for."""
_OF_SOMETHING_ELSE = tuple(
    """
    name type field url uri file path dir id ids hint label policy length len size ttl age count limit
    endpoint header prefix suffix ref env var format regex pattern min max reset title text error
    message msg required strength manager store provider class kind index usage budget cost cache s
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
_NAMES_THAT_END_SO = ("pass", "passwords", "secrets", "credentials", "tokens", "keys")
"""Endings compared as texts: an expression that tries all of them at every letter takes 15 times as long."""


def is_plausible(text: str, start: int, end: int) -> bool:
    """Say whether ``text[start:end]``, assigned to a telling name, is likely a real secret."""
    if text[end : end + 1] == "]" and _PLACEHOLDER.search(text, max(0, start - 64), end):
        return False
    value, quoted = text[start:end], text[start - 1 : start] in {'"', "'", "`"}
    # What costs least and excludes most comes first: in source, nearly all are names of variables.
    if not quoted and not _is_plausible_bare(text, start, end, value):
        return False
    if value.lower() in _PLAIN_WORDS or len(set(value)) < 3:
        return False
    eman = _EMAN.match(text[max(0, start - 96) : start][::-1])
    if eman and _is_of_something_else(eman[1][::-1].lower()):
        return False
    if _EXAMPLE.search(value):
        return False
    paths = ("http://", "https://", "/", "./", "~/")
    return not quoted or not (_ANNOTATION.match(value) or value.startswith(paths))


def is_random(text: str, start: int, end: int) -> bool:
    """Say whether ``text[start:end]`` looks random, or is what a line of an environment file assigns.

    Other keys (``primary_key``, ``cache_key``) are no secrets, nor are hashes and identifiers.
    """
    value = text[start:end]
    if _is_environment(text, start):
        return True
    if _HASH.match(value) or _OTHER_KEY.search(text[max(0, start - 48) : start]):
        return False
    return sum(map(str.isdigit, value)) > 1 and any(map(str.isalpha, value))


_HASH = re.compile(r"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{20,}|sha\d+[-:].*)\Z")
_OTHER_KEY = re.compile(
    r"(?i:primary|foreign|public|pub|cache|sort|partition|row|unique|index|object|routing|host|idempotency|group"
    r"|hash|event|map|dict|lookup|query|state|storage_?object|i18n|translation)[_-]?key[^\n]{0,8}\Z"
)


def _is_of_something_else(name: str) -> bool:
    """Say whether *name*, in lower case, is that of a secret's length, file, expiry and so on."""
    return "expir" in name or (
        name.endswith(_OF_SOMETHING_ELSE) and not name.endswith(_NAMES_THAT_END_SO)
    )


def _is_plausible_bare(text: str, start: int, end: int, value: str) -> bool:
    if (
        (value[0] in "/.~*-@:#%" and not _is_environment(text, start))
        or value[0] in "/.~"
        or text[end : end + 1] in {"(", "["}
    ):
        return False
    if "://" in value or _TYPE.match(value) or value.isdigit():
        return False
    if _IDENTIFIER.match(value):
        return _is_environment(text, start) or _is_no_name(value)
    return any(c.isdigit() or c in "-+/=!@#%^*~?" for c in value)


def _is_no_name(value: str) -> bool:
    """Say whether *value*, which could be a variable, is more likely a secret.

    ``hunter2`` is one, ``ephemeral_1h_input_tokens`` and ``Ed25519PrivateKey`` are not.
    """
    digits = sum(map(str.isdigit, value))
    if not digits or "." in value:
        return False
    if len(value) < _LONG_NAME:
        return True
    return digits / len(value) >= _HUMPS_OF_NAMES or (
        len(_HUMP.findall(value)) / len(value) >= _HUMPS_OF_NAMES
    )


_LONG_NAME = 12
_HUMPS_OF_NAMES = 0.3


def _is_environment(text: str, start: int) -> bool:
    """Say whether the value stands in a line such as ``DB_PASSWORD=value``."""
    return _TNEMNORIVNE.match(text[max(0, start - 96) : start][::-1]) is not None


_TNEMNORIVNE = re.compile(r"""["']?\\{0,7}=[A-Z0-9_]{2,64}(?![a-z0-9_.\-])""")
"""Backwards, as above."""
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HUMPS = 0.36
"""Words and numbers per character: 1.3 % of random tokens of 32 have fewer; long names have 0.15 to 0.3."""


def is_scrambled(value: str) -> bool:
    """Say whether letters and digits of *value* are in no order, as in a token and unlike in a long name."""
    digits = sum(map(str.isdigit, value))
    if digits < 1 or value.islower() or value.isupper():
        return False
    return len(_HUMP.findall(value)) / len(value) >= _HUMPS
