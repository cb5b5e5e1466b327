"""``snaphook daemon restart`` with a daemon that runs: the old one ends, another answers."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from snaphook.cli import daemon
from snaphook.errors import MachineError
from snaphook.process import ancestry


@pytest.fixture
def env(monkeypatch):
    with tempfile.TemporaryDirectory(
        prefix="sh-"
    ) as folder:  # short: a socket's path may not be long
        env = {"HOME": folder, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": folder}
        yield env
        snaphook("stop", env)


def snaphook(what, env, *more):
    return subprocess.run(
        [sys.executable, "-I", "-m", "snaphook", "daemon", what, *more],
        env=env,
        capture_output=True,
        text=True,
        timeout=90,
    )


def pid(env):
    return json.loads(snaphook("status", env, "--json").stdout)["pid"]


def has_ended(pid):
    """Say whether no such process runs; one that only its parent has yet to collect does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] in "ZX"


def test_restart_replaces_a_running_daemon_every_time(env):
    assert snaphook("start", env).returncode == 0
    seen = [pid(env)]

    for _ in range(3):
        done = snaphook("restart", env)
        assert (done.returncode, done.stderr) == (0, "")
        seen.append(pid(env))

    assert len(set(seen)) == 4
    assert [old for old in seen[:-1] if not has_ended(old)] == []


def test_restart_without_a_daemon_starts_one(env):
    done = snaphook("restart", env)

    assert (done.returncode, done.stderr) == (0, "")
    assert pid(env)


def test_restart_waits_for_the_process_and_not_only_for_its_lock(env, monkeypatch):
    """The lock is let go before the interpreter has ended; a process that nobody collects has ended."""
    monkeypatch.setattr(daemon, "STOPS_WITHIN", 0.2)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    child = subprocess.Popen(["sleep", "60"])  # holds no lock
    old = ancestry.find(child.pid)
    try:
        with pytest.raises(MachineError, match="did not stop within"):
            daemon._wait_for_its_end(old)
    finally:
        child.kill()

    monkeypatch.setattr(daemon, "STOPS_WITHIN", 30)
    daemon._wait_for_its_end(old)
    assert Path(f"/proc/{child.pid}").exists(), "not collected yet"
    child.wait()
