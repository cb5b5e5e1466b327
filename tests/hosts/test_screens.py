"""What a person sees in the agents' own terminal interfaces.

The offending part and the reason come first, then what to do, then how to allow it. With
``SNAPHOOK_OBSERVE`` the screens are written down for the docs.
"""

import os
import subprocess
from pathlib import Path

import pytest

from snaphook.hosts import host_named
from snaphook.testing import say
from snaphook.testing.agents import AGENTS
from snaphook.testing.agents.screen import screen

from .conftest import HERE, INSTALLED, PROGRAMS, Bench, each_agent
from .observed import RECORDING

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("tmux")]

FOLDER = Path(__file__).parents[2] / "scripts/screens"
SCREENS = [name for name in HERE if AGENTS[name].interactive is not None]
DENIED, ASKED = "git push --force origin main", "git reset --hard HEAD~3"


def in_one_piece(lines: list[str]) -> str:
    """Return the text of a screen without frames, line breaks and the blanks they cost."""
    return "".join("".join(lines).translate(str.maketrans("", "", "│┃▎ ")).split())


@pytest.mark.parametrize("host", each_agent(SCREENS))
def test_the_offending_part_the_reason_and_the_remedy_are_on_the_screen(host, bench):
    here: Bench = bench(host)
    subprocess.run(["git", "init", "-q"], cwd=here.place.project, check=True)
    (here.place.project / "work.py").write_text("print(1)\n")
    here.script(
        say("I will publish it.", here.agent.runs(DENIED)),
        say("Then I start over.", here.agent.runs(ASKED)),
        say("I stop here."),
    )
    here.wired()

    with screen(here.agent, PROGRAMS[host], here.place) as seen:
        seen.settled()
        seen.type("please go")
        lines = seen.settled("Guard: blocked]", "confirmation needed]", within=120)

    told = in_one_piece(lines)
    denial = told[told.index("[SnaphookGuard:blocked]") :]
    assert denial.startswith("[SnaphookGuard:blocked]'gitpush--forceorig"), lines
    assert "force-pushestoordeletes" in denial, lines
    question = told[told.index("confirmationneeded]") :]
    assert question.startswith("confirmationneeded]'gitreset--hardHEAD~3'discardsuncommitted"), (
        lines
    )
    assert "Savethemfir" in question, lines
    if os.environ.get(RECORDING):
        _write_down(host, lines, here)


def _write_down(host: str, lines: list[str], here: Bench) -> None:
    title = f"{host_named(host).TITLE} {INSTALLED.VERSIONS[host]}"
    start = next(at for at, line in enumerate(lines) if "please go" in line)
    shown = "\n".join(line.rstrip() for line in lines[start:])
    shown = shown.replace(str(here.place.project), "~/project")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{host}.txt").write_text(f"{title}\n{shown}\n")
