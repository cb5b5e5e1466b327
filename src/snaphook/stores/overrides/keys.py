"""The keys whose signatures count for a user, and since when.

~/.local/share/snaphook/overrides/keys/*.json  ->  EnrolledKeys

A process of the same user can write this folder, so a file there proves little by itself:
- A key that an earlier key endorsed is as old as that one. Changing a passphrase needs the old one.
- Any other key counts only for agents that were started after it: the file's change time, which only
  the kernel sets, says when. An agent that plants a key gains nothing for itself.
- A list of keys in a folder that belongs to root (the anchor) ends the doubt: then only those count.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.config import Environment
from snaphook.storage.files import replace, write_new
from snaphook.storage.folders import make_private

from .proof import EnrolledKey, endorsed_bytes, verify
from .root import is_roots_own

_LONGEST_CHAIN = 64
"""Endorsements that are followed; more would be a loop."""


class Anchor(Struct, frozen=True, kw_only=True):
    """The keys that root has confirmed for a user."""

    keys: tuple[str, ...] = ()


class KnownKey(Struct, frozen=True, kw_only=True):
    """A key that counts."""

    key: EnrolledKey
    since: float
    """The time of day from which it counts, as the file system says."""
    root: str
    """The first key of its chain of endorsements."""
    anchored: bool
    """Whether root has confirmed it."""


class KeyStore:
    """The keys of one user."""

    def __init__(self, folder: Path, anchor: Path) -> None:
        self.folder = folder
        self.anchor = anchor

    @classmethod
    def of(cls, around: Environment) -> "KeyStore":
        """Return the store of the user in *around*."""
        anchor = around.managed / "snaphook" / "overrides" / f"{os.getuid()}.json"
        return cls(around.shared_dir / "overrides" / "keys", anchor)

    def current(self) -> tuple[KnownKey, ...]:
        """Return the keys that count, the oldest first."""
        found = dict(self._read())
        anchor = self._anchored()
        replaced = {one.replaces for one, _ in found.values() if self._endorsed(one, found)}
        known = [
            one
            for key, _ in found.values()
            if key.id not in replaced and (one := self._known(key, found, anchor))
        ]
        return tuple(sorted(known, key=lambda one: (one.since, one.key.enrolled)))

    def find(self, key: str) -> KnownKey | None:
        """Return the key with this id, if it counts."""
        return next((one for one in self.current() if one.key.id == key), None)

    def add(self, key: EnrolledKey) -> Path:
        """Keep *key*, readable for its owner alone. A file that is there is never rewritten."""
        make_private(self.folder)
        path = self.folder / f"{key.id}.json"
        write_new(path, msgspec.json.encode(key))
        return path

    def remove(self, key: str) -> bool:
        """Forget a key; return whether it was there."""
        path = self.folder / f"{Path(key).name}.json"
        there = path.exists()
        path.unlink(missing_ok=True)
        return there

    def _known(
        self,
        key: EnrolledKey,
        found: dict[str, tuple[EnrolledKey, float]],
        anchor: Anchor | None,
    ) -> KnownKey | None:
        root = key
        for _ in range(_LONGEST_CHAIN):
            if anchor is not None and root.id in anchor.keys:
                break
            if not root.endorsed_by:
                break
            if not self._endorsed(root, found):
                return None
            root = found[root.endorsed_by][0]
        if anchor is not None and root.id not in anchor.keys:
            return None
        return KnownKey(key=key, since=found[root.id][1], root=root.id, anchored=anchor is not None)

    @staticmethod
    def _endorsed(key: EnrolledKey, found: dict[str, tuple[EnrolledKey, float]]) -> bool:
        if key.endorsed_by not in found or key.endorsement is None:
            return False
        return verify(found[key.endorsed_by][0], endorsed_bytes(key), key.endorsement)

    def _read(self) -> Iterator[tuple[str, tuple[EnrolledKey, float]]]:
        for path in sorted(self.folder.glob("*.json")):
            try:
                handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
                with os.fdopen(handle, "rb") as file:
                    about = os.fstat(handle)
                    key = msgspec.json.decode(file.read(), type=EnrolledKey)
            except (OSError, msgspec.MsgspecError):
                continue  # damaged or foreign: it counts for nothing
            if stat.S_ISREG(about.st_mode) and path.stem == key.id:
                yield key.id, (key, about.st_ctime)

    def _anchored(self) -> Anchor | None:
        """Return what root has confirmed; ``None`` if root has no say here.

        For root itself there is no anchor: its agents could write one.
        """
        if os.getuid() == 0 or not is_roots_own(self.anchor):
            return None
        try:
            return msgspec.json.decode(self.anchor.read_bytes(), type=Anchor)
        except (OSError, msgspec.MsgspecError):
            return Anchor()  # root wrote something that nobody can read: no key counts


def replace_file(path: Path, raw: bytes) -> None:
    """Write *raw* for its owner alone."""
    make_private(path.parent)
    replace(path, raw)
