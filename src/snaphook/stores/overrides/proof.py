"""A proof that a person agreed to the terms of an override, and its verification.

Proof + EnrolledKey + signed bytes  ->  valid or not

The private half exists only while a passphrase is typed, or inside a security key. What is on disk
verifies signatures and cannot make them, so a process that reads all our files gains nothing.
"""

from hashlib import sha256

from msgspec import Struct

from snaphook.errors import MachineError

from .override import Method

RP = "snaphook"
"""The relying party's name in the terms of FIDO2."""
INSTALL = "Install it: pip install 'snaphook[security-key]'"


class Proof(Struct, frozen=True, kw_only=True):
    """A signature, and the key that made it."""

    method: Method
    key: str = ""
    signature: bytes = b""
    data: bytes = b""
    """A security key's authenticator data, which is signed together with the message."""


class EnrolledKey(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A key whose signatures count, and what is needed to use it."""

    id: str
    method: Method
    public: bytes
    """Raw Ed25519 for a passphrase; a COSE key in CBOR for a security key."""
    enrolled: float
    salt: bytes = b""
    cost: int = 0
    credential: bytes = b""
    """The security key's name for its private key."""
    replaces: str = ""
    """The key that no longer counts since this one exists."""
    endorsed_by: str = ""
    endorsement: Proof | None = None
    """The earlier key's signature over this one."""


def key_id(public: bytes) -> str:
    """Return the short name of a public key."""
    return sha256(public).hexdigest()[:16]


def endorsed_bytes(key: EnrolledKey) -> bytes:
    """Return what an earlier key signs to add *key*."""
    parts = (key.method.encode(), key.public, key.salt, key.credential, key.replaces.encode())
    return b"snaphook key 1\0" + b"".join(len(one).to_bytes(4, "big") + one for one in parts)


def verify(key: EnrolledKey, message: bytes, proof: Proof) -> bool:
    """Return whether *proof* is *key*'s signature over *message*."""
    if proof.method is not key.method or proof.key != key.id or key.id != key_id(key.public):
        return False
    if key.method is Method.PASSPHRASE:
        return _verify_ed25519(key.public, message, proof.signature)
    if key.method is Method.SECURITY_KEY:
        return _verify_assertion(key.public, message, proof)
    return False


def _verify_ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _verify_assertion(public: bytes, message: bytes, proof: Proof) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        from fido2 import cbor
        from fido2.cose import CoseKey
        from fido2.webauthn import AuthenticatorData
    except ImportError:
        raise MachineError(
            where="security key", what="the package 'fido2' is not installed", fix=INSTALL
        ) from None
    try:
        data = AuthenticatorData(proof.data)
        touched = data.is_user_present() and data.rp_id_hash == sha256(RP.encode()).digest()
        # CTAP signs the authenticator data and the hash of the message, in this order.
        signed = proof.data + sha256(message).digest()
        CoseKey.parse(cbor.decode(public)).verify(signed, proof.signature)  # type: ignore[arg-type]
    except (InvalidSignature, ValueError, TypeError, KeyError, IndexError):
        return False
    return touched
