"""The values in a text that can do harm in the wrong hands.

text  ->  Values: e-mail addresses, URLs, hosts, account numbers, keys

Pure.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s\"'<>`\\{}|^]+", re.IGNORECASE)
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_HOST = re.compile(
    r"(?<![\w@./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,24})(?::\d{1,5})?(?:/[^\s\"'<>`)]*)?(?![\w.-]*@)",
    re.IGNORECASE,
)
_IP = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?![\w.])")
_SCP = re.compile(
    r"(?<![\w/])(?:[\w.-]+@)?((?:[a-z0-9-]+\.)+[a-z]{2,24}):(?!//)[\w./~-]+", re.IGNORECASE
)
_ACCOUNT = re.compile(
    r"(?<![\w-])(?:[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){10,30}|\d(?:[ -]?\d){7,25}|0x[0-9a-fA-F]{16,}|"
    r"(?:bc1|[13])[a-zA-HJ-NP-Z0-9]{25,60})(?![\w-])"
)
_DATE = re.compile(
    r"(?<!\d)(?:19|20)\d\d[-/.][01]?\d[-/.][0-3]?\d(?:[ T]\d\d?(?::\d\d){0,2}(?:\.\d+)?(?:Z|"
    r"[+-]\d\d:?\d\d)?)?(?!\d)"
)
_KEY = re.compile(r"(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S+)\s+([A-Za-z0-9+/=]{20,})")
_FILES_TEXT = """
    md py js ts tsx jsx json yaml yml toml txt rst html htm css scss c h cc cpp hpp go rs rb
    java kt php sh bash zsh fish ps1 bat cmd lock cfg ini conf env log csv tsv xml svg png jpg
    jpeg gif webp pdf zip gz tgz tar bz2 xz whl egg jar war docx xlsx pptx sql db sqlite ipynb
    vue svelte lua pl ex exs erl hs ml swift mod sum gradle properties example sample local dist
    map min test spec snap patch diff bak old tmp pem key crt pub so dll exe bin mp3 mp4 wav in
    out name id get set run main self this length value data items keys
"""
_FILES = frozenset(_FILES_TEXT.split())
"""Endings that a file name or an attribute has rather than a host; real top-level domains among them
(``.sh``, ``.py``, ``.md``, ``.rs``, ``.zip``) count as hosts only inside a URL."""
SHORT = 80
WORDS = 8


class Value(Struct, frozen=True, kw_only=True):
    """A value, what it is, and the argument it stands in."""

    kind: str
    text: str
    field: str = ""

    @property
    def is_destination(self) -> bool:
        """Whether something can be sent or paid to it."""
        return self.kind in DESTINATIONS


DESTINATIONS = frozenset({"e-mail address", "URL", "host", "account", "remote", "key"})


def found_in(text: str, field: str = "") -> Iterator[Value]:
    """Yield the addresses, accounts and keys that *text* holds, each once."""
    seen: set[str] = set()
    for kind, shape in (("URL", _URL), ("e-mail address", _EMAIL), ("host", _IP), ("key", _KEY)):
        for found in shape.finditer(text):
            value = (found[1] if found.lastindex else found[0]).rstrip(".,;:!?)]}'\"")
            if value not in seen:
                seen.add(value)
                yield Value(kind=kind, text=value, field=field)
    rest = _EMAIL.sub(" ", _URL.sub(" ", text))
    for found in _SCP.finditer(rest):
        if found[1] not in seen:
            seen.add(found[1])
            yield Value(kind="host", text=found[1], field=field)
    for found in _HOST.finditer(rest):
        value = found[0].rstrip(".,;:!?)]}'\"")
        ending = value.partition("/")[0].partition(":")[0].rpartition(".")[2].lower()
        if value not in seen and ending not in _FILES:
            seen.add(value)
            yield Value(kind="host", text=value, field=field)
    for found in _ACCOUNT.finditer(_DATE.sub(" ", rest)):
        if found[0] not in seen:
            seen.add(found[0])
            yield Value(kind="account", text=found[0], field=field)


def leaves(value: Any, field: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield every text and number in *value*, with the name of the argument it belongs to."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, bool) or value is None or depth > 12:
        return
    elif isinstance(value, int | float):
        yield field, f"{value:g}" if isinstance(value, float) else str(value)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from leaves(inner, str(name), depth + 1)
    elif isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        for inner in value:
            yield from leaves(inner, field, depth + 1)


_ADDRESSED_TEXT = """
    to cc bcc recipient email mail url uri link href host address account iban participant webhook
    endpoint member target destination remote server domain site page attendee invitee phone wallet
    contact payee beneficiary guest
"""
_CONTENT_TEXT = """
    body content text message description subject title note comment summary query code command script
    data payload html prompt input value arg param location
"""
_ADDRESSED, _CONTENT = tuple(_ADDRESSED_TEXT.split()), tuple(_CONTENT_TEXT.split())


def _is_handle(field: str) -> bool:
    """Say whether *field* holds the name of a thing, in which an address is no more than letters."""
    name = field.lower()
    return bool(name) and not any(
        word == name or word in name.split("_") or (len(word) > 3 and word in name)
        for word in (*_ADDRESSED, *_CONTENT)
    )


def of_arguments(args: Mapping[str, Any]) -> Iterator[Value]:
    """Yield the values in the arguments of a tool: each short argument whole, and what is in the long."""
    for field, text in leaves(args):
        stripped = text.strip()
        whole = False
        for value in found_in(stripped, field):
            if value.text == stripped:
                whole = True
            elif _is_handle(field):
                continue
            yield value
        if not whole and stripped and len(stripped) <= SHORT and len(stripped.split()) <= WORDS:
            yield Value(kind=field or "value", text=stripped, field=field)


def is_moment(text: str) -> bool:
    """Say whether *text* is nothing but a date and a time."""
    return not _DATE.sub("", text).strip()
