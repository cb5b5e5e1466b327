"""Daemons for tests about faults: real processes, started in milliseconds, killed at will.

The nursery is a process that has loaded everything; each daemon is a fork of it that runs exactly
what ``snaphook daemon run`` runs. What a client falls back to is the real Python path.
"""

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from snaphook.daemon.control import DaemonStatus, ask_status, ask_stop

CLIENT = Path(sys.executable).with_name("snaphook-hook")
DENIED, ALLOWED = "git push --force origin main", "ls -la"


class Nursery:
    """A home, a runtime folder, and as many daemons as a test wants."""

    def __init__(self, home: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="sh-"))  # short: a socket's path may not be long
        self.home = home or self.folder / "home"
        self.runtime = self.folder / "run"
        self.project = self.folder / "project"
        for folder in (self.folder / "home", self.runtime, self.project / ".git"):
            folder.mkdir(parents=True, mode=0o700)
        self.env = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "XDG_RUNTIME_DIR": str(self.runtime),
            "SNAPHOOK_NO_DAEMON": "1",
        }
        self.record = self.home / ".local/share/snaphook/log"
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, *, wait: bool = True, file_size: int = 0, clock: float = 0) -> int:
        """Start a daemon and return its pid.

        *file_size* is the most it may write to a file; *clock* is how wrong its clock goes.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{file_size} {clock}\n")
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline())
        if wait:
            self.status()
        return pid

    def status(self, within: float = 20.0) -> DaemonStatus:
        """Return how the daemon is, once it answers."""
        until = time.monotonic() + within
        while time.monotonic() < until:
            if found := ask_status(self.env):
                return found
            time.sleep(0.005)
        raise AssertionError("no daemon came up")

    def kill(self, pid: int) -> None:
        """Kill a daemon, and return once the kernel has let go of what it held."""
        os.kill(pid, signal.SIGKILL)
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.001)

    def call(self, command: str, *, session: str = "s", cwd: Path | None = None) -> str:
        """Ask through the native client as a host does; return "deny" or "silence"."""
        wire = {
            "hook_event_name": "PreToolUse",
            "session_id": session,
            "cwd": str(cwd or self.project),
            "tool_name": "Bash",
            "tool_input": {"command": command},
        }
        done = subprocess.run(
            [CLIENT, "claude-code", "PreToolUse"],
            input=json.dumps(wire).encode(),
            capture_output=True,
            env=self.env,
            cwd=self.folder,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        if not done.stdout:
            return "silence"
        said = json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"]
        return str(said)

    def close_gently(self) -> None:
        """Have the daemon leave, and wait until it has."""
        ask_stop(self.env)
        until = time.monotonic() + 10
        while self.daemons() and time.monotonic() < until:
            time.sleep(0.02)

    def close(self) -> None:
        """End every daemon, and leave nothing behind."""
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        self._process.wait(20)
        for pid in self.daemons():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def those_that_stay(self) -> list[int]:
        """Return the daemons that are left once those that found the lock taken have gone.

        A daemon started late may still be importing when the first one already answers.
        """
        until = time.monotonic() + 30
        while len(self.daemons()) > 1 and time.monotonic() < until:
            time.sleep(0.02)
        return self.daemons()

    def daemons(self) -> list[int]:
        """Return the processes that run a daemon for this home."""
        mark = f"XDG_RUNTIME_DIR={self.runtime}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes()
                ours = mark in (folder / "environ").read_bytes().split(b"\0")
                if ours and (b"nursery.py" in words or b"\0daemon\0run\0" in words):
                    found.append(int(folder.name))
        return [pid for pid in found if pid != self._process.pid]


def _mistake_the_time(seconds: float) -> None:
    """Have every clock of this process that tells the day go wrong by *seconds*."""
    real = time.time
    for module in list(sys.modules.values()):
        if getattr(module, "time", None) is real:
            module.time = lambda: real() + seconds  # type: ignore[attr-defined]


def _be_a_nursery() -> None:
    from snaphook.daemon.handle import Handler
    from snaphook.daemon.run import run

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    logs = Path(os.environ["XDG_RUNTIME_DIR"]) / "daemon.log"
    for line in sys.stdin:
        pid = os.fork()
        if pid:
            os.write(1, b"%d\n" % pid)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        most, clock = int(line.split()[0]), float(line.split()[1])
        if clock:
            _mistake_the_time(clock)
        if most:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        try:
            run(Handler, env=os.environ, logs=logs)
        finally:
            os._exit(0)


if __name__ == "__main__":
    _be_a_nursery()
