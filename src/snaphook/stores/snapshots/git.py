"""git, asked quietly: nothing of the repository's own runs, and nobody's lock is taken."""

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from snaphook.errors import StoreError
from snaphook.shell.safe_git import quiet_environment, safe_git


class Git:
    """The repository that *root* belongs to, seen through another *index* if one is given."""

    def __init__(self, root: Path, *, seconds: float = 5.0, index: Path | None = None) -> None:
        self._root = root
        self._seconds = seconds
        self._git = safe_git(root)
        self._env = quiet_environment(os.environ.items()) | {"LC_ALL": "C"}
        if index is not None:
            self._env["GIT_INDEX_FILE"] = str(index)

    def __call__(self, *words: str, stdin: bytes = b"", check: bool = True) -> bytes:
        """Return what git prints; a StoreError where it refuses."""
        done = self.run(words, stdin)
        if check and done.returncode != 0:
            told = done.stderr.decode(errors="replace").strip().splitlines()
            raise StoreError(
                where=str(self._root),
                what=f"git {words[0]} failed: {told[-1] if told else done.returncode}",
                fix="Run it by hand to see more.",
            )
        return done.stdout

    def run(self, words: Sequence[str], stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        """Return how git ended, and what it printed."""
        try:
            return subprocess.run(
                [*self._git, *words],
                input=stdin,
                capture_output=True,
                timeout=self._seconds,
                env=self._env,
                check=False,
            )
        except FileNotFoundError as missing:
            raise StoreError(
                where=str(self._root), what="git is not installed", fix="Install git."
            ) from missing
        except subprocess.TimeoutExpired as late:
            raise StoreError(
                where=str(self._root),
                what=f"git {words[0]} took longer than {self._seconds:g} s",
                fix="Check for a slow disk, or another git process that holds a lock.",
            ) from late

    def start(self, *words: str) -> Callable[[], bytes]:
        """Start git, and return what waits for what it prints."""
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(1)
        printed = pool.submit(self, *words)
        pool.shutdown(wait=False)
        return printed.result

    def lines(self, *words: str) -> list[str]:
        """Return the lines that git prints; none where it refuses."""
        return os.fsdecode(self(*words, check=False)).splitlines()

    def objects(self, names: Sequence[str]) -> Iterator[bytes]:
        """Yield the bytes of each of the objects *names*."""
        raw = self("cat-file", "--batch", stdin="".join(f"{name}\n" for name in names).encode())
        at = 0
        for name in names:
            end = raw.index(b"\n", at)
            words = raw[at:end].split()
            if len(words) != 3:
                raise StoreError(
                    where=str(self._root),
                    what=f"git object {name} is missing",
                    fix="Try an older snapshot: 'snaphook undo --list'.",
                )
            at = end + 1 + int(words[2]) + 1
            yield raw[end + 1 : at - 1]


def repository_of(path: Path) -> Path | None:
    """Return the work tree that *path* lies in, or ``None``."""
    for folder in (path, *path.parents):
        if os.path.lexists(folder / ".git"):
            return folder
    return None
