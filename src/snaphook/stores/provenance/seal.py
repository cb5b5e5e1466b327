"""Fingerprints on disk: under a keyed stream, so that without the key they say nothing.

bytes + key  ->  nonce + bytes that look like chance  ->  the bytes again

The key is a file that only its owner reads. Without it, not even a guess can be checked; with it, a
guess can be checked and nothing else: 32 bits per value do not give the value back. Secrets are kept
as 128-bit keyed digests and never as these fingerprints.
"""

import os
from hashlib import blake2b, shake_256

NONCE = 12


def seal(raw: bytes, key: bytes) -> bytes:
    """Return *raw* under a stream of its own."""
    nonce = os.urandom(NONCE)
    return nonce + _joined(raw, key, nonce)


def unseal(sealed: bytes, key: bytes) -> bytes:
    """Return what was sealed; chance where the key is another."""
    return _joined(sealed[NONCE:], key, sealed[:NONCE])


def digest(text: bytes, key: bytes) -> bytes:
    """Return the keyed digest of a secret."""
    return blake2b(text, key=key, digest_size=16).digest()


def start_value(key: bytes) -> int:
    """Return where fingerprints of values start: other keys, other fingerprints."""
    return int.from_bytes(blake2b(b"values", key=key, digest_size=4).digest(), "little")


def _joined(raw: bytes, key: bytes, nonce: bytes) -> bytes:
    if not raw:
        return b""
    stream = shake_256(key + nonce).digest(len(raw))
    mixed = int.from_bytes(raw, "little") ^ int.from_bytes(stream, "little")
    return mixed.to_bytes(len(raw), "little")
