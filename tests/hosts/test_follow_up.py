"""OpenCode cannot be held back when it stops; in a session that stays open it is sent on."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from typing import Any

import pytest

from snaphook.testing import say

from .conftest import PROGRAMS

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("opencode")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def post(port: int, path: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        told: dict[str, Any] = json.load(answer)
        return told


def until(true, seconds: float = 60) -> None:
    """Wait until *true* says so, or give up."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.2)


def answers(port: int) -> bool:
    """Say whether the server is up; a request that comes too early is never answered."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/global/health", timeout=2):
            return True
    except OSError:
        return False


def test_an_open_session_goes_on_once_with_the_reason(bench):
    here = bench("opencode", say("all done"), say("all done, really"))
    here.ruled()
    here.wired()
    home, port = here.place.home, free_port()
    server = subprocess.Popen(
        [str(PROGRAMS["opencode"]), "serve", "--hostname", "127.0.0.1", "--port", str(port)],
        cwd=here.place.project,
        env={
            "PATH": os.environ["PATH"],
            "SNAPHOOK_DIRECT": "1",
            "SNAPHOOK_NO_DAEMON": "1",
            "HOME": str(home),
            "PWD": str(here.place.project),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_DATA_HOME": str(home / ".local/share"),
            **here.agent.prepare(here.place),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until(lambda: answers(port))
        session = post(port, "/session", {})["id"]
        words = {"parts": [{"type": "text", "text": "please go"}]}
        post(port, f"/session/{session}/message", words)
        until(lambda: len(here.asked) >= 2)
        time.sleep(3)  # a third request would be a follow-up too many
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()

    assert len(here.asked) == 2
    assert "STOP-MARK: tests fail" in here.asked[1].news
