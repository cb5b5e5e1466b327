"""``snaphook statusline``: one line, whatever happens."""

import json
import subprocess
import sys
import time

import pytest

from snaphook.cli.main import main
from snaphook.stores.eventlog import EventLog, Record, RecordedAnswer


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "app").mkdir()
    monkeypatch.chdir(tmp_path / "app")
    return tmp_path


def line(capsys, *words: str) -> str:
    assert main(["statusline", *words]) == 0
    out: str = capsys.readouterr().out
    assert out.count("\n") == 1
    return out.strip()


def settings(home, text: str) -> None:
    file = home / ".config/snaphook/snaphook.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_a_new_session_has_a_guard_and_no_stops(home, capsys):
    assert line(capsys, "--session", "s1") == "guard on · no stops"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('[guard]\nmode = "audit"\n', "guard audits"),
        ('[providers.guard]\nuse = "guard"\nenabled = false\n', "guard OFF"),
    ],
)
def test_a_guard_that_stops_nothing_is_told(home, capsys, text, wanted):
    settings(home, text)

    assert line(capsys, "--session", "s1").startswith(wanted)


def test_broken_settings_are_a_line_and_no_failure(home, capsys):
    settings(home, "[[[")

    assert line(capsys, "--session", "s1") == "snaphook: settings cannot be read (snaphook check)"


def test_the_budget_nearest_to_its_end_is_told(home, capsys):
    settings(home, "[budget.day]\ndollars = 5\n")

    assert "budget 0% of day" in line(capsys, "--session", "s1")


def test_the_last_stop_of_the_session_is_told_as_claude_code_asks(home):
    log = EventLog(home / ".local/share/snaphook/log")
    for session, command in (("s1", "rm -rf /" + " x" * 40), ("s2", "git push -f")):
        answer = RecordedAnswer(by="guard", verdict="deny", rule="delete.everything")
        log.append(
            [
                Record(
                    id=session,
                    time=time.time() - 200,
                    event="PreToolUse",
                    session=session,
                    tool="Bash",
                    input={"tool_args": {"command": command}},
                    verdict="deny",
                    by="guard",
                    answers=(answer,),
                )
            ]
        )
    log.close()
    told = {"session_id": "s1", "workspace": {"current_dir": str(home / "app")}}

    done = subprocess.run(
        [sys.executable, "-m", "snaphook", "statusline"],
        input=json.dumps(told).encode(),
        capture_output=True,
        check=True,
    )

    text = done.stdout.decode()
    assert text.startswith("guard on · last stop: rm -rf / x x")
    assert text.rstrip().endswith("… (delete.everything), 3 min ago")
