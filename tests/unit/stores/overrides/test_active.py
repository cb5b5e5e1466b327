"""What an override is for, for whom, and how it ends."""

import pytest
from msgspec.structs import replace
from tests.unit.stores.overrides.test_person import AGENT, PERSON, SHELL

from snaphook.stores.overrides.active import (
    SETTLED,
    ActiveOverride,
    ActiveOverrides,
    Caller,
    void,
)
from snaphook.stores.overrides.override import (
    BlockedCall,
    Level,
    Method,
    Override,
    matches,
    normal,
)
from snaphook.stores.overrides.person import Witness
from snaphook.stores.overrides.recent import RecentCalls

CALL = BlockedCall(
    command="git push --force origin main",
    tool="Bash",
    rules=frozenset({"git.push-force"}),
    fixed=False,
    reason="",
    project="/p",
    cwd="/p/src",
    session="s",
)
OVERRIDE = Override(
    id="p1",
    command=CALL.command,
    tool="Bash",
    rules=CALL.rules,
    project="/p",
    duration="for",
    level=Level.DENY,
)
ACTIVE = ActiveOverride(
    override=OVERRIDE, method=Method.TERMINAL, until=100.0, made=0.0, seen=PERSON, settings="~"
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def free(_active: ActiveOverride) -> str:
    return ""


@pytest.mark.parametrize(
    ("call", "fits"),
    [
        pytest.param(CALL, True, id="the very call"),
        pytest.param(replace(CALL, command="git  push --force\torigin main "), True, id="blanks"),
        pytest.param(replace(CALL, command="git push --force origin\nmain"), False, id="a newline"),
        pytest.param(replace(CALL, command=f"{CALL.command}; rm -rf ~"), False, id="more"),
        pytest.param(replace(CALL, rules=CALL.rules | {"delete.home"}), False, id="another rule"),
        pytest.param(replace(CALL, fixed=True), False, id="something that nobody lifts"),
        pytest.param(replace(CALL, project="/other"), False, id="another project"),
        pytest.param(replace(CALL, tool="Write"), False, id="another tool"),
        pytest.param(replace(CALL, session="t"), True, id="another session"),
    ],
)
def test_an_override_is_for_what_was_allowed_and_nothing_else(call, fits):
    assert OVERRIDE.fits(call) is fits


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


@pytest.mark.parametrize(
    ("override", "call", "fits"),
    [
        pytest.param(Level.ASK, Level.ASK, True, id="a question answered"),
        pytest.param(Level.ASK, Level.DENY, False, id="a denial is more than a question"),
        pytest.param(Level.DENY, Level.ASK, True, id="the larger includes the smaller"),
    ],
)
@pytest.mark.parametrize("command", [CALL.command, ""], ids=["a command", "a pause"])
def test_an_answer_to_a_question_never_lifts_a_denial(override, call, fits, command):
    made = replace(OVERRIDE, level=override, command=command)

    assert made.fits(replace(CALL, level=call)) is fits


def test_an_override_for_once_is_gone_with_its_first_use_but_the_same_call_may_ask_again():
    overrides = ActiveOverrides(Clock())
    overrides.add(replace(ACTIVE, override=replace(OVERRIDE, duration="once")))
    call = replace(CALL, call="toolu_1")

    first, again = overrides.use(call, free), overrides.use(call, free)
    other = overrides.use(replace(CALL, call="toolu_2"), free)

    assert isinstance(first, ActiveOverride)
    assert isinstance(again, ActiveOverride)
    assert other is None


def test_an_override_expires_by_a_clock_that_nobody_sets():
    clock = Clock()
    overrides = ActiveOverrides(clock)
    overrides.add(ACTIVE)
    clock.now = 100.0

    assert overrides.use(CALL, free) is None
    assert overrides.sweep() == [ACTIVE]
    clock.now = 1.0
    assert overrides.use(CALL, free) is None, "and does not come back when the clock does"


OLD = 1_000_000.0
"""When the agent began, by the time of day."""
BY_AGENT = Caller(agent=AGENT, began=OLD, settings="~", time=OLD + 10)
UNKNOWN = Caller(settings="~", time=OLD + 10)
SIGNED = replace(ACTIVE, method=Method.PASSPHRASE, seen=Witness())
BELOW = Witness(chain=(*PERSON.chain, AGENT), leader=SHELL)


@pytest.mark.parametrize(
    ("active", "caller", "why"),
    [
        pytest.param(ACTIVE, BY_AGENT, "", id="a person's terminal"),
        pytest.param(replace(ACTIVE, seen=BELOW), BY_AGENT, "itself", id="below the agent"),
        pytest.param(ACTIVE, UNKNOWN, "cannot be identified", id="an agent nobody saw"),
        pytest.param(replace(SIGNED, since=OLD - 1), BY_AGENT, "", id="a key older than the agent"),
        pytest.param(
            replace(SIGNED, since=OLD + 1), BY_AGENT, "after this agent", id="a key set up later"
        ),
        pytest.param(
            replace(SIGNED, since=OLD + 1, enrolled_by=PERSON),
            BY_AGENT,
            "",
            id="later, but in front of us from an older terminal",
        ),
        pytest.param(
            replace(SIGNED, since=OLD + 1, enrolled_by=BELOW),
            BY_AGENT,
            "after this agent",
            id="later, by the agent",
        ),
        pytest.param(
            replace(SIGNED, since=OLD + 1, anchored=True), BY_AGENT, "", id="confirmed by root"
        ),
        pytest.param(
            replace(SIGNED, since=OLD), UNKNOWN, "less than 24 hours", id="fresh, and by HTTP"
        ),
        pytest.param(
            replace(SIGNED, since=OLD - SETTLED), UNKNOWN, "", id="a day old, and by HTTP"
        ),
        pytest.param(
            replace(SIGNED, since=OLD), replace(UNKNOWN, by_hand=True), "", id="tried by hand"
        ),
        pytest.param(
            replace(SIGNED, settings="/tmp/x"), BY_AGENT, "/tmp/x", id="another home's keys"
        ),
        pytest.param(
            replace(SIGNED, method=Method.CODE, since=OLD + 1),
            BY_AGENT,
            "notification settings",
            id="a code sent where an agent could have said",
        ),
        pytest.param(replace(SIGNED, method=Method.CODE, since=OLD - 1), BY_AGENT, "", id="a code"),
        pytest.param(
            replace(SIGNED, method=Method.ROOT, settings="/tmp/x"), UNKNOWN, "", id="root"
        ),
    ],
)
def test_an_override_is_void_for_the_agent_that_could_have_made_it(active, caller, why):
    assert why in void(active, caller)
    assert bool(why) == bool(void(active, caller))


def test_a_blocked_call_keeps_its_number_and_is_found_by_it_or_by_its_words():
    recent = RecentCalls()
    first, new = recent.add(CALL, 1.0)
    second, _ = recent.add(replace(CALL, command="rm -rf ~"), 2.0)
    again, renewed = recent.add(CALL, 3.0)

    assert (first.number, new, second.number, again.number, renewed) == (1, True, 2, 1, False)
    assert recent.find("1", "/elsewhere") == again
    assert recent.find("rm  -rf ~", "/p") == second
    assert recent.find("rm -rf ~", "/elsewhere") is None
    assert [one.number for one in recent.latest("/p")] == [1, 2]
