"""A denial is given before a daemon runs, and a person allows it by its number; then all of us leaves."""

import os
import subprocess
import sys

import pytest
from tests.faults.stage import Stage

from snaphook.daemon.control import ask_status

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("cc", "native-client")]
SECRET = "correct horse"


@pytest.fixture
def stage():
    stage = Stage()
    yield stage
    stage.close()


@pytest.mark.skipif(sys.platform != "linux", reason="a person is told by /proc there")
def test_a_denial_without_a_daemon_has_a_number_that_the_daemon_knows(stage):
    person = stage.person()
    person.type("snaphook allow --set-passphrase", SECRET, SECRET)
    stage.kill()
    stage.env |= {"SNAPHOOK_NO_DAEMON": "1"}
    alone = stage.agent()
    assert "snaphook allow 1 --once" in alone.hears()
    assert "snaphook allow 2 --once" in alone.hears("git push --force origin release")
    assert "snaphook allow 1 --once" in alone.hears()

    del stage.env["SNAPHOOK_NO_DAEMON"]
    stage.start()

    assert "To allow one: snaphook allow 2 --once" in person.type("snaphook allow")
    assert "Allowed" in person.type("snaphook allow 1 --once", SECRET)
    assert alone.calls() == "silence"
    assert alone.calls() == "deny"


def test_uninstall_stops_the_daemon(stage):
    assert ask_status(stage.env) is not None

    ran = subprocess.run(
        [sys.executable, "-m", "snaphook", "uninstall", "--yes"],
        env={**os.environ, **stage.env},
        cwd=stage.project,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "Daemon stopped." in ran.stdout
    assert ask_status(stage.env) is None
