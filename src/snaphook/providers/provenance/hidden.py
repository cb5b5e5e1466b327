"""Text that a person does not see and a model reads.

text  ->  the same without it, and what was taken out

Tag characters spell ASCII invisibly, bidirectional marks reorder what is shown, zero-width characters
split words, ANSI sequences conceal, HTML comments and invisible elements never reach a screen.
"""

import re
from collections.abc import Callable

from msgspec import Struct

_TAGS = re.compile("[\U000e0001\U000e0020-\U000e007f]+")
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_ZERO = re.compile(
    "[\u00ad\u034f\u115f\u1160\u180b-\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff]+"
)
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_ANSI = re.compile(
    r"(?:\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]|"
    r"[\x00-\x08\x0b\x0c\x0e-\x1a\x7f])+"
)
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_MARKDOWN = re.compile(r"^\[(?://|comment)\]:\s*#\s*[(\"'](.*?)[)\"']\s*$", re.MULTILINE)
_UNSEEN = re.compile(
    r"<(\w+)\b[^>]*?(?:\bhidden\b|aria-hidden=[\"']?true|style=[\"'][^\"']*?(?:display\s*:\s*none|"
    r"visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])|"
    r"(?<!background-)color\s*:\s*(?:white|#fff(?:fff)?|transparent)\b|left\s*:\s*-\d{3,})[^\"']*[\"'])"
    r"[^>]*>(.*?)</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
_WORDS = re.compile(r"[A-Za-z]{2,}")
MARKS = "\x1b"


class Hidden(Struct, frozen=True, kw_only=True):
    """What is left to see of a text, and what was hidden in it."""

    text: str
    kinds: tuple[str, ...] = ()
    said: str = ""
    """The hidden text, spelled out: it is read for instructions and secrets like any other."""


def uncovered(text: str, *, comments: bool = True) -> Hidden:
    """Return *text* without what is hidden in it; the same object where nothing is.

    *comments*: HTML comments and invisible elements count too, which they do not in source code.
    """
    kinds: list[str] = []
    said: list[str] = []
    shown = text
    if not text.isascii():
        shown = _without_invisible(shown, kinds, said)
    if MARKS in shown:
        shown = _taken(_ANSI, shown, "terminal control sequences", kinds)
    if comments and "<!--" in shown:
        shown = _taken(_COMMENT, shown, "an HTML comment", kinds, said, lambda found: found[1])
    if comments and "<" in shown and ("style=" in shown or "hidden" in shown):
        shown = _taken(_UNSEEN, shown, "invisible HTML", kinds, said, lambda found: found[2])
    if comments and "]: #" in shown:
        shown = _taken(_MARKDOWN, shown, "a Markdown comment", kinds, said, lambda found: found[1])
    if not kinds:
        return Hidden(text=text)
    return Hidden(text=shown, kinds=tuple(dict.fromkeys(kinds)), said="\n".join(said))


def _without_invisible(text: str, kinds: list[str], said: list[str]) -> str:
    """Return *text* without invisible characters; each kind is looked for by one fast search first."""
    raw = text.encode("utf-8", "surrogatepass")
    if b"\xf3\xa0" in raw:  # every tag character and the later variation selectors begin so
        text = _taken(_TAGS, text, "tag characters", kinds, said, _spelled)
        text = _taken(_SELECTORS, text, "variation selectors", kinds, said, _selected)
    elif b"\xef\xb8" in raw:
        text = _taken(_SELECTORS, text, "variation selectors", kinds, said, _selected)
    if any(sign in text for sign in _BIDI_SIGNS):
        text = _taken(_BIDI, text, "bidirectional marks", kinds)
    if any(sign in text for sign in _ZERO_SIGNS):
        text = _zero_width(text, kinds)
    return text


_BIDI_SIGNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
_ZERO_SIGNS = "\u200b\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad\u034f\u180e\u200c\u200d"


def _taken(
    shape: re.Pattern[str],
    text: str,
    kind: str,
    kinds: list[str],
    said: list[str] | None = None,
    spell: Callable[[re.Match[str]], str] | None = None,
) -> str:
    """Return *text* without what *shape* matches; note the *kind*, and in *said* what it spells."""
    found = list(shape.finditer(text))
    if not found:
        return text
    kinds.append(kind)
    if said is not None and spell is not None:
        said.extend(told for one in found if _WORDS.search(told := spell(one)))
    return shape.sub("", text)


def _zero_width(text: str, kinds: list[str]) -> str:
    """Return *text* without zero-width characters, which emoji and some scripts need between them."""
    shown = _ZERO.sub(lambda one: one[0] if _joins(text, one.start(), one.end()) else "", text)
    if shown != text:
        kinds.append("zero-width characters")
    return shown


def _joins(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return start == 0 or not (before.isascii() and after.isascii())


def _spelled(found: re.Match[str]) -> str:
    return "".join(chr(ord(sign) - 0xE0000) for sign in found[0] if ord(sign) >= 0xE0020)


def _selected(found: re.Match[str]) -> str:
    """Return the bytes that a run of variation selectors stands for: sixteen and 240 of them."""
    codes = [ord(sign) for sign in found[0]]
    raw = bytes(code - 0xFE00 if code < 0xFF00 else (code - 0xE0100 + 16) & 0xFF for code in codes)
    return raw.decode("utf-8", "ignore")
