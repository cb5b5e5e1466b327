"""No text makes the scrubber think for long: the work grows with the length and no faster.

Each text is large enough that an expression with quadratic appetite would run into the time limit.
"""

import random

import pytest

from snaphook.scrub import RULES, Scrubber

SCRUBBER = Scrubber(salt=b"salt")
SIZE = 200_000

TEXTS = {
    "one long word": "a" * SIZE,
    "one long number": "1" * SIZE,
    "numbers with gaps": "1 " * (SIZE // 2),
    "dotted numbers": "1." * (SIZE // 2),
    "brackets": "(1)" * (SIZE // 3),
    "only @": "@" * SIZE,
    "a@a@a@": "a@" * (SIZE // 2),
    "dots behind an @": "a@" + "a." * (SIZE // 2),
    "spaces": " " * SIZE,
    "quotes": "\"'`" * (SIZE // 3),
    "dashes": "-" * SIZE,
    "keys that never end": "-----BEGIN PRIVATE KEY-----\n" * (SIZE // 28),
    "one key that never ends": "-----BEGIN RSA PRIVATE KEY-----" + "A" * SIZE,
    "URLs without an end": "https://" + "a:" * (SIZE // 2),
    "many schemes": "://" * (SIZE // 3),
    "curl after curl": "curl " * (SIZE // 5),
    "machine after machine": "machine x login y " * (SIZE // 18),
    "passwords without values": "password " * (SIZE // 9),
    "assignments": "password=" * (SIZE // 9),
    "assigned spaces": ("password" + " " * 8 + "=") * (SIZE // 17),
    "half a token web": "eyJ" + "a" * SIZE,
    "webs in a row": "eyJhbGciOi.eyJ" * (SIZE // 14),
    "country codes": "DE89 " * (SIZE // 5),
    "colons": "2001:" * (SIZE // 5),
    "PuTTY": "PuTTY-User-Key-File-2" * (SIZE // 21),
    "humps": "aB" * (SIZE // 2),
    "zero bytes": "\0" * SIZE,
    "many bytes a letter": "→é" * (SIZE // 5),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_made_to_be_slow_is_scrubbed_all_the_same(text):
    assert isinstance(SCRUBBER.text(text), str)


@pytest.mark.timeout(110)
def test_every_keyword_in_a_row_comes_to_an_end():
    for rule in RULES:
        SCRUBBER.text(" ".join(rule.keywords[:3]) * 400)
        SCRUBBER.text(f'{rule.keywords[0]} = "' * 400)


def test_noise_is_survived():
    dice = random.Random(1)
    for _ in range(50):
        raw = dice.randbytes(2_000)
        assert isinstance(SCRUBBER.raw(raw), bytes)
