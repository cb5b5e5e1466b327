"""A stage for plays about persons and agents: real terminals, real process trees, a real daemon.

The person sits at a shell in a terminal of their own. The agent is a process that asks the hook before
it runs a command, and that can also run any command unasked, as an agent that slipped its leash would.
"""

import contextlib
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from snaphook.daemon.control import ask_status, ask_stop
from snaphook.daemon.overrides.client import send
from snaphook.daemon.overrides.messages import OverrideAction, OverrideRequest
from snaphook.stores.eventlog.read import records

BIN = Path(sys.executable).parent
STOPPED = "git push --force origin main"
WITHIN = 60.0
_AGENT = r"""
import json, subprocess, sys

for line in sys.stdin:
    do, text, call = json.loads(line)
    if do == "call":
        wire = {"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": ".", "tool_name": "Bash",
                "tool_input": {"command": text}, "tool_use_id": call}
        wire["cwd"] = sys.argv[2]
        done = subprocess.run([sys.argv[1], "claude-code", "PreToolUse"], input=json.dumps(wire).encode(),
                              capture_output=True)
        said = json.loads(done.stdout or b"{}").get("hookSpecificOutput", {})
        print(json.dumps([said.get("permissionDecision", "silence"), done.stdout.decode()]), flush=True)
    else:
        try:
            done = subprocess.run(["bash", "-c", text], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, errors="replace", timeout=60)
        except subprocess.TimeoutExpired as late:
            told = (late.stdout or b"") + (late.stderr or b"")
            print(json.dumps(["timeout", told.decode(errors="replace")]), flush=True)
        else:
            print(json.dumps([done.returncode, done.stdout + done.stderr]), flush=True)
"""


class Terminal:
    """A shell in a terminal of its own, and somebody who types."""

    def __init__(self, env: dict[str, str], cwd: Path) -> None:
        self.pid, self._end = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execve("/bin/sh", ["sh"], {**env, "PS1": "$ "})
        self._turn = 0
        self._seen = ""

    def type(self, command: str, *secrets: str) -> str:
        """Run *command*, answering each prompt with the next of *secrets*; return what it printed."""
        self.start(command)
        return self.finish(*secrets)

    def start(self, command: str) -> None:
        """Type *command*, and a mark that shows when it has ended."""
        self._turn += 1
        self._seen = ""
        line, _, ahead = command.partition("\n")
        os.write(self._end, f"{line}; echo END-{self._turn}''-$?\n".encode())
        if ahead:
            time.sleep(0.1)
            os.write(self._end, f"{ahead}\n".encode())

    def wait_for(self, text: str) -> None:
        """Return once *text* is on the screen."""
        until = time.monotonic() + WITHIN
        while text not in self._seen:
            assert time.monotonic() < until, self._seen
            self._read()

    def finish(self, *secrets: str) -> str:
        """Answer each prompt with the next of *secrets* until the command ends."""
        left, until = list(secrets), time.monotonic() + WITHIN
        mark = re.compile(rf"END-{self._turn}-(\d+)\r?\n")
        while not mark.search(self._seen):
            assert time.monotonic() < until, self._seen
            self._read()
            prompts = len(re.findall(r"(?:[Pp]assphrase|Again): ", self._seen))
            if left and prompts > len(secrets) - len(left):
                os.write(self._end, f"{left.pop(0)}\n".encode())
        return self._seen

    def _read(self) -> None:
        if select.select([self._end], [], [], 0.2)[0]:
            self._seen += os.read(self._end, 65536).decode(errors="replace")

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.close(self._end)
        os.waitpid(self.pid, 0)


