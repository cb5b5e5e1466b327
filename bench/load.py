"""A daemon of our own, and a crowd that asks it: 64 clients, one question each, again and again.

The crowd is one process that waits for all its lines at once, so that most of the machine is left to
the daemon. No two questions of a run are the same command.
"""

import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from snaphook import __version__
from snaphook.daemon import frames
from snaphook.daemon.client import request_bytes
from snaphook.daemon.control import ask_status
from snaphook.daemon.socket_path import socket_name

CLIENTS = 64
HOOK = ("claude-code", "PreToolUse")
COMMANDS = (
    "ls -la src/{n}",
    "git status && git diff HEAD~{n}",
    "cat README.md | head -n {n}",
    "npm test -- --shard {n}",
    "python -m pytest tests/unit/test_{n}.py -q",
    "grep -rn 'def f{n}' src",
    "echo {n} > /tmp/x{n}.txt",
    "cd src && make build{n}",
    "find . -name '*{n}.py' -newer setup.py",
    "docker ps -a | grep web{n}",
    "git commit -m 'fix {n}'",
    "rm -f build/{n}.o",
    "sed -n '{n},20p' app.py",
    "curl -s http://localhost:{n}/health",
    "mkdir -p out/{n} && cp a.txt out/{n}/",
)
"""What agents do all day."""


class Daemon(Struct, frozen=True, kw_only=True):
    """A running daemon, and how to ask it."""

    env: dict[str, str]
    project: str
    pid: int

    def wire(self, command: str, session: str = "bench") -> bytes:
        """Return what a host sends before it runs *command*."""
        return json.dumps(
            {
                "hook_event_name": HOOK[1],
                "session_id": session,
                "cwd": self.project,
                "tool_name": "Bash",
                "tool_input": {"command": command},
            }
        ).encode()

    def frame(self, number: int) -> bytes:
        """Return the question *number*."""
        command = COMMANDS[number % len(COMMANDS)].format(n=number)
        wire = self.wire(command, f"session-{number % CLIENTS}")
        return request_bytes(__version__, "/", HOOK, self.env, wire)

    @property
    def resident(self) -> float:
        """The memory that it holds now, in MB."""
        words = ["ps", "-o", "rss=", "-p", str(self.pid)]
        return int(subprocess.run(words, capture_output=True, check=True).stdout) / 1024


@contextmanager
def daemon() -> Iterator[Daemon]:
    """Yield a daemon in a home of its own; it leaves with the block."""
    folder = Path(tempfile.mkdtemp(prefix="sh-bench-"))
    for name in ("home", "run", "project/.git"):
        (folder / name).mkdir(parents=True, mode=0o700)
    env = {
        "HOME": str(folder / "home"),
        "PATH": os.environ["PATH"],
        "XDG_RUNTIME_DIR": str(folder / "run"),
        "SNAPHOOK_NO_DAEMON": "1",
    }
    process = subprocess.Popen([sys.executable, "-I", "-m", "snaphook", "daemon", "run"], env=env)
    try:
        while ask_status(env) is None:
            time.sleep(0.02)
        yield Daemon(env=env, project=str(folder / "project"), pid=process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _whole(said: bytearray) -> bool:
    """Say whether *said* is a whole answer; a client does not wait for the line to be closed."""
    head = frames.MARK + 1 + 2 * frames.LENGTH
    if len(said) < head:
        assert said, "the daemon hung up"
        return False
    assert said.startswith(frames.MAGIC + bytes([frames.ANSWER])), bytes(said[:head])
    out, err = (int.from_bytes(said[at : at + 4], "big") for at in (head - 8, head - 4))
    return len(said) >= head + out + err


def crowd(asked: Daemon, count: int, first: int = 0) -> list[float]:
    """Ask *count* questions, 64 at a time, from number *first* on; return how long each took."""
    path, waiting, taken = socket_name(asked.env), selectors.DefaultSelector(), list[float]()
    numbers = iter(range(first, first + count))

    def begin() -> None:
        number = next(numbers, None)
        if number is None:
            return
        question = asked.frame(number)
        started = time.perf_counter()
        line = socket.socket(socket.AF_UNIX)
        line.connect(path)
        line.sendall(question)
        waiting.register(line, selectors.EVENT_READ, (started, bytearray()))

    for _ in range(CLIENTS):
        begin()
    while waiting.get_map():
        for key, _ in waiting.select():
            started, said = key.data
            line = key.fileobj
            assert isinstance(line, socket.socket)
            said += line.recv(1 << 16)
            if not _whole(said):
                continue
            taken.append(time.perf_counter() - started)
            waiting.unregister(line)
            line.close()
            begin()
    return taken
