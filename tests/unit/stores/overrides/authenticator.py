"""A security key in software: it speaks CTAP2, and signs when it is touched.

The library talks to it as to a device on USB; only the wire is missing.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.ctap import CtapDevice, CtapError
from fido2.ctap2.base import Ctap2
from fido2.hid import CAPABILITY, CTAPHID
from fido2.webauthn import Aaguid, AttestedCredentialData, AuthenticatorData

_PRESENT, _ATTESTED = AuthenticatorData.FLAG.UP, AuthenticatorData.FLAG.AT


class Authenticator(CtapDevice):
    """One device; *touched* says whether somebody touches it when it waits."""

    def __init__(self) -> None:
        self.touched = True
        self._keys: dict[bytes, ec.EllipticCurvePrivateKey] = {}
        self._count = 0

    @property
    def capabilities(self) -> int:
        return CAPABILITY.CBOR

    def close(self) -> None:
        """Nothing is open."""

    @classmethod
    def list_devices(cls) -> Iterator["Authenticator"]:
        return iter(())

    def call(
        self,
        cmd: int,
        data: bytes = b"",
        event: Any = None,
        on_keepalive: Callable[[Any], None] | None = None,
    ) -> bytes:
        assert cmd == CTAPHID.CBOR
        try:
            return b"\0" + cbor.encode(self._answer(data[0], data[1:]))
        except CtapError as problem:
            return bytes([problem.code])

    def _answer(self, command: int, raw: bytes) -> Mapping[int, Any]:
        if command == 0x04:
            return {1: ["FIDO_2_0"], 3: bytes(16), 4: {"rk": False, "up": True}}
        asked = cbor.decode(raw)
        if not self.touched:
            raise CtapError(CtapError.ERR.USER_ACTION_TIMEOUT)
        return self._made(asked) if command == 0x01 else self._signed(asked)

    def _made(self, asked: Any) -> Mapping[int, Any]:
        credential = os.urandom(16)
        private = self._keys[credential] = ec.generate_private_key(ec.SECP256R1())
        public = ES256.from_cryptography_key(private.public_key())
        attested = AttestedCredentialData.create(Aaguid.NONE, credential, public)
        data = self._data(asked[2]["id"], _PRESENT | _ATTESTED, attested)
        return {1: "none", 2: bytes(data), 3: {}}

    def _signed(self, asked: Any) -> Mapping[int, Any]:
        for allowed in asked.get(3, []):
            if private := self._keys.get(allowed["id"]):
                data = self._data(asked[1], _PRESENT)
                signature = private.sign(bytes(data) + asked[2], ec.ECDSA(hashes.SHA256()))
                return {1: allowed, 2: bytes(data), 3: signature}
        raise CtapError(CtapError.ERR.NO_CREDENTIALS)

    def _data(
        self, rp: str, flags: AuthenticatorData.FLAG, attested: Any = b""
    ) -> AuthenticatorData:
        self._count += 1
        made: AuthenticatorData = AuthenticatorData.create(
            sha256(rp.encode()).digest(), flags, self._count, bytes(attested)
        )
        return made


def ctap(device: Authenticator) -> Ctap2:
    """Return *device* as the library sees it."""
    return Ctap2(device)