class Agent:
    """A process that does what it is told, asking first or not."""

    def __init__(self, env: dict[str, str], cwd: Path, client: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _AGENT, str(client), str(cwd)],
            env={**env, "CLAUDECODE": "1"},
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def calls(self, command: str = STOPPED, *, use: str = "") -> str:
        """Ask the hook about *command*; return "deny", "ask" or "silence"."""
        return self._do("call", command, use)[0]

    def hears(self, command: str = STOPPED) -> str:
        """Return everything that the hook answers."""
        return self._do("call", command, "")[1]

    def runs(self, command: str) -> str:
        """Run *command* without asking anybody; return what it printed."""
        said, told = self._do("run", command, "")
        assert said != "timeout", (
            f"{command}\nor something it started still holds its output: {told}"
        )
        return told

    def _do(self, *order: str) -> tuple[str, str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the agent ended (exit code {self._process.wait(20)}) during: {order}"
        said, text = json.loads(line)
        return said, text

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._process.stdout:
            with contextlib.suppress(BrokenPipeError):  # it has ended; the test that saw so failed
                self._process.stdin.close()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(20)
                raise


class Stage:
    """A home, a project, a daemon; persons and agents come on as the play wants."""

    command: tuple[str, ...] = (sys.executable, "-I", "-m", "snaphook", "daemon", "run")
    """What the daemon is started with."""

    def __init__(self, *, home: Path | None = None, project: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="so-"))  # short: a socket's path may not be long
        self.project = project or self.folder / "project"
        self.home = home or self.folder / "home"
        for folder in (self.folder / "run", self.home, self.project / ".git"):
            folder.mkdir(parents=True, mode=0o700, exist_ok=True)
        self.env = {
            "HOME": str(self.home),
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "NO_COLOR": "1",
            "COLUMNS": "160",
            "TERM": "dumb",
        }
        self._actors: list[Terminal | Agent] = []
        self._daemons: list[subprocess.Popen[bytes]] = []
        self.start()

    def start(self) -> None:
        """Start a daemon, as the first hook would."""
        self._daemons.append(
            subprocess.Popen(
                self.command,
                env=self.env,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
            )
        )
        until = time.monotonic() + WITHIN
        while ask_status(self.env) is None:
            assert time.monotonic() < until, "no daemon came up"
            time.sleep(0.01)

    def kill(self) -> None:
        """Kill the daemon."""
        self._daemons[-1].kill()
        self._daemons[-1].wait(20)

    def settings(self, text: str) -> None:
        """Give the user these settings."""
        file = self.home / ".config/snaphook/snaphook.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        time.sleep(0.03)  # an agent that starts now is later by the kernel's clock, too

    def file(self, text: str) -> Path:
        """Return a file that holds *text*."""
        path = self.folder / "file.py"
        path.write_text(text)
        return path

    def person(self) -> Terminal:
        """Have a person open a terminal, as long before anything else as the kernel can tell."""
        terminal = Terminal(self.env, self.project)
        self._actors.append(terminal)
        terminal.type("true")
        time.sleep(0.03)  # the kernel counts starts in hundredths of a second
        return terminal

    def agent(self) -> Agent:
        """Have an agent begin its work."""
        agent = Agent(self.env, self.project, BIN / "snaphook-hook")
        self._actors.append(agent)
        return agent

    def gone(self, agent: Agent) -> None:
        """Forget an agent that was closed already."""
        self._actors.remove(agent)

    def events(self) -> list[str]:
        """Return what is on record of overrides, oldest first, once it has been written."""
        names = [one.event for one in records(self.home / ".local/share/snaphook/log")]
        return [name for name in names if name.startswith("Override")]

    def wait_for(self, events: list[str]) -> None:
        """Return once *events* are the last on record."""
        until = time.monotonic() + WITHIN
        while self.events()[-len(events) :] != events:
            assert time.monotonic() < until, self.events()
            time.sleep(0.05)

    def overrides(self) -> list[str]:
        """Return what is allowed now."""
        request = OverrideRequest(do=OverrideAction.LIST)
        return [one.what for one in send(request, self.env, str(self.project)).overrides]

    def close(self) -> None:
        """Close everything, whichever of it fails: what stays open fails a later test."""
        with contextlib.ExitStack() as last_to_first:
            last_to_first.callback(shutil.rmtree, self.folder, ignore_errors=True)
            last_to_first.callback(self._end_what_is_left)
            for daemon in self._daemons:
                last_to_first.callback(daemon.wait, 20)
            last_to_first.callback(ask_stop, self.env)
            for actor in self._actors:
                last_to_first.callback(actor.close)

    def _end_what_is_left(self) -> None:
        """Kill what detached itself from an agent, such as a terminal whose prompt nobody answers."""
        mark = f"XDG_RUNTIME_DIR={self.env['XDG_RUNTIME_DIR']}".encode()
        for environ in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark in environ.read_bytes().split(b"\0"):
                    os.kill(int(environ.parent.name), signal.SIGKILL)
