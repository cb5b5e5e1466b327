"""A security key signs when it is touched, and only what it was asked to sign."""

import pytest
from msgspec.structs import replace
from tests.unit.stores.overrides.authenticator import Authenticator, ctap

from snaphook.errors import MachineError
from snaphook.stores.overrides.proof import verify
from snaphook.stores.overrides.security_key import new_security_key, sign_with_touch

pytestmark = pytest.mark.req("BB-PT-8")


def test_a_touch_signs_these_terms_and_no_others():
    device = Authenticator()
    key = new_security_key(lambda: [ctap(device)])

    proof = sign_with_touch(key, b"terms", lambda: [ctap(Authenticator()), ctap(device)])

    assert verify(key, b"terms", proof)
    assert not verify(key, b"other terms", proof)
    assert not verify(key, b"terms", replace(proof, data=b"\0" * 37))
    untouched = bytearray(proof.data)
    untouched[32] &= ~1
    assert not verify(key, b"terms", replace(proof, data=bytes(untouched)))
    other = new_security_key(lambda: [ctap(device)])
    assert not verify(other, b"terms", replace(proof, key=other.id))


def test_without_a_touch_or_the_right_device_nothing_is_signed():
    device = Authenticator()
    key = new_security_key(lambda: [ctap(device)])
    device.touched = False

    with pytest.raises(MachineError, match="USER_ACTION_TIMEOUT"):
        sign_with_touch(key, b"terms", lambda: [ctap(device)])
    with pytest.raises(MachineError, match="no connected device holds the key"):
        sign_with_touch(key, b"terms", lambda: [ctap(Authenticator())])
    with pytest.raises(MachineError, match="no device found"):
        new_security_key(list)
