"""Run commands and wait for all of them, in one thread.

Command, Command …  ->  Completed, Completed …
"""

import contextlib
import selectors
import signal
from collections.abc import Mapping, Sequence
from time import monotonic

from .running import ReadyWatcher, Running
from .values import KEEP, Command, Completed


def run(
    line: str | Sequence[str],
    *,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    timeout: float | None = None,
    keep: int = KEEP,
) -> Completed:
    """Return how *line* ended: a string goes to ``sh -c``, a sequence of words needs no shell."""
    words = line if isinstance(line, str) else tuple(line)
    command = Command(line=words, cwd=cwd, env=env, stdin=stdin, timeout=timeout, keep=keep)
    return run_all([command])[0]


def run_all(commands: Sequence[Command]) -> list[Completed]:
    """Return how *commands*, started side by side, ended, in the order they were given."""
    try:
        selector = selectors.DefaultSelector()
    except OSError as refusal:  # too many open files
        return [Completed(failure=str(refusal)) for _ in commands]
    with selector:
        started = [launch(command, selector) for command in commands]
        running = [process for process in started if isinstance(process, Running)]
        try:
            _drive(running, selector)
        finally:
            for process in running:
                process.abandon()
    return [outcome(process) for process in started]


def launch(command: Command, watcher: ReadyWatcher) -> Running | Completed:
    """Return *command* as a running process, or as one that never started."""
    _hear_of_children()
    try:
        return Running(command, watcher)
    except (OSError, ValueError) as refusal:  # no such program, no such directory, a NUL byte
        return Completed(failure=str(refusal))


def outcome(process: Running | Completed) -> Completed:
    """Return how *process*, which has ended, did so."""
    completed = process.completed if isinstance(process, Running) else process
    assert completed is not None
    return completed


def _hear_of_children() -> None:
    """Undo an ignored SIGCHLD, which hosts hand down: the system would forget every exit code."""
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        with contextlib.suppress(ValueError):  # only the main thread may; others fail, and say so
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _drive(running: Sequence[Running], selector: selectors.BaseSelector) -> None:
    while waiting := [process for process in running if process.completed is None]:
        now = monotonic()
        waits = [wait for process in waiting if (wait := process.wait_for(now)) is not None]
        for key, _ in selector.select(min(waits, default=None)):
            key.data(key.fd)
        now = monotonic()
        for process in waiting:
            process.look(now)
