"""A real terminal for tests: tmux without anybody's settings, on a socket of its own."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

PATIENCE = 30.0


class Terminal:
    """A shell in a window of so many columns and lines."""

    def __init__(
        self, folder: Path, env: Mapping[str, str], size: tuple[int, int] = (80, 24)
    ) -> None:
        self._socket = folder / "tmux"
        width, height = size
        needed = {
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "PS1": "$ ",
        }
        self._env = {**needed, **env}
        self._run("new-session", "-d", "-x", str(width), "-y", str(height), "-c", str(folder), "sh")

    def type(self, text: str) -> None:
        """Type a line."""
        self._run("send-keys", "-l", text)
        self._run("send-keys", "Enter")

    def press(self, *keys: str) -> None:
        """Press *keys*, as tmux calls them."""
        self._run("send-keys", *keys)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self._run("resize-window", "-x", str(width), "-y", str(height))

    def screen(self) -> str:
        """Return what is to be seen."""
        return self._run("capture-pane", "-p")

    def ask(self, what: str) -> str:
        """Return what tmux knows of the pane: ``alternate_on``, ``cursor_flag`` …"""
        return self._run("display-message", "-p", f"#{{{what}}}").strip()

    def shows(self, *words: str) -> str:
        """Return the screen once it has all of *words*."""
        return self.until(lambda screen: all(word in screen for word in words), words)

    def until(self, fits: Callable[[str], bool], what: object = "") -> str:
        """Return the screen once it fits."""
        until = time.monotonic() + PATIENCE
        while not fits(screen := self.screen()):
            assert time.monotonic() < until, f"{what} not in:\n{screen}"
            time.sleep(0.05)
        return screen

    def close(self) -> None:
        """End it, and everything in it."""
        self._run("kill-server")

    def _run(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), "-f", "/dev/null", *words],
            env=self._env,
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
        )
        return done.stdout
