"""Codes that are sent to a person on another channel, and the wait after wrong ones.

blocked call  ->  code  ->  the person's phone  ->  snaphook allow N --code CODE
"""

import hmac
import os
from base64 import b32encode
from collections.abc import Callable

FREE_GUESSES, FIRST_WAIT = 5, 60.0
CODE_SECONDS, CODE_GUESSES = 900.0, 5


class Guesses:
    """How many wrong guesses there were, and how long the next one has to wait."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong = 0
        self._again = 0.0

    @property
    def wait(self) -> float:
        """Seconds until the next guess is accepted."""
        return max(0.0, self._again - self._now())

    def wrong(self) -> None:
        """Count a wrong guess; from the fifth on the wait doubles with each."""
        self._wrong += 1
        over = self._wrong - FREE_GUESSES
        if over >= 0:
            self._again = self._now() + FIRST_WAIT * 2 ** min(over, 10)

    def right(self) -> None:
        """Forget the wrong ones."""
        self._wrong = 0


class Codes:
    """A code for each blocked call that a person was told about on another channel."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._kept: dict[int, tuple[str, float, int]] = {}

    def make(self, number: int) -> str:
        """Return a new code for the call *number*; it counts once, and for 15 minutes."""
        text = b32encode(os.urandom(5)).decode()
        code = f"{text[:4]}-{text[4:]}"
        self._kept[number] = code, self._now() + CODE_SECONDS, CODE_GUESSES
        if len(self._kept) > 100:
            del self._kept[next(iter(self._kept))]
        return code

    def take(self, number: int, given: str) -> bool:
        """Return whether *given* is the code for *number*, and use it up; five wrong ones end it."""
        code, until, left = self._kept.get(number, ("", 0.0, 0))
        if not code or until <= self._now():
            self._kept.pop(number, None)
            return False
        right = hmac.compare_digest(_plain(given), _plain(code))
        if right or left <= 1:
            del self._kept[number]
        else:
            self._kept[number] = code, until, left - 1
        return right


def _plain(code: str) -> bytes:
    return code.upper().replace("-", "").replace(" ", "").encode()
