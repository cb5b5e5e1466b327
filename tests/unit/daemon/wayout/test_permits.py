"""What a permit is for, for whom, and how it ends."""

import pytest
from msgspec.structs import replace
from tests.unit.daemon.wayout.test_person import AGENT, PERSON, SHELL

from snaphook.daemon.wayout.permits import Permit, Permits, matches, normal, void
from snaphook.daemon.wayout.person import Proof, Witness
from snaphook.daemon.wayout.stops import Stops
from snaphook.providers.guard.way_out import Stop

STOP = Stop(
    command="git push --force origin main",
    tool="Bash",
    rules=frozenset({"git.push-force"}),
    fixed=False,
    reason="",
    project="/p",
    cwd="/p/src",
    session="s",
)
PERMIT = Permit(
    id="",
    command=STOP.command,
    tool="Bash",
    rules=STOP.rules,
    project="/p",
    until=100.0,
    made=0.0,
    proof=Proof.TERMINAL,
    seen=PERSON,
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def free(_permit: Permit) -> str:
    return ""


@pytest.mark.parametrize(
    ("stop", "fits"),
    [
        pytest.param(STOP, True, id="the very call"),
        pytest.param(replace(STOP, command="git  push --force\torigin main "), True, id="blanks"),
        pytest.param(replace(STOP, command="git push --force origin\nmain"), False, id="a newline"),
        pytest.param(replace(STOP, command=f"{STOP.command}; rm -rf ~"), False, id="more"),
        pytest.param(replace(STOP, rules=STOP.rules | {"delete.home"}), False, id="another rule"),
        pytest.param(replace(STOP, fixed=True), False, id="something that nobody lifts"),
        pytest.param(replace(STOP, project="/other"), False, id="another project"),
        pytest.param(replace(STOP, tool="Write"), False, id="another tool"),
        pytest.param(replace(STOP, session="t"), True, id="another session"),
    ],
)
def test_a_permit_is_for_what_was_allowed_and_nothing_else(stop, fits):
    assert PERMIT.fits(stop) is fits


@pytest.mark.parametrize(
    ("command", "fits"),
    [
        pytest.param("rm -rf build/a", True, id="what the star stands for"),
        pytest.param("rm -rf build/a; rm -rf ~", False, id="another command"),
        pytest.param("rm -rf build/$(cat x)", False, id="a substitution"),
        pytest.param("rm -rf build/a > /etc/passwd", False, id="a redirection"),
        pytest.param("rm -rf build/a ~", False, id="another word"),
        pytest.param("rm -rf build/../..", False, id="out of the folder again"),
    ],
)
def test_a_pattern_never_reaches_into_another_command(command, fits):
    assert matches("rm -rf build/*", command) is fits


def test_a_star_that_is_a_word_of_its_own_stands_for_more_words():
    assert matches("git push --force *", "git push --force origin topic")


def test_blanks_that_mean_something_are_kept():
    assert normal('rm  "a  b"') == 'rm  "a  b"'
    assert normal(" ls   -la ") == "ls -la"


def test_a_permit_for_once_is_gone_with_its_first_use_but_the_same_call_may_ask_again():
    permits = Permits(Clock())
    permits.mint(replace(PERMIT, once=True))
    call = replace(STOP, call="toolu_1")

    first, again = permits.use(call, free), permits.use(call, free)
    other = permits.use(replace(STOP, call="toolu_2"), free)

    assert isinstance(first, Permit)
    assert isinstance(again, Permit)
    assert other is None


def test_a_permit_runs_out_by_a_clock_that_nobody_sets():
    clock = Clock()
    permits = Permits(clock)
    minted = permits.mint(PERMIT)
    clock.now = 100.0

    assert permits.use(STOP, free) is None
    assert permits.sweep() == [minted]
    clock.now = 1.0
    assert permits.use(STOP, free) is None, "and does not come back when the clock does"


OLD = 1_000.0
"""When the agent began, by the time of day."""


@pytest.mark.parametrize(
    ("permit", "agent", "why"),
    [
        pytest.param(PERMIT, AGENT, "", id="a person's terminal"),
        pytest.param(
            replace(PERMIT, seen=Witness(chain=(*PERSON.chain, AGENT), leader=SHELL)),
            AGENT,
            "itself",
            id="below the agent",
        ),
        pytest.param(PERMIT, None, "cannot be told", id="an agent nobody saw"),
        pytest.param(replace(PERMIT, proof=Proof.CODE), None, "", id="a code"),
        pytest.param(
            replace(PERMIT, proof=Proof.PASSPHRASE, known_since=OLD - 1),
            AGENT,
            "",
            id="a passphrase older than the agent",
        ),
        pytest.param(
            replace(PERMIT, proof=Proof.PASSPHRASE, known_since=OLD + 1),
            AGENT,
            "while the agent was at work",
            id="a passphrase that came later",
        ),
        pytest.param(
            replace(PERMIT, proof=Proof.PASSPHRASE, known_since=OLD + 1, known_by=PERSON),
            AGENT,
            "",
            id="later, but in front of us by a person",
        ),
    ],
)
def test_a_permit_is_void_for_the_agent_that_could_have_made_it(permit, agent, why):
    assert why in void(permit, agent, OLD)
    assert bool(why) == bool(void(permit, agent, OLD))


def test_a_stop_keeps_its_number_and_is_found_by_it_or_by_its_words():
    stops = Stops()
    first, new = stops.note(STOP, 1.0)
    second, _ = stops.note(replace(STOP, command="rm -rf ~"), 2.0)
    again, renewed = stops.note(STOP, 3.0)

    assert (first.number, new, second.number, again.number, renewed) == (1, True, 2, 1, False)
    assert stops.find("1", "/elsewhere") == again
    assert stops.find("rm  -rf ~", "/p") == second
    assert stops.find("rm -rf ~", "/elsewhere") is None
    assert [one.number for one in stops.latest("/p")] == [1, 2]
