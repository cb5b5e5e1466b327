"""Which keywords occur in a text, found without looking for each of them.

text  ->  its words, once each  ->  the keywords they begin

A text is cut into its words in one pass, and each different word is looked at once. That costs about
a millisecond for 57 KB, whatever the number of keywords. Measured beside it: an Aho-Corasick
automaton (pyahocorasick) takes slightly longer, and one search per keyword some twenty times as long.
"""

import re
from collections.abc import Iterable, Iterator

_WORDS = bytes(c if c < 128 and (chr(c).isalnum() or c == 95) else 32 for c in range(256))
_HUMP = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_HEAD = re.compile(r"[a-z0-9]+")
_BUCKET = 3
_SHORT, _LONG = 4, 15
"""A mark of fewer than 4 letters is a word of its own, or the head of one of at least 15."""


class IndexedText:
    """A text, prepared: one character per byte, so that places mean the same everywhere."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.letters = raw.decode("latin-1")
        self.lower = raw.lower().decode("latin-1")
        self._words: set[bytes] | None = None

    @property
    def words(self) -> set[bytes]:
        """Return the words of the text, once each, as they are written."""
        if self._words is None:
            self._words = set(self.raw.translate(_WORDS).split())
        return self._words

    def begins_at(self, place: int) -> bool:
        """Say whether a word begins at *place*; ``Key`` in ``apiKey`` is one."""
        if place == 0:
            return True
        before, here = self.letters[place - 1], self.letters[place]
        if not before.isalnum() or not before.isascii() or not here.isalnum():
            return True
        return here.isupper() and not before.isupper()


class KeywordIndex:
    """Keywords, arranged by the words that give them away."""

    def __init__(
        self, keywords: Iterable[str], *, inside: Iterable[str], always: Iterable[str]
    ) -> None:
        self._always = tuple(always)
        self._inside = tuple((word.encode(), word) for word in inside)
        self._signs = {keyword: _signs(keyword) for keyword in keywords}
        self._whole: dict[bytes, list[str]] = {}
        self._heads: dict[bytes, list[tuple[bytes, str]]] = {}
        for keyword in frozenset(keywords) - frozenset(always):
            self._file(keyword)

    def _file(self, keyword: str) -> None:
        found = _HEAD.search(keyword)
        assert found is not None, f"{keyword!r} has no letter; it belongs to the ones always tried"
        head = found[0].encode()
        if found.end() < len(keyword):
            self._whole.setdefault(head, []).append(keyword)
        else:
            assert len(head) >= _BUCKET, f"{keyword!r} is too short to be looked up"
            self._heads.setdefault(head[:_BUCKET], []).append((head, keyword))

    def occurring(self, text: IndexedText) -> set[str]:
        """Return the keywords that may occur in *text*; none that does is left out."""
        written = text.words
        lower = b" ".join(written).lower()
        words = set(lower.replace(b"_", b" ").split())
        words.update(_humps(written))
        found = {word for raw, word in self._inside if raw in lower}
        if not self._whole.keys().isdisjoint(words):
            found.update(
                keyword for word in words & self._whole.keys() for keyword in self._whole[word]
            )
        found.update(self._begun(words))
        kept = {keyword for keyword in found if self._fits(keyword, lower, text.letters)}
        kept.update(word for word in self._always if word in text.lower)
        return kept

    def _fits(self, keyword: str, lower: bytes, letters: str) -> bool:
        """Say whether all of *keyword* can be there: its signs, or itself within a word."""
        signs = self._signs[keyword]
        return all(sign in letters for sign in signs) if signs else keyword.encode() in lower

    def _begun(self, words: set[bytes]) -> Iterator[str]:
        heads = self._heads
        for word in words:
            if word[:_BUCKET] not in heads:
                continue
            for head, keyword in heads[word[:_BUCKET]]:
                if word.startswith(head) and _counts(head, word):
                    yield keyword


def _counts(head: bytes, word: bytes) -> bool:
    return len(head) >= _SHORT or len(word) >= _LONG or word == head


def _humps(words: set[bytes]) -> list[bytes]:
    """Return the parts of words such as ``clientSecret``, in lower case."""
    mixed = [word for word in words if not (word.islower() or word.isupper() or word.isdigit())]
    if not mixed:
        return []
    return [part.lower() for part in _HUMP.findall(b" ".join(mixed))]


def _signs(keyword: str) -> frozenset[str]:
    """Return the signs of *keyword* that are no part of a word; without any, it is within one."""
    return frozenset(sign for sign in keyword if not sign.isalnum() and sign != "_")


def places(keyword: str, text: str) -> Iterator[int]:
    """Yield where *keyword* stands in *text*."""
    place = text.find(keyword)
    while place >= 0:
        yield place
        place = text.find(keyword, place + 1)
