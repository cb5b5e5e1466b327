"""The tutorial about the guard, played from its first line to its last by a person and an agent."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from tests.faults.stage import Agent, Stage, Terminal

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "guard-in-daily-life.md"
PROJECT = (
    "git init -q -b main && git config user.email ada@example.org && git config user.name Ada && "
    "echo one > app.py && git add . && git commit -qm Begin"
)
PASSPHRASE = "correct horse"
VERDICTS = {"goes on": "silence", "goes on, and runs": "silence", "stopped": "deny"}


def blocks(page: str) -> list[tuple[str, str, str]]:
    """Return who does what on *page*, and what is printed or said then."""
    steps = []
    for kind, body in re.findall(r"^```(console|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        mark = "$ " if kind == "console" else "▸ "
        for step in re.split(rf"^{re.escape(mark)}", body, flags=re.MULTILINE)[1:]:
            does, _, told = step.partition("\n")
            steps.append((kind, does, told.strip()))
    return steps


def types(person: Terminal, command: str, prints: str) -> None:
    """Have *person* type *command*; it must print what the page says, ``...`` being anything."""
    printed = person.type(command, PASSPHRASE, PASSPHRASE).replace("\r", "")
    shape = ".*".join(re.escape(part.strip()) for part in prints.split("..."))
    shape = re.sub(r"(\\ |\\\n)+", r"\\s+", shape)
    assert re.search(shape, printed, re.DOTALL), f"{command}\n{printed}"


def wants(agent: Agent, command: str, told: str) -> None:
    """Have *agent* ask for *command*; the guard must say what the page says."""
    verdict, *said = told.splitlines()
    heard = agent.hears(command)
    denied = '"permissionDecision":"deny"' in heard
    assert denied == (VERDICTS[verdict] == "deny"), f"{command}\n{heard}"
    assert [line for line in said if line not in heard] == []
    if verdict.endswith("runs"):
        agent.runs(command)


@pytest.mark.req("BB-PT-8", "WS-14")
@pytest.mark.needs("cc", "native-client")
@pytest.mark.skipif(sys.platform != "linux", reason="a person is told by /proc there")
def test_the_five_minutes_go_as_told():
    stage = Stage()
    try:
        shutil.rmtree(stage.project / ".git")
        person = stage.person()
        person.type(PROJECT)
        agent = stage.agent()
        for kind, does, told in blocks(PAGE.read_text(encoding="utf-8")):
            if does.startswith("pip install"):
                continue  # it is what is being tested
            if kind == "console":
                types(person, does, told)
            else:
                wants(agent, does, told)
    finally:
        stage.close()
