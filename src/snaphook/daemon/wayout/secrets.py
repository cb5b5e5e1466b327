"""What only a person knows: a passphrase, or a code that was sent to their phone.

Guesses are few: after some wrong ones there is a wait that doubles each time.
"""

import hmac
import os
import stat
from base64 import b32encode
from collections.abc import Callable
from hashlib import scrypt
from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.config.write import write_atomically

SHORTEST = 8
"""Characters of a passphrase."""
FREE_GUESSES, FIRST_WAIT = 5, 60.0
CODE_SECONDS, CODE_GUESSES = 900.0, 5
_COST = 1 << 15
_MEMORY = 64 << 20


class Hashed(Struct, frozen=True, kw_only=True):
    """A passphrase as it is kept: salted, and slow to guess."""

    salt: bytes
    digest: bytes
    cost: int = _COST

    def fits(self, passphrase: str) -> bool:
        """Say whether *passphrase* is the one; takes a tenth of a second, meant to."""
        return hmac.compare_digest(_digest(passphrase, self.salt, self.cost), self.digest)


def hashed(passphrase: str) -> Hashed:
    """Return *passphrase* as it is kept."""
    salt = os.urandom(16)
    return Hashed(salt=salt, digest=_digest(passphrase, salt, _COST))


def _digest(passphrase: str, salt: bytes, cost: int) -> bytes:
    return scrypt(passphrase.encode(), salt=salt, n=cost, r=8, p=1, maxmem=_MEMORY, dklen=32)


class Found(Struct, frozen=True, kw_only=True):
    """A passphrase on disk, and since when it is there: the file system's word."""

    hashed: Hashed
    since: float


def load(path: Path) -> Found | None:
    """Return the passphrase kept at *path*; ``None`` where none is, an error where it is no file of ours."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or about.st_uid != os.getuid():
            raise PermissionError(1, "it is not a file of yours", str(path))
        return Found(hashed=msgspec.json.decode(file.read(), type=Hashed), since=about.st_ctime)


def store(path: Path, kept: Hashed) -> None:
    """Keep a passphrase at *path*, for its owner's eyes only."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.unlink(missing_ok=True)
    write_atomically(path, msgspec.json.encode(kept), mode=0o600)


class Guesses:
    """How often somebody was wrong, and how long they wait for it."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong = 0
        self._again = 0.0

    @property
    def wait(self) -> float:
        """Seconds until the next guess is heard."""
        return max(0.0, self._again - self._now())

    def wrong(self) -> None:
        """Note a wrong guess."""
        self._wrong += 1
        over = self._wrong - FREE_GUESSES
        if over >= 0:
            self._again = self._now() + FIRST_WAIT * 2 ** min(over, 10)

    def right(self) -> None:
        """Forget the wrong ones."""
        self._wrong = 0


class Codes:
    """A code for each stop that a person was told of on another way."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._kept: dict[int, tuple[str, float, int]] = {}

    def make(self, number: int) -> str:
        """Return a new code for the stop *number*; it counts once, and not for long."""
        text = b32encode(os.urandom(5)).decode()
        code = f"{text[:4]}-{text[4:]}"
        self._kept[number] = code, self._now() + CODE_SECONDS, CODE_GUESSES
        if len(self._kept) > 100:
            del self._kept[next(iter(self._kept))]
        return code

    def take(self, number: int, said: str) -> bool:
        """Say whether *said* is the code for *number*, which is gone then; so it is after five wrong ones."""
        code, until, left = self._kept.get(number, ("", 0.0, 0))
        if not code or until <= self._now():
            self._kept.pop(number, None)
            return False
        right = hmac.compare_digest(_plain(said), _plain(code))
        if right or left <= 1:
            del self._kept[number]
        else:
            self._kept[number] = code, until, left - 1
        return right


def _plain(code: str) -> bytes:
    return code.upper().replace("-", "").replace(" ", "").encode()
