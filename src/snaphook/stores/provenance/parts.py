"""The words of a text, and the fingerprints of everything two or three words long in it.

text  ->  parts (letters and digits, lower case)  ->  32-bit fingerprints of one, two and three parts

A fingerprint is taken of parts run together, so it does not matter how a value is punctuated or split:
``evil-host.net``, ``Evil Host . NET`` and ``evil ho st.net`` all leave the fingerprint of
``evilhostnet``. Pure.
"""

import unicodedata
from array import array
from binascii import crc32
from collections.abc import Iterable, Sequence
from itertools import repeat

from snaphook.lazy import regex

LONGEST_WINDOW = 3
"""Parts that one fingerprint spans; longer values are compared window by window."""
_TABLE = bytes(
    byte if byte >= 128 or chr(byte).isalnum() else 32 for byte in range(256)
)  # letters and digits of ASCII, and every byte of other alphabets
_INVISIBLE = regex("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
                   "\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")  # fmt: skip


def plain(text: str) -> str:
    """Return *text* without invisible characters and in one spelling per letter."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))


def parts(text: str) -> list[bytes]:
    """Return the runs of letters and digits in *text*, in lower case and in order."""
    raw = plain(text).lower().encode("utf-8", "surrogatepass")
    return raw.translate(_TABLE).split()


def fingerprints(words: Sequence[bytes], key: int) -> set[int]:
    """Return the fingerprints of every window of up to three *words*.

    CRC32 continues from a start value, so the fingerprint of two words run together is that of the
    second, continued from the first: all windows cost one C call each. What makes the values on disk
    irreversible is not the CRC but the keyed stream they are stored under; see ``seal``.
    """
    one = list(map(crc32, words, repeat(key)))
    two = list(map(crc32, words[1:], one))
    three = map(crc32, words[2:], two)
    return set(one).union(two, three)


def fingerprint(word: bytes, key: int) -> int:
    """Return the fingerprint of *word* alone."""
    return crc32(word, key)


def packed(prints: Iterable[int]) -> bytes:
    """Return *prints* as sorted 32-bit numbers."""
    return array("I", sorted(prints)).tobytes()


def stem(word: bytes) -> bytes:
    """Return what inflections of *word* share, so that 'reserve' and 'reservation' are one action.

    Five letters: measured on the verbs of common tool names, fewer merge unrelated words
    ('tran' for transfer and translate), more tell apart 'delete' and 'deletion'.
    """
    return b"\x01" + word[:5]
