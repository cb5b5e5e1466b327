"""A passphrase as a signing key.

passphrase + salt  ->  scrypt  ->  the seed of an Ed25519 key  ->  Proof

Only the public half and the salt are kept. The key is computed in the process that asks the person,
used once and dropped: the daemon never sees the passphrase, so a replaced daemon cannot learn it.
"""

import os
from hashlib import scrypt
from time import time
from typing import TYPE_CHECKING

from snaphook.errors import UsageError

from .override import Method
from .proof import EnrolledKey, Proof, key_id

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SHORTEST = 8
"""Characters of a passphrase."""
COST, LEAST_COST = 1 << 17, 1 << 15
"""scrypt's N: about 0.4 s and 128 MiB for each guess of somebody who copied the file."""
_MEMORY = 256 << 20


def new_key(passphrase: str, *, replaces: str = "") -> EnrolledKey:
    """Return the key that *passphrase* unlocks from now on."""
    if problem := weakness(passphrase):
        raise UsageError(where="passphrase", what=problem, fix="Choose a longer one.")
    salt = os.urandom(16)
    public = _private(passphrase, salt, COST).public_key().public_bytes_raw()
    return EnrolledKey(
        id=key_id(public),
        method=Method.PASSPHRASE,
        public=public,
        enrolled=time(),
        salt=salt,
        cost=COST,
        replaces=replaces,
    )


def sign(key: EnrolledKey, passphrase: str, message: bytes) -> Proof | None:
    """Return the proof for *message*; ``None`` if *passphrase* is not the one of *key*.

    Nothing is signed with a key that does not match: a doctored file with a cheap salt would
    otherwise yield a signature against which a passphrase can be guessed quickly.
    """
    private = _private(passphrase, key.salt, max(key.cost, LEAST_COST))
    if private.public_key().public_bytes_raw() != key.public:
        return None
    return Proof(method=Method.PASSPHRASE, key=key.id, signature=private.sign(message))


def weakness(passphrase: str) -> str:
    """Return what is wrong with *passphrase* as a secret; nothing if it will do."""
    if len(passphrase) < SHORTEST:
        return f"a passphrase needs at least {SHORTEST} characters"
    if len(set(passphrase)) < 4:
        return "it repeats a few characters"
    return ""


def _private(passphrase: str, salt: bytes, cost: int) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    seed = scrypt(passphrase.encode(), salt=salt, n=cost, r=8, p=1, maxmem=_MEMORY, dklen=32)
    return Ed25519PrivateKey.from_private_bytes(seed)
