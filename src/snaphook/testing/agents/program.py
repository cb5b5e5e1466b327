"""The real agents, started without a person or an account, against a scripted model.

AgentProgram + ModelServer + prompt  ->  AgentRun

Each runs in a home of its own, on loopback, with telemetry and updates off, so that a run touches
nothing of whoever starts it. Used by our tests and by ``snaphook doctor --live``.
"""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from snaphook.testing.script import Call
from snaphook.testing.server import ModelServer

MODEL = "scripted-model"
_KEEP = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TERM", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS")


_ALONE = {"SNAPHOOK_DIRECT": "1", "SNAPHOOK_NO_DAEMON": "1"}
"""A daemon that already runs here would answer for other settings, perhaps of another version."""


class AgentSandbox(Struct, frozen=True, kw_only=True):
    """Where a run happens: a home and a project, both made for it."""

    home: Path
    project: Path
    server: ModelServer


class AgentRun(Struct, frozen=True, kw_only=True):
    """What came of a run."""

    exit_code: int | None
    """``None`` if it had to be ended."""
    stdout: str
    stderr: str
    session: str | None = None


class AgentProgram(Struct, frozen=True, kw_only=True):
    """One agent: what its program is called with, and what it needs around it."""

    host: str
    shell_tool: str
    """What its shell tool is called in the requests to the model."""
    argv: Callable[[str, str | None, Sequence[str]], Sequence[str]]
    """Prompt, session to resume, and the flags of a mode, to the words after the program."""
    modes: Mapping[str, tuple[str, ...]]
    """The permission modes it can be started in without a person; the first is used unless told."""
    write_call: Callable[[str, str], Call]
    """The tool call with which a model would write a text into a file."""
    prepare: Callable[[AgentSandbox], Mapping[str, str]]
    """Writes what the agent must find at home; returns its environment."""
    shell_args: Mapping[str, Any] = {}
    """What the shell tool wants beside the command."""
    shell_key: str = "command"
    shell_list: bool = False
    """The shell tool takes a list of commands."""
    interactive: tuple[str, ...] | None = None
    """What starts its terminal interface; ``None`` where the tests do not look at it."""
    before_screen: Callable[[AgentSandbox], None] | None = None
    """Answers, ahead of time, what the interface asks at its first start."""
    denial_ends_run: bool = False
    """It stops working when a hook denies a call, and tells nobody why."""
    unfired: frozenset[str] = frozenset()
    """Events, by our names, that it fires for a person alone, or when the run is over already."""
    session_in: Callable[[str, AgentSandbox], str | None]

    def runs(self, command: str) -> Call:
        """Return the tool call with which a model would have *command* run."""
        given = [command] if self.shell_list else command
        return Call(self.shell_tool, {self.shell_key: given, **self.shell_args})

    def flags(self, mode: str | None = None) -> tuple[str, ...]:
        """Return what starts the agent in *mode*, or in its usual one."""
        return self.modes[mode or next(iter(self.modes))]

    def run(
        self,
        program: Path | str,
        place: AgentSandbox,
        prompt: str,
        *,
        resume: str | None = None,
        mode: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 90,
    ) -> AgentRun:
        """Run the agent once on *prompt*, in *mode*; whatever it started is ended with it."""
        around = agent_environment(self, place, env)
        process = subprocess.Popen(
            [str(program), *self.argv(prompt, resume, self.flags(mode))],
            cwd=place.project,
            env=around,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=timeout)
            code: int | None = process.returncode
        except subprocess.TimeoutExpired:
            _end_group(process.pid)
            (out, err), code = process.communicate(), None
        finally:
            _end_group(process.pid)
        stdout = out.decode(errors="replace")
        return AgentRun(
            exit_code=code,
            stdout=stdout,
            stderr=err.decode(errors="replace"),
            session=self.session_in(stdout, place),
        )


def agent_environment(
    agent: AgentProgram, place: AgentSandbox, env: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the environment of *agent* in *place*, whose home it prepares; *env* on top."""
    place.home.mkdir(parents=True, exist_ok=True)
    around = {key: os.environ[key] for key in _KEEP if key in os.environ}
    around |= {"HOME": str(place.home), "PWD": str(place.project)}
    around |= {"XDG_CONFIG_HOME": str(place.home / ".config")}
    around |= {"XDG_DATA_HOME": str(place.home / ".local/share")}
    around |= _ALONE if env is None or "SNAPHOOK_SOCKET" not in env else {}
    return around | {**agent.prepare(place), **(env or {})}


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def write(file: Path, text: str) -> None:
    """Make *text* the whole of *file*, with the folders above it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def merge_json(file: Path, more: dict[str, Any]) -> None:
    """Add *more* to the JSON in *file*; what is there beside it stays."""
    there = json.loads(file.read_text()) if file.exists() else {}
    write(file, json.dumps(there | more, indent=2))


def session_field(*names: str) -> Callable[[str, AgentSandbox], str | None]:
    """Return a reader that finds the first line of JSON with one of *names* in it."""

    def read(stdout: str, _place: AgentSandbox) -> str | None:
        for line in stdout.splitlines():
            try:
                message = json.loads(line)
            except ValueError:
                continue
            found = [message.get(name) for name in names] if isinstance(message, dict) else []
            if any(found):
                return str(next(name for name in found if name))
        return None

    return read
