"""In the real agents: a script cannot delete outside the project, the agent is told, a build passes."""

import os
import sys
from pathlib import Path

import pytest
from tests.sandbox.box import missing

from snaphook.testing import say

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too

SCRIPT = 'import os\nos.unlink(open("orders").read().strip())\n'
MAKEFILE = "build:\n\techo built > built.txt\n"
HOSTS = [
    pytest.param(name, marks=pytest.mark.needs(name))
    for name in ("claude-code", "codex", "copilot-cli", "gemini-cli", "opencode")
]


@pytest.mark.parametrize("host", HOSTS)
def test_a_script_that_deletes_outside_does_not_and_a_build_passes(host, bench, give_up):
    if (why := missing()) is not None:
        give_up(f"cannot confine here: {why}")
    here = bench(host)
    kept = here.place.home / "Documents" / "thesis.txt"
    kept.parent.mkdir(parents=True)
    kept.write_text("precious")
    here.place.project.mkdir(parents=True, exist_ok=True)
    (here.place.project / "clean.py").write_text(SCRIPT)
    (here.place.project / "orders").write_text(f"{kept}\n")
    (here.place.project / "Makefile").write_text(MAKEFILE)
    calls = ("python3 clean.py", "make build")
    here.script(*(say("", here.agent.runs(call)) for call in calls), say("done"), say("done"))
    here.wired()
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))

    here.run(env={"PATH": path})  # Copilot CLI is given the helper by its name

    assert kept.read_text() == "precious"
    assert here.made() == {"built.txt"}
    assert any(asked.heard(f"The sandbox refused: {kept}") for asked in here.asked)
