"""What a person sees: an agent's own terminal interface, in a terminal that nobody watches.

AgentProgram + its program + prompt  ->  the lines on the screen

Needs tmux. The agent runs in a home of its own against a scripted model, as everywhere here.
"""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from .program import AgentProgram, AgentSandbox, agent_environment

COLUMNS, ROWS = 110, 45
STEADY = 1.0
"""Seconds for which a screen must not change to count as settled."""


class Screen(Struct, frozen=True):
    """A terminal with an agent in it."""

    name: str

    def lines(self) -> list[str]:
        """Return what is on the screen, without the empty lines."""
        shown = _tmux("capture-pane", "-p", "-t", self.name).splitlines()
        return [line.rstrip() for line in shown if line.strip()]

    def type(self, text: str) -> None:
        """Type *text* and, after a moment in which the interface can draw it, Enter."""
        _tmux("send-keys", "-t", self.name, "-l", text)
        time.sleep(STEADY)
        _tmux("send-keys", "-t", self.name, "Enter")

    def settled(self, *words: str, within: float = 60.0) -> list[str]:
        """Return the lines once they hold all *words*, or stand still where none are given.

        A screen with a running clock never stands still. When time is up, whatever is there.
        """
        until, before = time.monotonic() + within, [""]
        while time.monotonic() < until:
            time.sleep(STEADY)
            now = self.lines()
            if words and all(word in " ".join(now) for word in words):
                time.sleep(STEADY)  # the rest of the message is drawn after its first words
                return self.lines()
            if not words and now == before and now:
                return now
            before = now
        return self.lines()


@contextmanager
def screen(agent: AgentProgram, program: Path | str, place: AgentSandbox) -> Iterator[Screen]:
    """Start *agent* for a person and yield its screen; ended with the block."""
    name = f"snaphook-{os.getpid()}-{agent.host}"
    env = agent_environment(agent, place) | {"TERM": "xterm-256color"}
    if agent.before_screen is not None:
        agent.before_screen(place)
    words = ["env", "-i", *(f"{key}={value}" for key, value in env.items()), str(program)]
    size = ("-x", str(COLUMNS), "-y", str(ROWS), "-c", str(place.project))
    _tmux("new-session", "-d", "-s", name, *size, *words, *(agent.interactive or ()))
    try:
        yield Screen(name)
    finally:
        _tmux("kill-session", "-t", name)


def _tmux(*words: str) -> str:
    ran = subprocess.run(
        ["tmux", "-L", f"snaphook-{os.getpid()}", *words],
        capture_output=True,
        text=True,
        check=False,
        env=_plain(os.environ),
    )
    return ran.stdout


def _plain(env: Mapping[str, str]) -> dict[str, str]:
    """Return *env* without the marks of a tmux that we may be running in."""
    return {key: value for key, value in env.items() if key not in ("TMUX", "TMUX_PANE")}
