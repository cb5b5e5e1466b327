"""English words without their endings, after Porter's algorithm of 1980.

connections, connected, connecting  ->  connect

Pure. What is no plain English word (digits, other scripts, short ones) comes back as it is.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

_PLAIN = re.compile(r"[a-z]{3,40}")
_VOWEL = r"(?:[aeiou]|(?<=[^aeiou])y)"
_CONSONANT = r"(?:(?<![^aeiou])y|[^aeiouy])"
_MEASURE = re.compile(f"{_VOWEL}+{_CONSONANT}+")
_HAS_VOWEL = re.compile(_VOWEL)
_DOUBLE = re.compile(r"([^aeioulsz])\1$")
_SHORT = re.compile(f"{_CONSONANT}[aeiouy][^aeiouwxy]$")

_SECOND = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("abli", "able"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_THIRD = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
)  # fmt: skip
_FOURTH = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion",
    "ou", "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return *word*, in lower case, without its English endings."""
    if not _PLAIN.fullmatch(word):
        return word
    for step in _STEPS:
        word = step(word)
    return word


def _measure(word: str) -> int:
    """Return how often a vowel is followed by a consonant, which stands for how long a stem is."""
    return len(_MEASURE.findall(word))


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _HAS_VOWEL.search(word[: -len(ending)]):
            return _mended(word[: -len(ending)])
    return word


def _mended(root: str) -> str:
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if _DOUBLE.search(root):
        return root[:-1]
    return root + "e" if _measure(root) == 1 and _SHORT.search(root) else root


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _HAS_VOWEL.search(word[:-1]) else word


def _swapped(endings: Sequence[tuple[str, str]]) -> Callable[[str], str]:
    longest = sorted(endings, key=lambda pair: -len(pair[0]))

    def step(word: str) -> str:
        for ending, instead in longest:
            if word.endswith(ending):
                root = word.removesuffix(ending)
                return root + instead if _measure(root) else word
        return word

    return step


def _fourth(word: str) -> str:
    for ending in sorted(_FOURTH, key=len, reverse=True):
        if word.endswith(ending):
            root = word.removesuffix("ion" if ending in {"sion", "tion"} else ending)
            return root if _measure(root) > 1 else word
    return word


def _final_e(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        if _measure(root) > 1 or (_measure(root) == 1 and not _SHORT.search(root)):
            word = root
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


_STEPS = (_plural, _past, _final_y, _swapped(_SECOND), _swapped(_THIRD), _fourth, _final_e)
