"""Set up a key, or forget one.

EnrolledKey + who asks  ->  KeyStore

The first key is taken on trust: nothing proves yet that a person acts. So it counts only for agents
that are started later (see keys.py), and a request of an agent's own process is refused.
"""

from pathlib import Path

from snaphook.config import Environment
from snaphook.stores.overrides.keys import KeyStore
from snaphook.stores.overrides.override import Method
from snaphook.stores.overrides.person import Witness
from snaphook.stores.overrides.proof import EnrolledKey, endorsed_bytes, verify
from snaphook.stores.overrides.registry import KEY_ENROLLED, OverrideRegistry

from .evaluate import CannotAllow
from .messages import OverrideReply, OverrideRequest

OLD_PASSPHRASE = "passphrase"  # noqa: S105 - a file's name
"""Where earlier versions kept a hash. It proves nothing any more."""


def enroll(
    registry: OverrideRegistry, key: EnrolledKey | None, seen: Witness, around: Environment
) -> OverrideReply:
    """Keep *key*; where others are enrolled, one of them must have endorsed it."""
    store = KeyStore.of(around)
    if key is None or key.method not in (Method.PASSPHRASE, Method.SECURITY_KEY):
        raise CannotAllow("the request names no key", "Compare versions: snaphook doctor")
    known = {one.key.id: one for one in store.current()}
    if known and not _is_endorsed(
        key, known[key.endorsed_by].key if key.endorsed_by in known else None
    ):
        raise CannotAllow(
            "a method is set up already, and it did not confirm the new one",
            "Use the passphrase or security key that is set up.",
        )
    path = store.add(key)
    if not known:
        registry.enrolled_by[key.id] = seen
    (around.config_dir / OLD_PASSPHRASE).unlink(missing_ok=True)
    registry.watch(around)
    how = "confirmed by the earlier one" if known else "the first one"
    registry.audit(
        KEY_ENROLLED, f"{key.method} {key.id} set up ({how}), {path}", env=around.env, cwd="/"
    )
    text = f"The {key.method} is set up ({key.id}); 'snaphook allow' asks for it from now on."
    if not known:
        text += "\nIt applies to agents started from now on; restart running agents."
    return OverrideReply(done=True, text=text)


def forget(
    registry: OverrideRegistry, asked: OverrideRequest, around: Environment
) -> OverrideReply:
    """Remove a key: anybody may, since less can be overridden then."""
    store = KeyStore.of(around)
    if not store.remove(Path(asked.what).name):
        raise CannotAllow(f"unknown key {asked.what}", "'snaphook allow --keys' lists them.")
    registry.forget_roots(around)
    registry.active.clear()
    registry.audit(KEY_ENROLLED, f"key {asked.what} was removed", env=around.env, cwd="/")
    return OverrideReply(done=True, text=f"Removed: {asked.what}. All overrides are void.")


def _is_endorsed(key: EnrolledKey, by: EnrolledKey | None) -> bool:
    if by is None or key.endorsement is None:
        return False
    return verify(by, endorsed_bytes(key), key.endorsement)
