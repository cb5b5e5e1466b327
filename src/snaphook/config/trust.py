"""Who approved a project's settings, and whether they are still the same.

SettingsDocument + scripts  ->  fingerprint  ->  trusted or not

The approvals live in the user's data folder. One covers what the file says, and every file of the
project that its commands and providers run, by content; when one of them changes, it is void.
Where only rules changed, commands still run, and the rules may not relax what holds without them.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.errors import StoreError

from .coverage import Cover, Coverage, follow, module_places
from .documents import SettingsDocument
from .environment import Environment
from .scripts import commands_in, named_files
from .write import write_atomically


class Approval(Struct, frozen=True, kw_only=True):
    """One settings file as it was approved."""

    digest: str
    """Of what the file says; comments and blanks do not count."""
    files: dict[str, str] = {}
    """What its commands and providers run, relative to the project: each file's hash, or nothing for
    a name that must stay unused."""
    commands: str = ""
    """Of the part that runs commands and providers. Empty in approvals of earlier versions."""


RULE_TABLES = frozenset({"guard", "provenance", "sandbox"})
"""Tables that hold rules and no command: a file that nobody approved may still make them stricter."""
RULE_VALUES = frozenset({"strategy", "parallel", "stop_block_cap", "disable_all_hooks"})
"""Plain values with no command in them."""
_LABELS = frozenset({"name", "description", "statusMessage", "timeout"})
"""Keys of a hook that do not change what it runs."""
Approvals = dict[str, dict[str, Approval | str]]
"""Project root to file to approval; a text is an approval of an earlier version, which is void."""
COMMAND_FILES: Mapping[str, str] = {"gates": ".sauna/hooks.json"}
"""Built-in providers that run commands of the project, and the file in which those stand."""


class Fingerprint(Struct, frozen=True, kw_only=True):
    """What an approval would hold on to."""

    approval: Approval
    scripts: tuple[Path, ...]
    unknown: tuple[str, ...] = ()
    """What runs and cannot be covered."""


def fingerprint(document: SettingsDocument, root: Path, cover: Cover | None = None) -> Fingerprint:
    """Return what approving *document* covers: its meaning, and what it runs from *root*.

    *cover* says what a command runs; without it only the files that a command names are covered.
    """
    found = _coverage(document.data, root, cover)
    files = {_near(path, root): digest_of(path) for path in found.files}
    files |= {_near(path, root): "" for path in found.absent}
    return Fingerprint(
        approval=Approval(
            digest=meaning(document), files=dict(sorted(files.items())), commands=commands(document)
        ),
        scripts=tuple(sorted(found.files)),
        unknown=found.unknown,
    )


def is_valid(approval: Approval | str | None, document: SettingsDocument, root: Path) -> bool:
    """Return whether *document* and all that it runs are as they were approved."""
    return (
        isinstance(approval, Approval)
        and approval.digest == meaning(document)
        and not changed_files(approval, root)
    )


def runs_as_approved(
    approval: Approval | str | None, document: SettingsDocument, root: Path
) -> bool:
    """Return whether the commands of *document* are as they were approved, whatever its rules."""
    return (
        isinstance(approval, Approval)
        and bool(approval.commands)
        and approval.commands == commands(document)
        and not changed_files(approval, root)
    )


def changed_files(approval: Approval, root: Path) -> list[Path]:
    """Return the covered files that are not as they were approved."""
    return [
        root / name for name, digest in approval.files.items() if digest_of(root / name) != digest
    ]


def meaning(document: SettingsDocument) -> str:
    """Return the hash of what *document* says, whatever its comments and blanks."""
    return _hash(document.data)


def commands(document: SettingsDocument) -> str:
    """Return the hash of the part of *document* that can run something.

    Every table counts but those of rules, since providers, channels and exporters name programs too.
    """
    apart = RULE_TABLES | RULE_VALUES
    data = {key: value for key, value in document.data.items() if key not in apart}
    return _hash({**data, "hooks": _unlabelled(data.get("hooks"))})


def _unlabelled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unlabelled(one) for key, one in value.items() if key not in _LABELS}
    return [_unlabelled(one) for one in value] if isinstance(value, list) else value


def _hash(data: Any) -> str:
    import hashlib  # only a project with settings of its own needs it
    import json

    said = json.dumps(data, sort_keys=True, default=str)
    return hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()


def digest_of(path: Path) -> str:
    """Return the hash of a file; nothing if there is none, and a word that nobody approves otherwise."""
    import hashlib

    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return "dangling link" if path.is_symlink() else ""
    except OSError as problem:
        return f"unreadable ({type(problem).__name__})"


def _near(path: Path, root: Path) -> str:
    return os.path.relpath(path, root)


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
                what=f"the list of approvals cannot be read ({why})",
                fix="Remove the file and approve the projects again: snaphook trust.",
            ) from None

    def of_project(self, root: Path) -> Mapping[str, Approval | str]:
        """Return the approved fingerprints of *root*; none where the store cannot be read."""
        try:
            return self.approvals().get(str(root), {})
        except StoreError:
            return {}

    def approve(self, root: Path, given: Mapping[str, Approval]) -> None:
        """Remember *given* as the approved state of *root*, in place of any earlier one."""
        self._change(lambda approvals: approvals.update({str(root): dict(given)}))

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
                raw = json.dumps(msgspec.to_builtins(approvals), indent=2, sort_keys=True)
                write_atomically(self.path, raw.encode() + b"\n", mode=0o600)
        except OSError as why:
            raise StoreError(
                where=str(self.path),
                what=f"the approval cannot be saved ({why})",
                fix="Make the folder writable.",
            ) from None


def _decoded(raw: bytes) -> Approvals:
    try:
        return msgspec.json.decode(raw, type=Approvals)
    except msgspec.DecodeError:  # a folder may have a name that is not UTF-8
        import json

        return msgspec.convert(json.loads(raw), Approvals)


def _coverage(data: Mapping[str, Any], root: Path, cover: Cover | None) -> Coverage:
    """Return what the settings would run from the project."""
    found = Coverage()
    for command in commands_in(data.get("hooks")):
        found |= follow(named_files(command, root), root)
        if cover is not None:
            found |= cover(command, root)
    providers = data.get("providers")
    for entry in providers.values() if isinstance(providers, dict) else ():
        if isinstance(entry, dict) and isinstance(entry.get("use"), str):
            found |= _provider(entry["use"], root)
    return found


def _provider(use: str, root: Path) -> Coverage:
    if use in COMMAND_FILES:
        path = root / COMMAND_FILES[use]
        there = path.is_file()
        files, absent = (frozenset({path}), frozenset[Path]()) if there else (frozenset(), {path})
        return Coverage(files=files, absent=frozenset(absent))
    module, colon, _ = use.partition(":")
    if not colon:
        return Coverage()
    bases = (root, root / "src")
    places = [path for base in bases for path in module_places(module, base)]
    if _is_installed(module.partition(".")[0], root):
        return Coverage()  # it comes before a project's module of that name
    found = follow(places, root, bases=bases, shadows=False)
    free = frozenset(path for path in places if not path.exists())
    return found | Coverage(absent=free)


def _is_installed(package: str, root: Path) -> bool:
    """Return whether *package* is found outside the project."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec(package)
    where = [spec.origin, *(spec.submodule_search_locations or ())] if spec else []
    return any(one and not Path(one).is_relative_to(root) for one in where)
