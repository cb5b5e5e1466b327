"""replay: past calls put to the rules of today and of tomorrow."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tests.unit.config.helpers import put

from snaphook.cli.guard.replay import command
from snaphook.config import Environment, SettingsError
from snaphook.errors import UsageError
from snaphook.replay import (
    CandidatePolicy,
    CurrentPolicy,
    ReplayReport,
    compare,
    past_calls,
    sources,
)
from snaphook.stores.eventlog import EventLog, Record

SAMPLES = Path(__file__).parents[1] / "transcripts" / "samples"
FORCE = "git push --force origin main"
RESET = "git reset --hard HEAD~1"


@pytest.fixture
def around(tmp_path: Path) -> Environment:
    (tmp_path / "project").mkdir()
    return Environment(
        cwd=tmp_path / "project", home=tmp_path / "home", env={}, managed=tmp_path / "etc"
    )


@pytest.fixture
def transcript(around: Environment) -> Callable[..., Path]:
    def write(*commands: str, blocked: tuple[str, ...] = ()) -> Path:
        lines = []
        for number, text in enumerate(commands):
            shared = {"sessionId": "s", "cwd": str(around.cwd), "timestamp": "2026-11-15T07:00:00Z"}
            call = {"type": "tool_use", "id": f"c{number}", "name": "Bash"}
            back = "[Snaphook Guard: blocked]" if text in blocked else "fine"
            result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": back}
            content = [call | {"input": {"command": text}}]
            lines += [
                {"type": "assistant", "message": {"content": content}, **shared},
                {"type": "user", "message": {"content": [result]}, **shared},
            ]
        path = around.home / ".claude/projects/p/session.jsonl"
        put(path, "".join(json.dumps(line) + "\n" for line in lines))
        return path

    return write


def replayed(around: Environment, *paths: Path, policy: str = "") -> ReplayReport:
    calls = [
        call
        for source in sources(paths, around, around.data_dir / "log")
        for call in past_calls(source)
    ]
    if not policy:
        return compare(calls, CurrentPolicy(around))
    file = around.cwd.parent / "candidate.toml"
    file.write_text(policy)
    return compare(calls, CandidatePolicy(file, around), CurrentPolicy(around))


def brief(report: ReplayReport) -> list[tuple[str, str, str, int]]:
    return [(one.text, one.before.answer, one.after.answer, one.times) for one in report.changes]


def test_what_ran_then_and_would_be_stopped_now_is_told_with_its_rule(around, transcript):
    report = replayed(around, transcript("ls", FORCE, FORCE, RESET))

    assert report.calls == 4
    assert [(one.text, one.after.answer, one.after.rule, one.times) for one in report.stopped] == [
        (FORCE, "deny", "git.push-protected", 2),
        (RESET, "ask", "git.discard", 1),
    ]
    assert brief(report) == [(FORCE, "pass", "deny", 2), (RESET, "pass", "ask", 1)]
    assert all(change.tightens for change in report.changes)


def test_what_was_stopped_then_and_would_pass_now_is_told(around, transcript):
    report = replayed(around, transcript("ls", blocked=("ls",)))

    assert brief(report) == [("ls", "deny", "pass", 1)]
    assert not report.changes[0].tightens


def test_a_policy_is_held_against_the_settings_in_force(around, transcript):
    path = transcript("ls", FORCE, RESET)

    report = replayed(around, path, policy='[guard]\nrules = { "git.discard" = "off" }\n')

    assert brief(report) == [(RESET, "ask", "pass", 1)]
    assert report.against == "the settings in force"


def test_the_settings_in_force_are_those_of_the_calls_own_project(around, transcript):
    path = transcript(RESET)
    put(around.config_dir / "snaphook.toml", '[guard]\nrules = { "git.discard" = "deny" }\n')

    assert [one.after.answer for one in replayed(around, path).stopped] == ["deny"]


def test_without_a_path_every_agents_transcripts_and_our_record_are_read(around, transcript):
    transcript("ls")
    for host, place in (
        ("codex", ".codex/sessions/2026/11/15/rollout.jsonl"),
        ("gemini-cli", ".gemini/tmp/p/chats/session.jsonl"),
    ):
        put(around.home / place, (SAMPLES / f"{host}.jsonl").read_text())
    log = EventLog(around.data_dir / "log", stream="direct")
    log.append(
        [
            Record(
                id="1",
                time=1.0,
                event="PreToolUse",
                session="r",
                tool="Bash",
                input={"tool_args": {"command": FORCE}},
                verdict="deny",
            )
        ]
    )
    log.close()

    report = replayed(around)

    assert (report.calls, report.sessions) == (1 + 2 + 2 + 1, 4)
    assert [(one.text, one.before.answer) for one in report.stopped] == [(FORCE, "deny")]
    assert report.changes == ()


def test_a_candidate_that_cannot_be_followed_is_refused_whole(around, transcript):
    with pytest.raises(SettingsError, match=r"candidate\.toml:2"):
        replayed(around, transcript("ls"), policy="[guard]\nbulk_files = 'many'\n")


def test_a_path_that_is_not_there_is_named(around):
    with pytest.raises(UsageError, match=r"no such file or folder: .*/nowhere"):
        replayed(around, around.home / "nowhere")


@pytest.mark.parametrize(
    ("arguments", "commands", "code"),
    [
        pytest.param([], (FORCE,), 0, id="a change alone is no failure"),
        pytest.param(["--fail-on-change"], (FORCE,), 1, id="unless it is asked for"),
        pytest.param(["--fail-on-change"], ("ls",), 0, id="and there is none"),
    ],
)
def test_a_change_can_fail_a_build(arguments, commands, code, around, transcript, monkeypatch):
    monkeypatch.setenv("HOME", str(around.home))
    monkeypatch.chdir(around.cwd)
    path = transcript(*commands)

    done = CliRunner().invoke(command, [str(path), *arguments], standalone_mode=False)

    assert done.return_value == code
    assert (FORCE in done.output) == (FORCE in commands)


def test_the_report_as_json_can_be_read_back(around, transcript, monkeypatch):
    monkeypatch.setenv("HOME", str(around.home))
    monkeypatch.chdir(around.cwd)

    done = CliRunner().invoke(command, [str(transcript(FORCE)), "--json"], standalone_mode=False)

    assert msgspec.json.decode(done.output, type=ReplayReport).interrupted == 1


def test_nothing_to_replay_says_where_calls_come_from(around, monkeypatch):
    monkeypatch.setenv("HOME", str(around.home))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.chdir(around.cwd)

    done = CliRunner().invoke(command, [], standalone_mode=False)

    assert done.return_value == 0
    assert "No tool calls found" in done.output
