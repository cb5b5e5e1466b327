"""``snaphook daemon restart`` with a daemon that runs: the old one ends, another answers."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest


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


def test_restart_replaces_a_running_daemon_every_time(env):
    assert snaphook("start", env).returncode == 0
    seen = [pid(env)]

    for _ in range(3):
        done = snaphook("restart", env)
        assert (done.returncode, done.stderr) == (0, "")
        seen.append(pid(env))

    assert len(set(seen)) == 4
    assert not any(Path(f"/proc/{old}").exists() for old in seen[:-1])


def test_restart_without_a_daemon_starts_one(env):
    done = snaphook("restart", env)

    assert (done.returncode, done.stderr) == (0, "")
    assert pid(env)
