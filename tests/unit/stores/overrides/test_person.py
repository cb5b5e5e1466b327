"""Who is a person, decided on process trees drawn by hand."""

import pytest

from snaphook.process.ancestry import Process, parse_ps, parse_stat
from snaphook.stores.overrides.person import Witness, agent_of, doubt, refusal, witness

EMULATOR = Process(pid=10, start=1.0, parent=1, name="xterm")
SHELL = Process(pid=20, start=2.0, parent=10, session=20, terminal="t1", name="bash")
ALLOW = Process(pid=90, start=9.0, parent=20, session=20, terminal="t1", name="snaphook")
OTHER_SHELL = Process(pid=30, start=3.0, parent=10, session=30, terminal="t2", name="bash")
AGENT = Process(pid=40, start=4.0, parent=30, session=30, terminal="t2", name="claude")
HOOK_SHELL = Process(pid=50, start=5.0, parent=40, session=30, terminal="t2", name="sh")
HOOK = Process(pid=51, start=5.1, parent=50, session=30, terminal="t2", name="snaphook-hook")
PERSON = Witness(chain=(ALLOW, SHELL, EMULATOR), leader=SHELL)


@pytest.mark.parametrize(
    ("chain", "agent"),
    [
        pytest.param((HOOK, HOOK_SHELL, AGENT, OTHER_SHELL, EMULATOR), AGENT, id="past its shell"),
        pytest.param((HOOK, AGENT, OTHER_SHELL, EMULATOR), AGENT, id="started directly"),
        pytest.param((HOOK, OTHER_SHELL, EMULATOR), None, id="a person tries the hook by hand"),
        pytest.param((HOOK, HOOK_SHELL), None, id="detached"),
        pytest.param((), None, id="called by HTTP"),
    ],
)
def test_the_agent_is_who_had_the_hook_run(chain, agent):
    assert agent_of(chain) == agent


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        pytest.param(PERSON, "", id="a terminal older than the agent"),
        pytest.param(
            Witness(chain=(ALLOW, EMULATOR), leader=None), "detached", id="not below its shell"
        ),
        pytest.param(
            Witness(chain=PERSON.chain, leader=SHELL, driven="tmux"), "tmux can type", id="tmux"
        ),
        pytest.param(
            Witness(chain=(ALLOW, HOOK_SHELL), leader=HOOK_SHELL), "opened after", id="younger"
        ),
        pytest.param(
            Witness(chain=(AGENT,), leader=OTHER_SHELL, typed=True), "shares", id="may type into it"
        ),
        pytest.param(Witness(chain=(AGENT,), leader=OTHER_SHELL), "", id="may not type into it"),
    ],
)
def test_a_terminal_is_doubted_where_the_agent_could_have_typed(seen, why):
    assert why in doubt(seen, AGENT)
    assert bool(why) == bool(doubt(seen, AGENT))


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        pytest.param(PERSON, "", id="a person"),
        pytest.param(Witness(), "has exited", id="ended meanwhile"),
        pytest.param(Witness(chain=PERSON.chain, marked="CLAUDECODE"), "CLAUDECODE", id="marked"),
        pytest.param(Witness(chain=(EMULATOR,)), "no terminal", id="without a terminal"),
    ],
)
def test_nothing_makes_up_for_what_cannot_be_a_person(seen, why):
    assert why in refusal(seen)
    assert bool(why) == bool(refusal(seen))


@pytest.mark.parametrize(
    ("holder", "env", "driven"),
    [
        pytest.param("xterm", {}, "", id="a plain emulator"),
        pytest.param("tmux: server", {}, "tmux", id="tmux"),
        pytest.param("wezterm-gui", {}, "wezterm", id="wezterm"),
        pytest.param("SCREEN", {}, "screen", id="screen"),
        pytest.param("xterm", {"ZELLIJ": "0"}, "the program that set ZELLIJ", id="by its variable"),
    ],
)
def test_a_terminal_that_can_be_driven_is_known_by_its_holder(holder, env, driven):
    shell = Process(pid=-20, start=2.0, parent=-10, session=-20, terminal="t1", name="bash")
    asks = Process(pid=-90, start=9.0, parent=-20, session=-20, terminal="t1", name="snaphook")
    above = Process(pid=-10, start=1.0, parent=1, name=holder)

    assert witness((asks, shell, above), env).driven == driven


def test_a_name_that_holds_brackets_and_blanks_is_read_whole():
    stat = "77 (a) b (c) S 20 77 20 34816 77 4194304 1 0 0 0 0 0 0 0 20 0 1 0 12345 0 0"

    found = parse_stat(stat)

    assert (found.name, found.parent, found.session, found.terminal) == ("a) b (c", 20, 20, "34816")


def test_a_line_of_the_other_system_is_read():
    line = "  501   1 ttys003  Sun Nov 15 08:12:01 2026     /Applications/Visual Studio/Code Helper"

    found = parse_ps(line)

    assert found is not None
    assert (found.pid, found.parent, found.terminal) == (501, 1, "ttys003")
    assert found.name == "Code Helper"
    assert parse_ps("garbage") is None
