"""Set up how a person proves that they are one.

passphrase, typed twice  |  security key, touched  ->  EnrolledKey, confirmed by the one before
"""

import subprocess

import msgspec
from msgspec.structs import replace

from snaphook.cli.output import say
from snaphook.config import Environment
from snaphook.daemon.overrides.messages import OverrideReply
from snaphook.errors import TrustError, UsageError
from snaphook.stores.overrides import root
from snaphook.stores.overrides.keys import Anchor, KeyStore
from snaphook.stores.overrides.override import Method
from snaphook.stores.overrides.passphrase import new_key, weakness
from snaphook.stores.overrides.proof import EnrolledKey, endorsed_bytes

from .prompt import read_secret
from .prove import choose, signature

_WHERE = "snaphook allow"


def set_passphrase(around: Environment) -> EnrolledKey:
    """Return the key of a new passphrase; it replaces the old one, which has to be typed first."""
    known = [one.key for one in KeyStore.of(around).current()]
    new = read_secret("New passphrase: ")
    if problem := weakness(new):
        raise UsageError(where=_WHERE, what=problem, fix="Choose a longer one.")
    if read_secret("Again: ") != new:
        raise UsageError(where=_WHERE, what="the two passphrases differ", fix="Try again.")
    old = next((one.id for one in known if one.method is Method.PASSPHRASE), "")
    return _endorsed(new_key(new, replaces=old), known)


def add_security_key(around: Environment) -> EnrolledKey:
    """Return a key that a security key holds from now on, beside what is set up."""
    from snaphook.stores.overrides.security_key import new_security_key

    known = [one.key for one in KeyStore.of(around).current()]
    say("Touch your security key to set it up.", err=True)
    return _endorsed(new_security_key(), known)


def anchor_keys(around: Environment) -> OverrideReply:
    """Have root write down the keys that count, where no process of this user can change it."""
    store = KeyStore.of(around)
    keys = tuple(one.key.id for one in store.current())
    command = root.command(store.anchor)
    if not keys or not command:
        raise TrustError(
            where=_WHERE,
            what="no method is set up" if not keys else "neither sudo nor pkexec can be used here",
            fix="Run: snaphook allow --set-passphrase" if not keys else "Ask an administrator.",
        )
    raw = msgspec.json.encode(Anchor(keys=keys))
    say(f"root writes {store.anchor}: {raw.decode()}", err=True)
    if subprocess.run(command, input=raw, check=False).returncode:
        raise TrustError(where=_WHERE, what="not confirmed", fix="Nothing was changed.")
    return OverrideReply(done=True, text=f"Confirmed by root: {', '.join(keys)}")


def _endorsed(key: EnrolledKey, known: list[EnrolledKey]) -> EnrolledKey:
    """Return *key*, signed with a key that is set up; as it is where there is none."""
    by = choose(known)
    if by is None:
        return key
    say("Confirm with the method that is set up.", err=True)
    return replace(key, endorsed_by=by.id, endorsement=signature(by, endorsed_bytes(key)))
