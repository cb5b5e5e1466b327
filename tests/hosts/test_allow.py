"""A real agent is stopped; a person at a terminal of their own allows it; it goes on."""

import sys
from pathlib import Path
from shlex import quote

import pytest
from tests.faults.stage import Stage

from snaphook.daemon.socket_path import socket_path
from snaphook.testing import say

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("claude-code", "cc", "native-client")]

CLIENT = Path(sys.executable).with_name("snaphook-hook")
SECRET = "correct horse"
DANGEROUS = "git push --force origin main; echo gone > ran.txt"


@pytest.mark.req("BB-PT-8")
@pytest.mark.skipif(sys.platform != "linux", reason="a person is told by /proc there")
def test_claude_code_is_stopped_until_a_person_allows_it(bench, tmp_path):
    here = bench("claude-code")
    stage = Stage(home=here.place.home, project=here.place.project)
    try:
        person = stage.person()
        person.type("snaphook allow --set-passphrase", SECRET, SECRET)
        here.wired((quote(str(CLIENT)),))
        runtime = {"SNAPHOOK_SOCKET": str(socket_path(stage.env))}
        here.script(say("", here.agent.runs(DANGEROUS)), say("done"))

        here.run(env=runtime)
        assert here.made() == set()
        assert "snaphook allow 1 --once" in here.asked[1].news
        assert "Allowed (p1)" in person.type("snaphook allow 1 --once", SECRET)

        here.script(say("", here.agent.runs(DANGEROUS)), say("done"))
        here.run(env=runtime)
        assert here.made() == {"ran.txt"}
        assert stage.events() == ["OverrideKeyEnrolled", "OverrideGranted", "OverrideUsed"]
    finally:
        stage.close()
