"""Where compiled policies lie, and the prefix that names one.

Policy  ->  file beside the helper's empty file and folder  ->  words in front of a command
"""

import os
import shutil
from pathlib import Path

from msgspec import Struct

from snaphook.storage.files import replace
from snaphook.storage.folders import make_private

from .git import hook_names
from .helper import Ability
from .policy import Policy, compiled, name_of
from .reports import FOLDER
from .seatbelt import profile


class Prefix(Struct, frozen=True, kw_only=True):
    """What stands in front of a confined command."""

    helper: str
    policy: str
    """``@NAME``, or ``@/folder/NAME`` where the helper would not find it by itself."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words, for who starts the command without a shell."""
        return (self.helper, self.policy)

    def named(self, path: str) -> "Prefix | None":
        """Return the prefix with the bare name of the helper; nothing where *path* leads elsewhere."""
        name = os.path.basename(self.helper)  # noqa: PTH119
        same = shutil.which(name, path=path) == self.helper and "/" not in self.policy
        return Prefix(helper=name, policy=self.policy) if same else None

    @property
    def git_words(self) -> tuple[str, ...]:
        """The words in front of a git whose hooks alone are confined."""
        return (self.helper, "--hooks", self.policy)


class PolicyStore:
    """The folder of compiled policies."""

    def __init__(self, folder: Path, *, known: bool = True) -> None:
        self.folder = folder
        self._known = known

    @property
    def reports(self) -> Path:
        """The folder where the helper reports refusals."""
        return self.folder / FOLDER

    def prefix(self, policy: Policy, able: Ability, *, tag: str = "") -> Prefix:
        """Return the prefix of *policy*, written down first where it is new.

        *tag*: the name under which refusals are reported.
        """
        raw = compiled(policy, profile(policy) if able.seatbelt else "")
        name = name_of(raw)
        path = self.folder / name
        if not path.exists() or not (self.folder / "resolv.conf").exists():
            self._prepare()
            replace(path, raw, durable=False)
        if policy.hooks:
            self._wrap_hooks(policy, name, able)
        told = name if self._known else f"{self.folder}/{name}"
        if tag and able.watcher:
            self.reports.mkdir(mode=0o700, exist_ok=True)
            told = f"{told}.{tag}"
        return Prefix(helper=able.helper, policy=f"@{told}")

    def holds(self, policy: str) -> bool:
        """Say whether ``@NAME`` of a command names a policy of ours."""
        name = policy.rpartition("/")[2].lstrip("@").partition(".")[0]
        return os.path.exists(self.folder / name)  # noqa: PTH110

    def _prepare(self) -> None:
        make_private(self.folder)
        empty, folder = self.folder / "empty", self.folder / "empty.d"
        if not empty.exists():
            replace(empty, b"", mode=0, durable=False)
        folder.mkdir(mode=0, exist_ok=True)
        names = self.folder / "resolv.conf"
        if not names.exists():
            replace(names, b"nameserver 127.0.0.1\noptions timeout:5\n", mode=0o644, durable=False)

    def _wrap_hooks(self, policy: Policy, name: str, able: Ability) -> None:
        """Write, for each hook of the repository, a script that runs it confined."""
        from shlex import quote

        folder = self.folder / f"hooks-{name}"
        folder.mkdir(mode=0o700, exist_ok=True)
        wanted = set(hook_names(policy.hooks))
        for stale in {one.name for one in folder.iterdir()} - wanted:
            (folder / stale).unlink()
        for hook in wanted:
            words = " ".join(
                map(quote, (able.helper, f"@{self.folder}/{name}", f"{policy.hooks}/{hook}"))
            )
            script = f'#!/bin/sh\nexec {words} "$@"\n'.encode()
            path = folder / hook
            if not path.exists() or path.read_bytes() != script:
                replace(path, script, mode=0o700, durable=False)
