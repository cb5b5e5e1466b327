#!/usr/bin/env python3
"""Check a proof that a record was in a sealed log. Needs Python 3.8 and this file, nothing else.

    python check_proof.py proof.json [--key PUBLIC_KEY_IN_HEX]

It recomputes the digest of the record, climbs from it to the root of the tree, and compares that
with the checkpoint's. With --key, the checkpoint must be signed by that key; checking a signature
takes the package "cryptography". Exit status: 0 proved, 1 not, 2 could not be checked.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any


def sha(*parts: bytes) -> bytes:
    """Return the SHA-256 of *parts*."""
    return hashlib.sha256(b"".join(parts)).digest()


def climb(digest: str, index: int, size: int, path: list[str]) -> str:
    """Return the root that *path* leads to from line *index* of *size* (RFC 6962)."""
    sides, low, high = [], 0, size
    while high - low > 1:
        middle = low + (1 << ((high - low - 1).bit_length() - 1))
        sides.append(index < middle)
        low, high = (low, middle) if index < middle else (middle, high)
    if len(sides) != len(path) or not 0 <= index < size:
        raise ValueError("the path does not fit a log of that size")
    reached = sha(b"\0", digest.encode())
    for number, left in enumerate(reversed(sides)):
        step = bytes.fromhex(path[number])
        reached = sha(b"\1", reached, step) if left else sha(b"\1", step, reached)
    return reached.hex()


def check(proof: dict[str, Any], key: str | None = None) -> list[str]:
    """Return what is proved, line by line; raise ValueError where something is not."""
    seal = dict(proof["seal"])
    signature = seal.pop("signature", "")
    said = json.dumps(seal, sort_keys=True, separators=(",", ":")).encode()
    if proof["body"] is not None:
        if hashlib.sha256(proof["body"].encode()).hexdigest() != proof["digest"]:
            raise ValueError("the record is not the one whose digest is proved")
        if json.loads(proof["body"])["id"] != proof["id"]:
            raise ValueError("the record has another id than the proof says")
    if climb(proof["digest"], proof["index"], seal["count"], proof["path"]) != seal["root"]:
        raise ValueError("the path does not lead to the checkpoint's root")
    gone = " (its contents were redacted)" if proof["body"] is None else ""
    told = [
        f"record {proof['id']}{gone} was line {proof['index'] + 1} of {seal['count']}",
        f"of the stream '{seal['stream']}' at checkpoint {seal['number']}, time {seal['time_ms']} ms",
    ]
    told.append(signed(seal["public"], signature, said, key))
    return told


def signed(public: str, signature: str, said: bytes, key: str | None) -> str:
    """Return who signed the checkpoint; raise ValueError where it is not who it should be."""
    if key is not None and public != key:
        raise ValueError("the checkpoint is not signed by the key you gave")
    if not signature:
        if key is not None:
            raise ValueError("the checkpoint is not signed")
        return "which is not signed"
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        if key is not None:
            raise SystemExit(
                "check_proof: pip install cryptography, to check the signature"
            ) from None
        return "whose signature was not checked (pip install cryptography)"
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), said
        )
    except InvalidSignature:
        raise ValueError("the checkpoint's signature is not valid") from None
    trust = (
        "the key you gave"
        if key is not None
        else "an unknown key: pass the expected one with --key"
    )
    return f"signed by {public} ({trust})"


def main(words: list[str]) -> int:
    """Check the proof that *words* name."""
    if len(words) not in (1, 3) or (len(words) == 3 and words[1] != "--key"):
        print(__doc__)
        return 2
    try:
        with open(words[0], encoding="utf-8") as file:
            proof = json.load(file)
        told = check(proof, words[2] if len(words) == 3 else None)
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        print(f"NOT PROVED: {problem}")
        return 1
    except OSError as problem:
        print(f"check_proof: {problem}")
        return 2
    print("PROVED: " + ",\n  ".join(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
