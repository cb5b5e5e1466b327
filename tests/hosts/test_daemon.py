"""The way users have it: the agent calls the native client, and the daemon answers."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

import pytest

from snaphook.testing import say

from .conftest import SNAPHOOK, each_main_agent

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too

CLIENT = Path(sys.executable).with_name("snaphook-hook")
DANGEROUS = "git push --force origin main; echo gone > ran.txt"
HARMLESS = "echo fine > fine.txt"


@pytest.fixture
def daemon() -> Iterator[dict[str, str]]:
    """The environment that leads to a daemon of our own, which ends with the test."""
    folder = tempfile.mkdtemp(prefix="snh-", dir="/tmp")  # a socket's path must be short
    env = {"SNAPHOOK_SOCKET": f"{folder}/daemon.sock"}
    yield env
    around = {**os.environ, **env}
    subprocess.run([str(SNAPHOOK), "daemon", "stop"], env=around, capture_output=True, check=False)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.needs("cc")
@pytest.mark.needs("native-client")
@pytest.mark.parametrize("host", each_main_agent())
def test_the_daemon_answers_a_real_agent(host, bench, daemon):
    here = bench(host)
    runs = here.agent.runs
    here.script(say("", runs(DANGEROUS)), say("", runs(HARMLESS)), say("done"), say("done"))
    here.ruled()
    here.wired((quote(str(CLIENT)),))
    started = {**os.environ, **daemon, "HOME": str(here.place.home)}
    subprocess.run([str(SNAPHOOK), "daemon", "start"], env=started, check=True, capture_output=True)

    here.run(env=daemon)

    assert here.made() == {"fine.txt"}
    assert "protected branch" in here.asked[1].news
    assert here.asked[0].heard("SESSION-MARK")
    status = subprocess.run(
        [str(SNAPHOOK), "daemon", "status"], env=started, capture_output=True, check=True, text=True
    )
    assert "answered" in status.stdout, status.stdout
