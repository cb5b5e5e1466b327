"""Overrides without an end, on disk, each with its proof.

~/.local/share/snaphook/overrides/always/*.json  ->  the ones whose signatures are valid

A file that was edited, or signed with a key that does not count, is ignored and reported.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.config import Environment

from .keys import KeyStore, KnownKey, replace_file
from .override import BlockedCall, Override, signed_bytes
from .proof import Proof, verify


class Standing(Struct, frozen=True, kw_only=True):
    """An override without an end, and its proof."""

    override: Override
    proof: Proof
    made: float


class StandingOverrides:
    """What one user has allowed for good."""

    def __init__(self, folder: Path, keys: KeyStore) -> None:
        self.folder = folder
        self._keys = keys

    @classmethod
    def of(cls, around: Environment) -> "StandingOverrides":
        """Return those of the user in *around*."""
        return cls(around.shared_dir / "overrides" / "always", KeyStore.of(around))

    def add(self, standing: Standing) -> None:
        """Keep *standing*."""
        replace_file(self.folder / f"{standing.override.id}.json", msgspec.json.encode(standing))

    def remove(self, name: str) -> Standing | None:
        """Drop the one with this id; return it."""
        path = self.folder / f"{Path(name).name}.json"
        found = _read(path)
        path.unlink(missing_ok=True)
        return found

    def valid(self) -> Iterator[tuple[Standing, KnownKey]]:
        """Yield those whose proof is valid, with the key that proves it."""
        if not self.folder.is_dir():
            return
        keys = {one.key.id: one for one in self._keys.current()}
        for path in sorted(self.folder.glob("*.json")):
            standing = _read(path)
            known = keys.get(standing.proof.key) if standing else None
            if standing and known and _is_proved(standing, known):
                yield standing, known

    def invalid(self) -> tuple[Path, ...]:
        """Return the files that do not count."""
        good = {f"{one.override.id}.json" for one, _ in self.valid()}
        return tuple(path for path in sorted(self.folder.glob("*")) if path.name not in good)

    def fitting(self, call: BlockedCall) -> Iterator[tuple[Standing, KnownKey]]:
        """Yield those that allow *call*."""
        return ((one, known) for one, known in self.valid() if one.override.fits(call))


def _is_proved(standing: Standing, known: KnownKey) -> bool:
    override = standing.override
    always = override.duration == "always" and not override.pauses
    return always and verify(known.key, signed_bytes(override), standing.proof)


def _read(path: Path) -> Standing | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Standing)
    except (OSError, msgspec.MsgspecError):
        return None
