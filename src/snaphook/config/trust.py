"""Who approved a project's settings, and whether they are still the same.

SettingsDocument + scripts  ->  fingerprint  ->  trusted or not

The approvals live in the user's data folder. A fingerprint covers the file's bytes and the
project's own scripts that it names; when one of them changes, the approval is gone.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.errors import StoreError

from .documents import SettingsDocument
from .environment import Environment
from .scripts import commands_in, module_files, named_files
from .write import write_atomically

Approvals = dict[str, dict[str, str]]
"""Project root to file to fingerprint."""


COMMAND_FILES: Mapping[str, str] = {"gates": ".sauna/hooks.json"}
"""Built-in providers that run commands of the project, and the file in which those stand."""


class Fingerprint(Struct, frozen=True, kw_only=True):
    """What an approval holds on to."""

    digest: str
    scripts: tuple[Path, ...]


def fingerprint(document: SettingsDocument, root: Path) -> Fingerprint:
    """Return the fingerprint of *document* and of the scripts under *root* that it names."""
    scripts = tuple(sorted(set(_scripts(document.data, root))))
    import hashlib  # only a project with settings of its own needs it

    whole = hashlib.sha256(document.raw)
    for script in scripts:
        whole.update(f"\0{os.path.relpath(script, root)}\0".encode(errors="surrogateescape"))
        whole.update(_digest(script))
    return Fingerprint(digest=whole.hexdigest(), scripts=scripts)


class TrustStore:
    """The approvals of one user: read often, written under a lock, whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def of(cls, around: Environment) -> "TrustStore":
        """Return the store in the user's data folder."""
        return cls(around.shared_dir / "trust.json")

    def approvals(self) -> Approvals:
        """Return every approval; a store that cannot be read is a StoreError."""
        try:
            return _decoded(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError, ValueError) as why:
            raise StoreError(
                where=str(self.path),
                what=f"the approvals cannot be read ({why})",
                fix="Remove the file and approve the projects again: snaphook trust.",
            ) from None

    def of_project(self, root: Path) -> Mapping[str, str]:
        """Return the approved fingerprints of *root*; none where the store cannot be read."""
        try:
            return self.approvals().get(str(root), {})
        except StoreError:
            return {}

    def approve(self, root: Path, digests: Mapping[str, str]) -> None:
        """Remember *digests* as the approved state of *root*, in place of any earlier one."""
        self._change(lambda approvals: approvals.update({str(root): dict(digests)}))

    def revoke(self, root: Path) -> bool:
        """Forget what was approved for *root*; say whether there was anything."""
        known = str(root) in self.approvals()
        if known:
            self._change(lambda approvals: approvals.pop(str(root), None))
        return known

    def _change(self, change: Any) -> None:
        import json

        from snaphook.storage.lock import take

        try:
            held = take(self.path.with_suffix(".lock"), patience=10)
            if held is None:
                raise TimeoutError("another process has been changing it for 10 s")
            with held:
                approvals = self.approvals()
                change(approvals)
                raw = json.dumps(approvals, indent=2, sort_keys=True)
                write_atomically(self.path, raw.encode() + b"\n", mode=0o600)
        except OSError as why:
            raise StoreError(
                where=str(self.path),
                what=f"the approval cannot be kept ({why})",
                fix="Make the folder writable for you.",
            ) from None


def _decoded(raw: bytes) -> Approvals:
    try:
        return msgspec.json.decode(raw, type=Approvals)
    except msgspec.DecodeError:  # a folder may have a name that is not UTF-8
        import json

        return msgspec.convert(json.loads(raw), Approvals)


def _scripts(data: Mapping[str, Any], root: Path) -> list[Path]:
    """Return the files of the project that the settings would run."""
    found: list[Path] = []
    for command in commands_in(data.get("hooks")):
        found.extend(named_files(command, root))
    providers = data.get("providers")
    for entry in providers.values() if isinstance(providers, dict) else ():
        if isinstance(entry, dict) and isinstance(entry.get("use"), str):
            found.extend(module_files(entry["use"], root))
            if entry["use"] in COMMAND_FILES:  # one that is not there yet counts, too
                found.append(root / COMMAND_FILES[entry["use"]])
    return found


def _digest(path: Path) -> bytes:
    """Return the file's hash; one that cannot be read has none that anyone approved."""
    import hashlib

    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return b"unreadable"
