"""A FIDO2 security key: proof by touch.

device  ->  credential  ->  EnrolledKey        message  ->  touch  ->  Proof

The private key never leaves the device, and the device signs only when it is touched. Needs the package
``fido2`` (pip install 'snaphook[security-key]').
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from time import time
from typing import TYPE_CHECKING, Any

from snaphook.errors import MachineError

from .override import Method
from .proof import INSTALL, RP, EnrolledKey, Proof, key_id

if TYPE_CHECKING:
    from fido2.ctap2.base import Ctap2

_WHERE = "security key"
Devices = Callable[[], "Iterable[Ctap2]"]


def connected() -> "list[Ctap2]":
    """Return the security keys that are plugged in."""
    try:
        from fido2.ctap2.base import Ctap2
        from fido2.hid import CtapHidDevice
    except ImportError:
        raise MachineError(
            where=_WHERE, what="the package 'fido2' is not installed", fix=INSTALL
        ) from None
    return [Ctap2(device) for device in CtapHidDevice.list_devices()]


def new_security_key(devices: Devices = connected) -> EnrolledKey:
    """Return a key that the touched device holds from now on."""
    from fido2 import cbor

    made = _first(devices).make_credential(
        sha256(b"snaphook enrolment").digest(),
        {"id": RP, "name": "Snaphook"},
        {"id": b"overrides", "name": "overrides", "displayName": "Snaphook overrides"},
        [{"type": "public-key", "alg": -7}, {"type": "public-key", "alg": -8}],
    )
    data = made.auth_data.credential_data
    if data is None:
        raise MachineError(
            where=_WHERE, what="the device returned no credential", fix="Try another one."
        )
    public = cbor.encode(data.public_key)
    return EnrolledKey(
        id=key_id(public),
        method=Method.SECURITY_KEY,
        public=public,
        enrolled=time(),
        credential=data.credential_id,
    )


def sign_with_touch(key: EnrolledKey, message: bytes, devices: Devices = connected) -> Proof:
    """Return the device's signature over *message*, once it is touched."""
    from fido2.ctap import CtapError

    allowed: list[Mapping[str, Any]] = [{"type": "public-key", "id": key.credential}]
    for device in devices():
        try:
            given = device.get_assertion(RP, sha256(message).digest(), allowed)
        except CtapError as problem:
            if problem.code == CtapError.ERR.NO_CREDENTIALS:
                continue  # another device holds it
            raise MachineError(where=_WHERE, what=str(problem), fix="Try again.") from None
        return Proof(
            method=Method.SECURITY_KEY,
            key=key.id,
            signature=given.signature,
            data=bytes(given.auth_data),
        )
    raise MachineError(
        where=_WHERE,
        what=f"no connected device holds the key {key.id}",
        fix="Plug in the one that was set up.",
    )


def _first(devices: Devices) -> "Ctap2":
    for device in devices():
        return device
    raise MachineError(where=_WHERE, what="no device found", fix="Plug one in and try again.")
