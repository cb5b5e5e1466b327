"""``snaphook agent`` under a budget: a cheaper model, no more helpers, and an end."""

import json
from pathlib import Path

import pytest

from snaphook.cli.main import main
from snaphook.testing import ModelServer

pytest.importorskip("anthropic")

SCRIPT = """
turn
  usage 0 14400
  call Task {"prompt": "look around", "subagent_type": "scout"}
turn when "look around"
  usage 0 1
  say Nothing to see.
turn
  usage 0 80000
  call Task {"prompt": "look again", "subagent_type": "scout"}
turn when "no more subagents"
  usage 0 40000
  call Write {"file_path": "a.txt", "content": "hello"}
turn when "raises it"
  usage 0 10
  say I had to stop.
"""
SETTINGS = """
[agent]
model = "anthropic:claude-sonnet-5"
[budget]
repeats = 0
[budget.tree]
dollars = 0.2
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    home, work = tmp_path / "home", tmp_path / "work"
    (home / ".config/snaphook").mkdir(parents=True)
    (home / ".config/snaphook/snaphook.toml").write_text(SETTINGS)
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "SNAPHOOK_TENANT"):
        monkeypatch.delenv(name, raising=False)
    return work


@pytest.mark.req("SQ-10")
def test_an_agent_is_made_thriftier_then_stopped(project, monkeypatch, capsys):
    """72 %: the helper, and the agent itself, go on with the cheaper model. 92 %: no helper. 100 %:
    no tool. Everything over the real SDK; the model's own figures are what counts.
    """
    with ModelServer(SCRIPT) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        status = main(["agent", "--permissions", "accept-edits", "write a file"])

    said = capsys.readouterr()
    assert (status, said.out) == (0, "I had to stop.\n")
    assert [asked.model for asked in server.asked] == [
        "claude-sonnet-5",
        "claude-haiku-5-5",
        "claude-haiku-5-5",
        "claude-haiku-5-5",
        "claude-haiku-5-5",
    ]
    assert not (project / "a.txt").exists()
    (report,) = Path.home().glob(".local/share/snaphook/budget-reports/*.json")
    kept = json.loads(report.read_text())
    assert kept["micro_dollars"] == 144_000 + 1 + 40_000 + 20_000 + 5
    assert kept["limits"][0]["percent"] == 102.0
