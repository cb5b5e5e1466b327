"""Programs as builders: heard while they speak, ended when nobody listens."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from snaphook.agent import Agent, AgentOptions, SessionFolder
from snaphook.builder.driver import DriverTurn
from snaphook.builder.drivers.agent import AgentDriver
from snaphook.builder.drivers.claude import ClaudeDriver
from snaphook.builder.drivers.codex import CodexDriver
from snaphook.builder.drivers.command import CommandDriver
from snaphook.builder.drivers.gemini import GeminiDriver
from snaphook.builder.drivers.stream import LONGEST, listen
from snaphook.builder.drivers.table import choose_driver
from snaphook.errors import DriverError, UsageError
from snaphook.testing import ScriptedModel


async def heard(tmp_path, script: str, stdin: str = "") -> list[str]:
    lines: list[str] = []
    argv = ("sh", "-c", script)
    await listen(argv, where="tool", cwd=tmp_path, on_line=lines.append, stdin=stdin)
    return lines


async def test_lines_are_heard_whole_even_the_last(tmp_path):
    assert await heard(tmp_path, "echo one; printf 'two\\r\\n'; printf three") == [
        "one",
        "two",
        "three",
    ]


async def test_a_message_of_any_size_goes_through_stdin(tmp_path):
    assert await heard(tmp_path, "wc -c", "x" * 1_000_000) == ["1000000"]


async def test_a_program_need_not_read_its_message(tmp_path):
    assert await heard(tmp_path, "exec <&-; echo done", "x" * 1_000_000) == ["done"]


@pytest.mark.req("SA-11")
@pytest.mark.parametrize(
    ("script", "said"),
    [
        pytest.param("echo broken >&2; exit 3", "exit status 3: broken", id="an exit status"),
        pytest.param("exit 3", "exit status 3: it said nothing", id="without words"),
        pytest.param("kill -9 $$", "exit status -9", id="a signal"),
        pytest.param("head -c 9999999 /dev/zero >&2; echo END >&2; exit 1", "END", id="a flood"),
    ],
)
async def test_any_end_but_zero_is_a_failure_of_the_driver(tmp_path, script, said):
    with pytest.raises(DriverError, match=said):
        await heard(tmp_path, script)


async def test_a_program_that_is_not_there_is_told(tmp_path):
    with pytest.raises(DriverError, match="Is 'no-such-program' installed"):
        await listen(("no-such-program",), where="x", cwd=tmp_path, on_line=print)


async def test_a_line_without_end_is_a_failure_not_a_full_memory(tmp_path):
    with pytest.raises(DriverError, match="a line of more than"):
        await heard(tmp_path, f"head -c {2 * LONGEST + 10} /dev/zero")


async def test_a_daemon_that_holds_the_output_open_is_not_waited_for(tmp_path):
    assert await heard(tmp_path, "sleep 20 & echo started") == ["started"]


async def test_who_stops_listening_ends_all_of_it(tmp_path):
    up = asyncio.Event()
    argv = ("sh", "-c", "(sleep 1; touch survived) & echo up; wait")
    running = asyncio.create_task(
        listen(argv, where="tool", cwd=tmp_path, on_line=lambda _line: up.set())
    )
    await up.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    await asyncio.sleep(1.2)
    assert not (tmp_path / "survived").exists()


@pytest.mark.parametrize("turns_of_the_loop", range(6))
async def test_nobody_waits_for_a_program_that_was_cancelled_while_it_started(
    tmp_path, turns_of_the_loop
):
    running = asyncio.create_task(heard(tmp_path, "echo up; sleep 60"))
    for _ in range(turns_of_the_loop):
        await asyncio.sleep(0)
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, 30)


async def test_a_listener_that_fails_ends_the_program_and_is_heard(tmp_path):
    def refuse(line: str) -> None:
        raise ValueError(line)

    with pytest.raises(ValueError, match="up"):
        await listen(("sh", "-c", "echo up; sleep 60"), where="tool", cwd=tmp_path, on_line=refuse)


async def test_a_command_gets_our_session_and_the_message_in_a_file(tmp_path):
    driver = CommandDriver("echo {session}; cat {message_file}; echo {other}")
    talk = driver.talk(tmp_path)
    said: list[str] = []

    turn = await talk.send('it\'s\n"quoted" $HOME\n', said.append)

    assert turn == DriverTurn(text=f'{talk.id}\nit\'s\n"quoted" $HOME\n{{other}}')
    assert "".join(said) == f"{turn.text}\n"
    assert driver.talk(tmp_path).id != talk.id
    assert driver.talk(tmp_path, resume=talk.id).id == talk.id


def program(folder: Path, name: str, *lines: object, status: int = 0) -> str:
    """Put a program *name* into *folder* that notes its words and prints *lines* as JSON."""
    text = "".join(f"cat <<'EOF'\n{json.dumps(line)}\nEOF\n" for line in lines)
    file = folder / name
    file.write_text(f'#!/bin/sh\nprintf "%s " "$@" >> words; cat >> heard\n{text}exit {status}\n')
    file.chmod(0o755)
    return str(folder)


CLAUDE = (
    {"type": "system", "subtype": "init", "session_id": "c1"},
    {"type": "assistant", "message": {"content": [{"type": "text", "text": "hi"}]}},
    {
        "type": "result",
        "result": "hi",
        "total_cost_usd": 0.25,
        "usage": {"input_tokens": 3, "output_tokens": 4},
        "session_id": "c1",
    },
)
CODEX = (
    {"type": "thread.started", "thread_id": "c1"},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "hi"}},
    {"type": "turn.completed", "usage": {"input_tokens": 3, "output_tokens": 4}},
)
GEMINI = (
    {"type": "init", "session_id": "c1"},
    {"type": "message", "role": "user", "content": "go"},
    {"type": "message", "role": "assistant", "content": "hi", "delta": True},
    {"type": "result", "status": "success", "stats": {"total_tokens": 7}},
)


@pytest.mark.parametrize(
    ("name", "driver", "lines", "turn", "resumed"),
    [
        pytest.param(
            "claude",
            ClaudeDriver,
            CLAUDE,
            DriverTurn(text="hi", cost_micros=250_000, tokens=7),
            "--resume c1",
            id="claude",
        ),
        pytest.param(
            "codex", CodexDriver, CODEX, DriverTurn(text="hi", tokens=7), "resume c1", id="codex"
        ),
        pytest.param(
            "gemini",
            GeminiDriver,
            GEMINI,
            DriverTurn(text="hi", tokens=7),
            "--resume c1",
            id="gemini",
        ),
    ],
)
async def test_a_known_program_is_resumed_with_the_session_it_told(
    tmp_path, monkeypatch, name, driver, lines, turn, resumed
):
    monkeypatch.setenv("PATH", program(tmp_path, name, *lines), prepend=":")
    talk = driver(model="m1", options=("--extra",)).talk(tmp_path)

    first = await talk.send("go", lambda _text: None)
    second = await talk.send("on", lambda _text: None)

    words = (tmp_path / "words").read_text()
    assert (first, second) == (turn, turn)
    assert talk.id == "c1"
    assert words.count(resumed) == 1
    assert words.count("m1") == words.count("--extra") == 2
    assert (tmp_path / "heard").read_text() == "goon"


@pytest.mark.req("SA-11")
@pytest.mark.parametrize(
    ("name", "driver", "lines"),
    [
        ("claude", ClaudeDriver, ({"type": "result", "is_error": True, "result": "overloaded"},)),
        ("codex", CodexDriver, ({"type": "turn.failed", "error": {"message": "overloaded"}},)),
        ("gemini", GeminiDriver, ({"type": "result", "error": {"message": "overloaded"}},)),
    ],
)
async def test_a_failure_is_told_in_the_programs_own_words(
    tmp_path, monkeypatch, name, driver, lines
):
    monkeypatch.setenv("PATH", program(tmp_path, name, *lines), prepend=":")

    with pytest.raises(DriverError, match="overloaded"):
        await driver().talk(tmp_path).send("go", lambda _text: None)


@pytest.mark.parametrize("driver", [ClaudeDriver, GeminiDriver])
async def test_a_program_that_ends_without_a_result_has_failed(tmp_path, monkeypatch, driver):
    program(tmp_path, "claude")
    monkeypatch.setenv("PATH", program(tmp_path, "gemini"), prepend=":")

    with pytest.raises(DriverError, match="ended without a result"):
        await driver().talk(tmp_path).send("go", lambda _text: None)


def agents(tmp_path, script: str) -> AgentDriver:
    model = ScriptedModel(script)

    def make(codebase: Path, resume: str | None, listener) -> Agent:
        return Agent(
            model=model,
            options=AgentOptions(cwd=str(codebase)),
            listener=listener,
            sessions=SessionFolder(tmp_path / "sessions", str(codebase)),
            resume=resume,
        )

    return AgentDriver(make)


async def test_the_reference_agent_goes_on_with_its_own_session(tmp_path):
    driver = agents(tmp_path, "turn\n  say one\nturn\n  say two\nturn\n  say three")
    said: list[str] = []
    talk = driver.talk(tmp_path)

    first = await talk.send("go", said.append)
    await talk.close()
    again = driver.talk(tmp_path, resume=talk.id)
    second = await again.send("on", said.append)
    await again.close()

    assert (first.text, second.text) == ("one", "two")
    assert "".join(said) == "onetwo"
    assert driver.talk(tmp_path).id != talk.id == again.id


@pytest.mark.req("SA-11")
async def test_the_reference_agent_fails_as_any_other(tmp_path):
    talk = agents(tmp_path, "turn\n  fail 400 on strike").talk(tmp_path)

    with pytest.raises(DriverError, match="ended as 'failed'"):
        await talk.send("go", lambda _text: None)
    await talk.close()


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("claude", ClaudeDriver),
        ("codex", CodexDriver),
        ("gemini", GeminiDriver),
        ("command: x {message_file}", CommandDriver),
        ("agent", AgentDriver),
    ],
)
def test_a_driver_is_chosen_by_its_word(tmp_path, words: str, kind: Callable[..., object]):
    driver = choose_driver(words, agent=lambda _model: agents(tmp_path, "turn\n  say x"))

    assert type(driver) is kind


@pytest.mark.parametrize("words", ["", "cursor", "command: x", "claude "])
def test_other_words_are_an_error_that_lists_them(words):
    with pytest.raises(UsageError, match=r"There are|\{message_file\}"):
        choose_driver(words, agent=lambda _model: ClaudeDriver())
