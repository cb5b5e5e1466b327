"""``snaphook top`` in a real terminal: it lives, obeys its keys, and leaves everything as it was."""

import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest
from tests.unit.cli.tmux import Terminal
from tests.unit.web.dashboards import desk_at

from snaphook.stores.eventlog import Durability, EventLog, Record
from snaphook.web.figures import Pace
from snaphook.web.pulse import Busy, Pulse

TOP = f"{sys.executable} -m snaphook top"


def record(number, agent="main", verdict=None):
    return Record(
        id=f"r{number}",
        time=time.time(),
        event="PreToolUse",
        session="s",
        host="claude-code",
        agent=agent,
        tool="Bash",
        input={"tool_args": {"command": f"echo number-{number}"}},
        verdict=verdict,
    )


@pytest.fixture
def folder():
    """A short one: a socket's path may not be long."""
    with tempfile.TemporaryDirectory(prefix="sh-top-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture
def at(folder):
    """Return what opens a terminal in a home with *records*, and who writes more of them."""
    opened = []

    def open_(records=()):
        dashboard = desk_at(folder, records)
        dashboard.close()
        assert dashboard.folder is not None
        terminal = Terminal(folder, {**dashboard.around.env, "SNAPHOOK_NO_DAEMON": "1"})
        log = EventLog(dashboard.folder, stream="direct", durability=Durability.NONE)
        opened.append((terminal, log))
        return terminal, log

    yield open_
    for terminal, log in opened:
        log.close()
        terminal.close()


@pytest.mark.needs("tmux")
@pytest.mark.req("SQ-14")
def test_it_lives_obeys_its_keys_and_fits_a_window_of_any_size(at):
    start = [record(n) for n in range(3)] + [record(3, "scout", "deny"), record(4, "zoe", "ask")]
    terminal, log = at(start)
    terminal.type(f"{TOP}; echo en''ded")
    terminal.shows("latest: opinions", "number-3", "number-4", "events/min↓")

    log.append([record(5, verdict="deny")])
    terminal.shows("number-5")

    terminal.press("f")
    screen = terminal.shows("latest: blocked", "number-5")
    assert "number-4" not in screen
    terminal.press("f", "f")
    terminal.shows("latest: everything", "number-0")

    terminal.press("s")
    screen = terminal.shows("blocked↓")
    assert screen.index("scout") < screen.index("zoe")
    terminal.press("s", "s")
    screen = terminal.shows("host↓")

    terminal.press("p")
    terminal.shows("PAUSED")
    log.append([record(6, verdict="deny")])
    terminal.resize(60, 16)
    screen = terminal.until(lambda screen: len(screen.splitlines()) <= 16 and "PAUSED" in screen)
    assert "number-6" not in screen
    terminal.press("p")
    screen = terminal.until(lambda screen: "number-6" in screen and "PAUSED" not in screen)
    assert screen.startswith("snaphook top")
    assert max(map(len, screen.splitlines())) <= 60

    terminal.press("Up", "F5")  # keys that begin as Esc does, and are others
    terminal.press("f")
    terminal.shows("latest: opinions")
    terminal.press("q")
    terminal.shows("ended")


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("way", ["q", "Escape", "C-c", "C-d", "kill"])
def test_the_terminal_is_left_as_it_was_however_it_ends(at, folder, way):
    terminal, _ = at()
    noted = f"sh -c 'echo $$ > pid; exec {TOP}'"
    terminal.type(f"stty -g > before; {noted}; echo ended $?; stty -g > after; echo to''ld")
    terminal.shows("No active agents in the last minute.", "No events yet. 'snaphook init'")
    assert terminal.ask("alternate_on") == "1"

    if way == "kill":
        os.kill(int((folder / "pid").read_text()), signal.SIGTERM)
    else:
        terminal.press(way)

    terminal.shows("ended 0", "told")
    assert (terminal.ask("alternate_on"), terminal.ask("cursor_flag")) == ("0", "1")
    assert (folder / "after").read_text() == (folder / "before").read_text()


@pytest.mark.needs("tmux")
def test_in_a_pipe_it_prints_one_picture_and_bears_a_reader_that_leaves(at, folder):
    terminal, _ = at([record(1, verdict="deny")])
    terminal.type(f"{TOP} | cat; echo do''ne")
    terminal.shows("number-1", "done")
    terminal.type(f"clear; {TOP} 2>complaints | head -1; echo ov''er")
    terminal.shows("snaphook top", "over")
    assert (folder / "complaints").read_text() == ""


def test_nothing_an_agent_writes_is_obeyed_by_the_terminal(capsys):
    from rich.console import Console

    from snaphook.cli.top_picture import View, picture

    hostile = "\x1b]0;owned\x07[red]no[/red]"
    busy = Busy(machine="m/1", host=hostile, agent=hostile, events=1, stopped=0, asked=0)
    now = Pulse(
        time=0.0,
        events_per_second=1.0,
        stopped_last_hour=0,
        asked_last_hour=0,
        sessions=1,
        pace=Pace(),
        busy=[busy],
        lines=[],
        cost_today_micros=0,
        cost_limit_micros=None,
    )
    Console(width=200, force_terminal=True).print(picture(now, View(), height=24, width=200))

    said = capsys.readouterr().out
    assert "\x1b]0" not in said
    assert said.count("[red]no[/red]") == 2
