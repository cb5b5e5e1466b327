"""``snaphook agent`` in a script and at a terminal, with the real SDK and a scripted server."""

import codecs
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from snaphook.cli.main import main
from snaphook.testing import ModelServer

pytest.importorskip("anthropic")

WRITES = """
turn
  say I'll write it.
  call Write {"file_path": "a.txt", "content": "hello"}
turn
  say Done.
otherwise
  say Nothing more.
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return a project of its own, in a home of its own."""
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return work


@pytest.fixture
def serve(project, monkeypatch):
    """Return a starter of scripted servers that the environment points to."""
    servers: list[ModelServer] = []

    def start(script: str = WRITES) -> ModelServer:
        server = ModelServer(script)
        servers.append(server)
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        return server

    yield start
    for server in servers:
        server.close()


def test_the_answer_is_printed_and_the_work_is_done(serve, project, capsys):
    serve()

    status = main(["agent", "--permissions", "accept-edits", "write a file"])

    assert (status, capsys.readouterr().out) == (0, "Done.\n")
    assert (project / "a.txt").read_text() == "hello"


def test_every_event_of_the_session_is_on_record(serve, capsys):
    serve()
    main(["agent", "--permissions", "accept-edits", "write a file"])
    capsys.readouterr()

    main(["log", "--json"])

    events = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert events[:2] == ["SessionStart", "UserPromptSubmit"]
    assert events[-2:] == ["Stop", "SessionEnd"]
    assert {"PreToolUse", "PostToolUse"} <= set(events)


@pytest.mark.parametrize("model", ["anthropic:claude-sonnet-5-5", "openai:gpt-5"])
def test_json_tells_how_it_went(serve, capsys, model):
    serve()

    main(["agent", "--model", model, "--output", "json", "--permissions", "allow-all", "go"])

    told = json.loads(capsys.readouterr().out)
    assert re.fullmatch(r"s-\d{8}-\d{6}-[0-9a-f]{8}", told.pop("session_id"))
    assert told.pop("cost_usd") > 0
    assert told == {
        "status": "done",
        "text": "Done.",
        "error": None,
        "model": model,
        "turns": 2,
        "cost_estimated": False,
        "usage": {
            "input_tokens": 200,
            "output_tokens": 40,
            "cache_read_tokens": 0,
            "cache_write_tokens": 0,
        },
        "files_modified": [str(Path.cwd() / "a.txt")],
    }


def test_stream_json_is_a_line_for_everything_that_happens(serve, capsys):
    serve()

    main(["agent", "--output", "stream-json", "--permissions", "allow-all", "go"])

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines] == [
        "start",
        "message",
        "text",
        "message",
        "tool",
        "tool",
        "message",
        "text",
        "message",
        "result",
    ]
    assert lines[5]["tool"]["result"] == "Created a.txt (1 line)."


def test_a_session_goes_on_with_continue_and_with_resume(serve, capsys):
    server = serve("turn\n say One.\nturn\n say Two.\nturn\n say Three.")

    main(["agent", "first"])
    main(["agent", "--continue", "--output", "json", "second"])
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    main(["agent", "--resume", told["session_id"], "third"])

    texts = [line.text for line in server.asked[-1].lines]
    assert texts == ["first", "One.", "second", "Two.", "third"]


def test_headless_nobody_is_asked_so_nothing_is_written(serve, project, capsys):
    server = serve()

    assert main(["agent", "go"]) == 0

    assert not (project / "a.txt").exists()
    assert server.asked[1].heard("Write did not run: no user is available to confirm.")


def test_the_persons_own_hooks_fire_and_an_untrusted_projects_do_not(serve, project, capsys):
    settings = project / ".wave" / "settings.json"
    settings.parent.mkdir()
    hook = {"type": "command", "command": "echo no prompts today >&2; exit 2"}
    settings.write_text(json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [hook]}]}}))
    user = Path.home() / ".wave" / "settings.json"
    server = serve("otherwise\n  say Hello.")

    assert main(["agent", "--no-session", "hi"]) == 0
    assert len(server.asked) == 1

    user.parent.mkdir()
    user.write_text(settings.read_text())
    assert main(["agent", "--no-session", "hi"]) == 1
    assert "no prompts today" in capsys.readouterr().err
    assert len(server.asked) == 1


def test_the_settings_choose_the_model_and_the_command_line_overrides_them(serve, project, capsys):
    config = Path.home() / ".config" / "snaphook"
    config.mkdir(parents=True)
    (config / "snaphook.toml").write_text(
        '[agent]\nmodel = "openai:gpt-5-mini"\nmax_turns = 1\ninstructions = "Speak Latin."\n'
    )
    server = serve()

    assert main(["agent", "--permissions", "allow-all", "go"]) == 1
    assert (server.asked[0].wire, server.asked[0].model) == ("openai-chat", "gpt-5-mini")
    assert server.asked[0].heard("Speak Latin.")

    assert main(["agent", "--model", "anthropic:claude-opus-5", "--max-turns", "3", "go"]) == 0
    assert (server.asked[1].wire, server.asked[1].model) == ("anthropic", "claude-opus-5")


