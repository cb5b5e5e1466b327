"""What an agent marks as learned or decided is remembered, whichever agent says it."""

import os
import subprocess

import pytest

from snaphook.testing import say

from .conftest import SNAPHOOK, each_agent

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too

SAID = """All done.

Learned: the integration tests need a running Redis on port 6390.
**Decision:** the queue stays in SQLite, because one file is easy to back up.
"""


@pytest.mark.parametrize("host", each_agent(("claude-code", "codex")))
def test_marked_lines_are_remembered(host, bench):
    here = bench(host, say(SAID), say(SAID))
    here.ruled("[memory]\n")
    here.wired()
    assert here.run().exit_code == 0
    env = {**os.environ, "HOME": str(here.place.home), "SNAPHOOK_NO_DAEMON": "1", "NO_COLOR": "1"}
    env |= {"XDG_DATA_HOME": str(here.place.home / ".local/share"), "COLUMNS": "300"}
    env |= {"XDG_CONFIG_HOME": str(here.place.home / ".config")}

    def snaphook(*words: str) -> str:
        ran = subprocess.run(
            [SNAPHOOK, *words],
            env=env,
            cwd=here.place.project,
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.stdout + ran.stderr

    did = snaphook("outbox", "run")
    told = snaphook("memory", "recall", "redis queue sqlite tests")

    assert "running Redis on port 6390" in told, did
    assert "the queue stays in SQLite" in told
