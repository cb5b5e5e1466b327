"""Where a shared set of rules comes from.

a directory, a git address, an installed package  ->  the bytes of its rules.toml
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from snaphook.errors import MachineError, UsageError
from snaphook.providers.guard.custom_rules.rule_set import FILE
from snaphook.shell.safe_git import approved_git

_GIT = re.compile(r"(?:git\+)?(?:https://|ssh://|file://|git@[\w.-]+:)\S+")
_SECONDS = 120
_CLONE = ("-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never")
"""A fresh clone runs nothing of the repository: no hooks, no transport that names a program."""


class Fetched(Struct, frozen=True, kw_only=True):
    """A set's file, where it came from, and for git the commit."""

    data: bytes
    source: str
    commit: str = ""


def fetch_rules(source: str) -> Fetched:
    """Return the rules that *source* offers: a folder or file, ``git+https://…[@REF]``, ``package:NAME``."""
    if source.startswith("package:"):
        return _package(source.removeprefix("package:"))
    if _GIT.fullmatch(source):
        return _git(source)
    path = Path(source).expanduser()
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise UsageError(
            where=f"snaphook rules: {source}",
            what=f"no {FILE} there",
            fix="Give a directory, git+https://…, or package:NAME.",
        )
    return Fetched(data=file.read_bytes(), source=str(file.resolve().parent))


def _package(name: str) -> Fetched:
    """Read the file of an installed package. Nothing of the package is imported, so nothing of it runs."""
    try:
        spec = find_spec(name) if name.isidentifier() else None
    except (ImportError, ValueError):
        spec = None
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(folder) / FILE
        if file.is_file():
            return Fetched(data=file.read_bytes(), source=f"package:{name}")
    raise UsageError(
        where=f"snaphook rules: package:{name}",
        what=f"no installed package of this name has a {FILE}",
        fix=f"Install it beside Snaphook, or check its name: pip install {name}.",
    )


def _git(source: str) -> Fetched:
    address, ref = _split(source.removeprefix("git+"))
    with tempfile.TemporaryDirectory() as folder:
        branch = ["--branch", ref] if ref else []
        words = ["clone", "--quiet", "--depth", "1", "--no-recurse-submodules", *branch]
        _run([*approved_git(), *_CLONE, *words, "--", address, folder], source)
        commit = _run([*approved_git(), *_CLONE, "-C", folder, "rev-parse", "HEAD"], source).strip()
        file = Path(folder) / FILE
        if not file.is_file() or file.is_symlink():
            raise UsageError(
                where=f"snaphook rules: {source}",
                what=f"the repository has no {FILE} at its root",
                fix="Check the address and the branch.",
            )
        return Fetched(data=file.read_bytes(), source=source, commit=commit)


def _split(address: str) -> tuple[str, str]:
    """Return the address and the branch or tag after ``@``, which may not be that of ``git@host``."""
    head, at, ref = address.rpartition("@")
    if at and "/" in head and re.fullmatch(r"[\w./-]+", ref) and not ref.startswith("-"):
        return head, ref
    return address, ""


def _run(words: list[str], source: str) -> str:
    try:
        done = subprocess.run(words, capture_output=True, timeout=_SECONDS, check=True)
    except FileNotFoundError:
        raise MachineError(
            where="snaphook rules", what="git is not installed", fix="Install git."
        ) from None
    except subprocess.SubprocessError as problem:
        told = getattr(problem, "stderr", b"") or b""
        raise MachineError(
            where=f"snaphook rules: {source}",
            what=f"cannot be cloned: {told.decode(errors='replace').strip()[-300:] or problem}",
            fix="Check the address, the branch and your access.",
        ) from None
    return done.stdout.decode()
