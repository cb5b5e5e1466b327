"""A machine in small: a home with secrets, a project, a place outside, and commands run as an agent's.

Everything lies in one folder under /tmp; the guard is told that only ``tmp`` in it is temporary, so that
the rest counts as what it stands for.
"""

import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.sandboxing.confine import Confiner
from snaphook.providers.guard.settings import GuardSettings
from snaphook.sandbox.calls import ConfinedCalls
from snaphook.sandbox.helper import ability
from snaphook.sandbox.policy import Policy
from snaphook.sandbox.settings import SandboxSettings
from snaphook.sandbox.store import PolicyStore, Prefix
from snaphook.shell.live import LiveWorld

HELPER = Path(sys.executable).with_name("snaphook-sandbox")
NOBODY = 61_234
"""A user that no machine has: what most people are, unlike the root that tests may run as."""
SECRET = "s3cr3t-of-this-machine"
PATH = os.environ["PATH"]


class Box:
    """One such machine."""

    more_env: Mapping[str, str] = {}
    """Further variables that an agent has set."""

    def __init__(
        self,
        *,
        unprivileged: bool = False,
        network: Literal["open", "allowlist", "off"] = "open",
        **more: Any,
    ) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="box-", dir="/tmp"))
        self.home, self.project = self.base / "home", self.base / "home" / "project"
        self.outside, self.tmp = self.base / "outside", self.base / "tmp"
        self.user = NOBODY if unprivileged else None
        self.settings = SandboxSettings(network=network, **more)
        self.guard = GuardSettings(temp_dirs=(str(self.tmp),))
        self._furnish()

    def _furnish(self) -> None:
        for folder in (self.project / ".git" / "hooks", self.outside, self.tmp, self.home / ".ssh",
                       self.home / ".aws", self.home / "Documents", self.home / ".cache"):  # fmt: skip
            folder.mkdir(parents=True)
        (self.project / ".git" / "config").write_text("[core]\n\trepositoryformatversion = 0\n")
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (self.project / ".claude").mkdir()
        (self.project / ".claude" / "settings.json").write_text("{}\n")
        (self.project / "keep.txt").write_text("keep\n")
        for path in (
            self.home / "Documents" / "thesis.txt",
            self.outside / "data.txt",
            self.home / ".bashrc",
        ):
            path.write_text("precious\n")
        (self.home / ".ssh" / "id_ed25519").write_text(SECRET)
        (self.home / ".aws" / "credentials").write_text(SECRET)
        (self.home / ".netrc").write_text(SECRET)
        self.policy()  # the first one makes the folders of caches

    def own(self) -> None:
        """Give everything to the user that commands run as."""
        if self.user is not None:
            for path in (self.base, *self.base.rglob("*")):
                os.chown(path, self.user, self.user, follow_symlinks=False)

    @property
    def env(self) -> dict[str, str]:
        own = {"HOME": str(self.home), "PATH": PATH, "LANG": "C.UTF-8", "TMPDIR": str(self.tmp)}
        return {**own, **self.more_env}

    def world(self, cwd: Path | None = None) -> LiveWorld:
        return LiveWorld(str(cwd or self.project), env=self.env, project=str(self.project))

    def confiner(self, settings: SandboxSettings | None = None) -> Confiner:
        return Confiner(
            settings or self.settings,
            self.guard,
            PolicyStore(self.base / "data" / "sandbox", known=False),
            can_modify=lambda _event, _context: True,
            calls=ConfinedCalls(self.base / "data" / "sandbox" / "calls"),
        )

    def policy(self) -> tuple[Policy, Prefix]:
        made = self.confiner().policy(self.world())
        self.own()
        return made

    def run(
        self,
        command: str,
        *,
        without: tuple[str, ...] = (),
        env: Mapping[str, str] | None = None,
        **more: Any,
    ) -> "subprocess.CompletedProcess[str]":
        """Run shell text confined."""
        _, prefix = self.policy()
        words = [
            prefix.helper,
            *(f"--without={one}" for one in without),
            prefix.policy,
            "bash",
            "-c",
            command,
        ]
        return self.start(words, env=env, **more)

    def agent(
        self, command: str, *, env: Mapping[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run *command* as an agent's shell would: judged, rewritten where the guard says so."""
        text = self.rewritten(command)
        if text is None:
            return subprocess.CompletedProcess([], 2, "", "denied")
        return self.start(["bash", "-c", text], env=env)

    def rewritten(self, command: str) -> str | None:
        """Return what an agent's shell would run for *command*; nothing where the guard denies it."""
        world = self.world()
        judgement = examine(command, world, settings=self.guard)
        if judgement.answer is GuardAnswer.DENY:
            return None
        confiner = self.confiner()
        made = confiner.command(confiner.relieved(judgement), world)
        self.own()
        return made[0] if made else command

    def start(
        self, words: list[str], *, env: Mapping[str, str] | None = None, **more: Any
    ) -> "subprocess.CompletedProcess[str]":
        if self.user is not None:
            more |= {"user": self.user, "group": self.user, "extra_groups": ()}
        return subprocess.run(
            words,
            cwd=more.pop("cwd", self.project),
            env={**self.env, **(env or {})},
            text=True,
            errors="replace",
            capture_output=True,
            timeout=100,
            check=False,
            **more,
        )

    @cached_property
    def _caches(self) -> list[Path]:
        policy, _ = self.policy()
        return [Path(path) for path in policy.write if path != str(self.project)]

    def state(self) -> dict[str, tuple[object, ...]]:
        """Return everything outside project, temporary files and caches, bytes and permissions."""
        free = (*self._caches, self.base / "data")
        kept = {
            self.project / name for name in (".git/config", ".git/hooks", ".claude/settings.json")
        }
        found: dict[str, tuple[object, ...]] = {}
        for path in _below(self.base):
            inside = path == self.project or self.project in path.parents
            if any(path == one or one in path.parents for one in free):
                continue
            if inside and not any(path == one or one in path.parents for one in kept):
                continue
            found[str(path.relative_to(self.base))] = _told(path)
        return found

    def close(self) -> None:
        shutil.rmtree(self.base, ignore_errors=True)


def _below(top: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(top):
        for name in (*folders, *files):
            yield Path(folder, name)


def _told(path: Path) -> tuple[object, ...]:
    seen = path.lstat()
    raw = path.read_bytes() if stat.S_ISREG(seen.st_mode) else b""
    link = str(path.readlink()) if stat.S_ISLNK(seen.st_mode) else ""
    changed = seen.st_mtime_ns if stat.S_ISREG(seen.st_mode) else 0
    owner = (seen.st_uid, seen.st_gid)
    return seen.st_mode, owner, hashlib.sha256(raw).hexdigest(), link, changed


def missing() -> str | None:
    """Say what is missing for tests that confine."""
    able = ability()
    return None if able.confines and able.namespaces else "; ".join(able.gaps)
