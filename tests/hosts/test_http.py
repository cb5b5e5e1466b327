"""Hooks by HTTP: a real agent calls the daemon's port, and a no is a no, as is no answer."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from snaphook.testing import say

from .conftest import SNAPHOOK, Bench

pytest.importorskip("h11")
pytestmark = [
    pytest.mark.timeout(300),  # a whole agent starts, on a busy machine too
    pytest.mark.needs("claude-code"),
]

DANGEROUS = "git push --force origin main; echo gone > ran.txt"
HARMLESS = "echo fine > fine.txt"


@pytest.fixture
def here(bench) -> Iterator[tuple[Bench, dict[str, str]]]:
    """Claude Code, wired by ``snaphook init --http``, and a daemon that listens on a port."""
    made = bench("claude-code")
    folder = tempfile.mkdtemp(prefix="snh-", dir="/tmp")  # a socket's path must be short
    made.ruled(f"[daemon]\nhttp = true\nport = {free_port()}\n")
    ours = {"HOME": str(made.place.home), "SNAPHOOK_SOCKET": f"{folder}/daemon.sock"}
    env = {**os.environ, **ours}
    snaphook("init", "--http", "--host", "claude-code", "--yes", env=env, cwd=made.place.project)
    snaphook("daemon", "start", env=env)
    yield made, env
    snaphook("daemon", "stop", env=env)
    shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def snaphook(*words: str, env: dict[str, str], cwd: Path | None = None) -> str:
    told = subprocess.run(
        [str(SNAPHOOK), *words], env=env, cwd=cwd, capture_output=True, text=True, check=False
    )
    return told.stdout + told.stderr


def ran(here: Bench, env: dict[str, str], *commands: str) -> set[str]:
    """Have the agent run *commands*; return the files that they made."""
    runs = here.agent.runs
    here.script(*(say("", runs(command)) for command in commands), say("done"), say("done"))
    here.run(env={"SNAPHOOK_SOCKET": env["SNAPHOOK_SOCKET"], "SNAPHOOK_NO_DAEMON": "1"})
    return here.made()


def test_a_call_that_must_not_run_is_stopped_by_http(here):
    agent, env = here

    assert ran(agent, env, DANGEROUS, HARMLESS) == {"fine.txt"}
    assert "protected branch" in agent.asked[1].news
    assert "Hooks by HTTP at http://127.0.0.1:" in snaphook("daemon", "status", env=env)
    refused = snaphook("doctor", "claude-code", env=env, cwd=agent.place.project)
    assert "✗" not in refused, refused


@pytest.mark.parametrize("broken", ["daemon", "token"])
def test_a_door_that_is_shut_lets_nothing_through(broken, here):
    """Nobody listens, or the token in the settings is another: the entries fail closed."""
    agent, env = here
    if broken == "daemon":
        snaphook("daemon", "stop", env=env)
    else:
        settings = agent.place.home / ".claude/settings.json"
        settings.write_text(settings.read_text().replace("Bearer ", "Bearer x"))

    assert ran(agent, env, HARMLESS) == set()


def test_uninstall_takes_every_entry_out_again(here):
    agent, env = here
    settings = agent.place.home / ".claude/settings.json"
    written = settings.read_text()
    assert '"type": "http"' in written
    assert settings.stat().st_mode & 0o077 == 0

    snaphook("uninstall", "--yes", env=env, cwd=agent.place.project)

    assert not settings.exists() or "snaphook" not in settings.read_text()
