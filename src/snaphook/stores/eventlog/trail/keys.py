"""The key that vouches for the record: Ed25519, made here, never leaving.

folder  ->  Signer        public key + signature  ->  yes or no
"""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from snaphook.errors import MissingExtra, StoreError, UsageError
from snaphook.storage.files import replace, write_new
from snaphook.storage.folders import make_private

PRIVATE = "key.pem"
PUBLIC = "key.pub"


class Signer(Struct, frozen=True, kw_only=True):
    """Somebody who can sign."""

    public: str
    """The public key, in hex."""
    sign: Callable[[bytes], bytes]

    @property
    def id(self) -> str:
        """Return what a seal calls the key by."""
        return key_id(self.public)


def key_id(public: str) -> str:
    """Return the name of a public key."""
    return sha256(bytes.fromhex(public)).hexdigest()[:16]


def make_key(folder: Path) -> Signer:
    """Make a new key in *folder*, for its owner's eyes alone; there must not be one yet."""
    if (folder / PRIVATE).exists():
        raise UsageError(
            where=str(folder / PRIVATE),
            what="a key exists already, and existing signatures need it",
            fix="Keep it, or move both files away to create a new one.",
        )
    library = _ed25519()
    private = library.Ed25519PrivateKey.generate()
    make_private(folder)
    write_new(folder / PRIVATE, private.private_bytes_raw().hex().encode() + b"\n")
    public = private.public_key().public_bytes_raw().hex().encode() + b"\n"
    replace(folder / PUBLIC, public, mode=0o644)
    return _signer(private)


def load_key(folder: Path) -> Signer | None:
    """Return the key in *folder*; ``None`` where nobody made one."""
    path = folder / PRIVATE
    if not path.exists():
        return None
    try:
        if path.stat().st_mode & 0o077:
            raise StoreError(
                where=str(path), what="others may read the key", fix=f"Run: chmod 600 {path}"
            )
        raw = bytes.fromhex(path.read_text().strip())
        return _signer(_ed25519().Ed25519PrivateKey.from_private_bytes(raw))
    except (OSError, ValueError) as error:
        raise StoreError(
            where=str(path),
            what=f"is not a valid key: {error}",
            fix="Restore the key, or create a new one.",
        ) from error


def signed_by(public: str, signature: str, said: bytes) -> bool:
    """Say whether the owner of *public* signed *said*."""
    library = _ed25519()
    from cryptography.exceptions import InvalidSignature

    try:
        key = library.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), said)
    except (InvalidSignature, ValueError):
        return False
    return True


def _signer(private: Any) -> Signer:
    public = private.public_key().public_bytes_raw().hex()
    return Signer(public=public, sign=private.sign)


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ModuleNotFoundError as missing:
        raise MissingExtra.named("audit", wanted_by="the signing of checkpoints") from missing
    return ed25519
