"""``snaphook build`` from outside: signals, a terminal, gates for every job."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from snaphook.builder.records import (
    BuildEnded,
    BuildStarted,
    Built,
    FixAsked,
    GateRan,
    GateStarted,
    Halted,
    Passed,
    TaskStarted,
)
from snaphook.builder.report import html, markdown
from snaphook.builder.summary import summarise
from snaphook.cli.building.screen import BuilderScreen
from snaphook.cli.main import main

SNAPHOOK = Path(sys.executable).with_name("snaphook")


def ticks(name: str) -> str:
    """Return a builder that does nothing but tick the first task of the job *name*."""
    file = f".sauna/jobs/{name}/tasks.md"
    tick = "awk '!d && sub(/- .[ ]./, \"- [x]\") {d=1} 1'"
    return f"command: {tick} {file} > t && mv t {file} # {{message_file}}"


@pytest.fixture
def codebase(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def job(codebase: Path, name: str, *tasks: str) -> None:
    folder = codebase / ".sauna" / "jobs" / name
    folder.mkdir(parents=True)
    (folder / "tasks.md").write_text("".join(f"- [ ] {task}\n" for task in tasks))


@pytest.mark.req("SA-2")
def test_gates_are_shared_by_all_jobs(codebase):
    for name in ("a", "b"):
        job(codebase, name, "one")
    (codebase / ".sauna" / "hooks.json").write_text('["echo run >> ran"]')

    for name in ("a", "b"):
        assert main(["build", "--job", name, "--builder", ticks(name)]) == 0

    assert (codebase / "ran").read_text() == "run\nrun\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_build_ends_cleanly_with_its_builder(codebase, number):
    job(codebase, "a", "one")
    builder = "command: echo $$ > pid; sleep 60; touch survived # {message_file}"
    words = [str(SNAPHOOK), "build", "--job", "a", "--builder", builder, "--output", "json"]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (codebase / "pid").exists() or not (codebase / "pid").read_text():
        time.sleep(0.02)

    running.send_signal(number)
    out, err = running.communicate(timeout=30)

    last = json.loads(out.splitlines()[-1])
    assert running.returncode == 130
    assert (last["type"], last["why"], last["task"]) == ("halted", "interrupted", "one")
    assert "resumes it" in err
    assert not (codebase / "survived").exists()
    assert main(["build", "--job", "a", "--builder", ticks("a")]) == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_project_is_told_before_any_work(codebase, capsys):
    job(codebase, "a", "one")
    (codebase / ".sauna").chmod(0o500)

    assert main(["build", "--job", "a", "--builder", "command: touch ran {message_file}"]) == 3
    assert "cannot be written" in capsys.readouterr().err


STEPS = (
    BuildStarted(job="demo", pending=2, done=0, at=1.0),
    TaskStarted(iteration=1, task="one <b>", pending=2, done=0, at=1.0),
    Built(session="s1", attempt=0, duration=2.0, cost_micros=500_000, at=3.0),
    GateStarted(gate="tests", at=3.0),
    GateRan(gate="tests", command="make", exit_code=2, output="a < b", duration=1.0, at=4.0),
    FixAsked(gate="tests", attempt=1, of=3, at=4.0),
    Built(session="s1", attempt=1, duration=1.0, cost_micros=250_000, at=5.0),
    GateStarted(gate="tests", attempt=1, at=5.0),
    GateRan(gate="tests", command="make", exit_code=0, attempt=1, duration=1.0, at=6.0),
    Passed(task="one <b>", attempts=1, commit="abc123", at=6.0),
    TaskStarted(iteration=2, task="two", pending=1, done=1, at=6.0),
    Halted(why="the line went dead", task="two", at=7.0),
)


def test_a_report_tells_tasks_fixes_time_and_cost():
    text = markdown(summarise("demo", STEPS))

    assert text == (
        "# Job demo\n\n"
        "Halted: 1 of 2 begun tasks passed, 1 fix, 6.0 s, $0.75.\n\n"
        "| | task | fixes | gates run | time | cost | commit |\n"
        "|---|---|--:|--:|--:|--:|---|\n"
        "| ✓ | one <b> | 1 | 2 | 5.0 s | $0.75 | abc123 |\n"
        "| ✗ | two | 0 | 0 | 0.0 s | – | – |\n\n"
        "## one <b>: tests failed at first (exit code 2)\n\n"
        "```text\na < b\n```\n\n"
        "## Why it halted\n\n```text\nthe line went dead\n```\n"
    )


def test_a_report_for_a_browser_holds_the_same_and_nothing_foreign():
    page = html(summarise("demo", STEPS))

    assert page.startswith("<!doctype html>")
    assert "one &lt;b&gt;" in page
    assert "a &lt; b" in page
    assert "<b>" not in page
    assert "http" not in page


def test_a_job_that_was_never_built_has_a_report_too():
    assert markdown(summarise("demo", ())) == "# Job demo\n\nNot built yet.\n"


def test_on_a_terminal_the_lines_scroll_by_above_the_view():
    drawn = io.StringIO()
    screen = BuilderScreen("build", Console(file=drawn, force_terminal=True, width=80))
    for step in (*STEPS[:-2], BuildEnded(job="demo")):
        screen.on_record(step)
        screen.on_text("writing the tests\n")
        screen.refresh()
    screen.close()

    text = drawn.getvalue()
    assert "Build iteration 1 — 2 tasks remaining" in text
    assert "one <b>: gate tests" in text
    assert "1/2 tasks" in text
    assert "$0.75" in text
    assert "writing the tests" in text
    assert "Passed: 1 of 1 begun tasks passed, 1 fix" in text


def test_planning_with_an_agent_asks_for_no_key_of_a_builder_that_is_not_used(
    codebase, monkeypatch, capfd
):
    """The example of ``plan --help``: 'snaphook plan --job parser --planner claude'."""
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    fake = codebase / "bin/claude"
    fake.parent.mkdir()
    ended = {"type": "result", "subtype": "success", "is_error": False, "result": "planned"}
    fake.write_text(
        "#!/bin/sh\ncat >/dev/null\n"
        "echo '- [ ] one' > .sauna/jobs/parser/tasks.md\n"
        f"echo '{json.dumps({**ended, 'session_id': 's'})}'\n"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    (codebase / ".sauna/jobs/parser").mkdir(parents=True)

    status = main(["plan", "--job", "parser", "--planner", "claude"])

    told = "".join(capfd.readouterr())
    assert "API_KEY" not in told
    assert status == 0, told
    assert (codebase / ".sauna/jobs/parser/tasks.md").read_text() == "- [ ] one\n"


def test_every_settings_example_of_the_builder_page_passes_check(codebase, capsys):
    page = Path(__file__).parents[3] / "docs/how-to/builder.md"
    examples = re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL)
    assert any("providers.gates" in example for example in examples)
    for example in examples:
        (codebase / "snaphook.toml").write_text(example)

        assert main(["check"]) == 0, capsys.readouterr()