@pytest.mark.parametrize(
    ("args", "env", "status", "said"),
    [
        pytest.param(
            ["hi"],
            {"ANTHROPIC_API_KEY": ""},
            2,
            "snaphook: model 'anthropic:claude-sonnet-5-5': ANTHROPIC_API_KEY is not set. "
            "Run: export ANTHROPIC_API_KEY=…",
            id="no key",
        ),
        pytest.param(
            ["--model", "gpt-5", "hi"],
            {},
            2,
            "snaphook: model 'gpt-5': names no vendor. "
            "Write vendor:model, such as anthropic:claude-sonnet-5-5.",
            id="no vendor",
        ),
        pytest.param(
            [" "],
            {},
            2,
            "snaphook agent: the prompt is empty. Say something.",
            id="empty",
        ),
        pytest.param(
            ["--continue", "hi"],
            {},
            2,
            "snaphook: --continue: this project has no session yet. Leave it out.",
            id="no session to resume",
        ),
        pytest.param(
            ["--model", "nobody:x", "hi"],
            {},
            1,
            "nobody:x: Unknown model: nobody:x. Check --model and its key.",
            id="unknown vendor",
        ),
    ],
)
def test_a_wrong_call_is_one_clear_line(serve, monkeypatch, capsys, args, env, status, said):
    serve()
    for name, value in env.items():
        monkeypatch.setenv(name, value)

    assert main(["agent", *args]) == status

    assert capsys.readouterr().err.strip().startswith(said)


def test_a_model_that_fails_for_good_is_told_in_one_line(serve, capsys):
    serve("otherwise\n  fail 401 bad key")

    assert main(["agent", "hi"]) == 1

    assert capsys.readouterr().err == (
        "anthropic:claude-sonnet-5-5: answered 401: bad key. Check the API key.\n"
    )


def test_a_prompt_can_come_from_stdin(serve, monkeypatch, capsys):
    import io

    server = serve("turn\n  say Hi.")
    monkeypatch.setattr(sys, "stdin", io.StringIO("from a pipe"))

    main(["agent", "-"])

    assert server.asked[0].lines[0].text == "from a pipe"


def test_ctrl_c_ends_a_script_with_the_session_intact(serve, capsys):
    server = serve("turn\n  say Half\n  wait 30\nturn\n  say Whole.")

    def interrupt() -> None:
        while not server.asked:
            time.sleep(0.02)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    assert main(["agent", "go"]) == 130
    assert main(["agent", "--continue", "again"]) == 0
    assert [line.text for line in server.asked[1].lines] == ["go", "Half", "again"]


class Person:
    """Someone at a terminal: types, waits, reads."""

    def __init__(self, *args: str) -> None:
        self._master, slave = pty.openpty()
        self._seen = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.process = subprocess.Popen(
            [sys.executable, "-m", "snaphook", "agent", *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "dumb", "COLUMNS": "200"},
            preexec_fn=lambda: _take_terminal(slave),
        )
        os.close(slave)

    def sees(self, text: str, within: float = 90) -> None:
        deadline = time.monotonic() + within
        while text not in self._seen:
            assert time.monotonic() < deadline, f"no {text!r} in:\n{self._seen}"
            if select.select([self._master], [], [], 0.1)[0]:
                try:
                    self._seen += self._decode(os.read(self._master, 65536))
                except OSError:
                    break
        assert text in self._seen
        self._seen = self._seen.partition(text)[2]

    def types(self, text: str) -> None:
        os.write(self._master, text.encode())

    def leaves(self) -> int:
        self.types("/exit\n")
        return self.process.wait(30)

    def is_gone(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


def _take_terminal(slave: int) -> None:
    import fcntl
    import termios

    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)


TALK = """
turn
  say Let me write.
  call Write {"file_path": "a.txt", "content": "hello"}
turn
  call Write {"file_path": "b.txt", "content": "hello"}
turn
  say Both are written.
turn
  call AskUser {"question": "Which colour?", "options": ["red", "blue"]}
turn when "blue"
  say Blue it is.
turn
  say Thinking very long
  wait 60
turn without tools
  say They wrote files.
otherwise
  say Yes.
"""


@pytest.fixture
def person(serve):
    serve(TALK)
    someone = Person()
    yield someone
    someone.is_gone()


@pytest.mark.timeout(300)
def test_a_person_talks_to_the_agent_at_a_terminal(person, project):
    person.sees("›")
    person.types("write two files\n")
    person.sees("Let me write.")
    person.sees("May it run Write a.txt")
    person.types("n\n")
    person.sees("Permission denied")
    person.sees("May it run Write b.txt")
    person.types("always\n")
    person.sees("Created b.txt")
    person.sees("Both are written.")
    person.sees("›")

    person.types("ask me\n")
    person.sees("Which colour?")
    person.types("2\n")
    person.sees("Blue it is.")

    person.sees("›")
    person.types("think\n")
    person.sees("Thinking very long")
    person.types("\x03")
    person.sees("interrupted")

    person.sees("›")
    person.types("/cost\n")
    person.sees("tokens read")
    person.types("/hooks\n")
    person.sees("guard hears")
    person.types("/compact\n")
    person.sees("shortened.")
    person.types("/clear\n")
    person.sees("forgotten.")
    person.types("/nope\n")
    person.sees("unknown command /nope")
    person.types("/help\n")
    person.sees("Ctrl-C interrupts")
    person.types("still there?\n")
    person.sees("Yes.")

    assert person.leaves() == 0
    assert not (project / "a.txt").exists()
    assert (project / "b.txt").read_text() == "hello"


def test_the_sessions_of_a_project_are_listed_latest_first(serve, capsys):
    serve("turn\n say One.\nturn\n say Two.")
    main(["agent", "first thing"])
    main(["agent", "second thing"])
    capsys.readouterr()

    assert main(["agent", "--list"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[2] for line in lines] == ["second thing", "first thing"]


def test_a_mistake_in_the_agents_settings_is_found_by_check(project, capsys):
    config = Path.home() / ".config" / "snaphook"
    config.mkdir(parents=True)
    (config / "snaphook.toml").write_text('[agent]\nmodle = "x:y"\nmax_turns = "many"\n')

    assert main(["check"]) == 1

    told = capsys.readouterr().out
    assert "Did you mean 'model'?" in told
    assert "max_turns" in told
