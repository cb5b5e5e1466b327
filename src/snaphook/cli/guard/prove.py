"""Have a person prove that they agree to an offer.

Override, shown in full  ->  passphrase, security key or sudo  ->  Proof
"""

import subprocess

from snaphook.cli.output import say, say_lines
from snaphook.config import Environment
from snaphook.daemon.overrides.listing import terms
from snaphook.errors import MachineError, TrustError
from snaphook.printable import printable_line
from snaphook.stores.overrides import root
from snaphook.stores.overrides.keys import KeyStore
from snaphook.stores.overrides.override import Method, Override, signed_bytes
from snaphook.stores.overrides.passphrase import sign
from snaphook.stores.overrides.proof import EnrolledKey, Proof

from .prompt import read_secret

_WHERE = "snaphook allow"
TRIES = 3


def prove(offer: Override, around: Environment, *, method: str = "") -> Proof:
    """Show *offer* and return the person's proof; TrustError where they do not give one."""
    show(offer)
    message = signed_bytes(offer)
    keys = [one.key for one in KeyStore.of(around).current()]
    chosen = choose(keys, method)
    if chosen is None:
        return by_root(offer.challenge, message)
    return signature(chosen, message)


def choose(keys: list[EnrolledKey], method: str = "") -> EnrolledKey | None:
    """Return the key to use: the one of *method*, else a passphrase before a security key."""
    if method == Method.ROOT:
        return None
    ordered = sorted(keys, key=lambda key: key.method is not Method.PASSPHRASE)
    found = [key for key in ordered if method in ("", key.method)]
    if method and not found:
        raise TrustError(
            where=_WHERE,
            what=f"no {method} is set up",
            fix="'snaphook allow --keys' lists what is.",
        )
    return found[0] if found else None


def signature(key: EnrolledKey, message: bytes) -> Proof:
    """Return *key*'s signature over *message*, once the person has unlocked it."""
    if key.method is Method.SECURITY_KEY:
        from snaphook.stores.overrides.security_key import sign_with_touch

        say("Touch your security key.", err=True)
        return sign_with_touch(key, message)
    for left in reversed(range(TRIES)):
        if proof := sign(key, read_secret("Passphrase: "), message):
            return proof
        if left:
            say("Wrong passphrase. Try again.", err=True)
    raise TrustError(where=_WHERE, what="wrong passphrase", fix="Nothing was allowed.")


def by_root(challenge: str, message: bytes) -> Proof:
    """Have the system ask for a password, and root write down that *message* is agreed to."""
    command = root.command(root.place_of(challenge))
    if not command:
        raise TrustError(
            where=_WHERE,
            what="no method is set up to override a denial",
            fix="Run: snaphook allow --set-passphrase",
        )
    try:
        done = subprocess.run(command, input=root.answer_to(message), check=False)
    except OSError as problem:
        raise MachineError(
            where=command[0], what=str(problem), fix="Nothing was allowed."
        ) from None
    if done.returncode:
        raise TrustError(where=_WHERE, what="not confirmed", fix="Nothing was allowed.")
    return Proof(method=Method.ROOT)


def show(offer: Override) -> None:
    """Show what is about to be allowed, in full, with nothing in it that moves the cursor."""
    what = printable_line(offer.command) if offer.command else "every call (rules only warn)"
    say_lines(f"About to allow:\n\n    {what}\n", err=True)
    say(f"  {printable_line(terms(offer))}", err=True)
    if offer.rules:
        say(f"  although: {printable_line(', '.join(sorted(offer.rules)))}", err=True)
