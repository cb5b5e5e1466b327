"""Codes count once, and guesses are few."""

from snaphook.stores.overrides.codes import (
    CODE_GUESSES,
    CODE_SECONDS,
    FIRST_WAIT,
    FREE_GUESSES,
    Codes,
    Guesses,
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_wrong_guesses_cost_a_wait_that_doubles():
    clock = Clock()
    guesses = Guesses(clock)
    waits = []
    for _ in range(FREE_GUESSES + 2):
        guesses.wrong()
        waits.append(guesses.wait)

    assert waits == [0.0] * (FREE_GUESSES - 1) + [FIRST_WAIT, FIRST_WAIT * 2, FIRST_WAIT * 4]
    clock.now = FIRST_WAIT * 4
    assert guesses.wait == 0.0


def test_a_code_counts_once_for_its_own_stop():
    codes = Codes(Clock())
    code = codes.make(1)
    other = codes.make(2)

    assert not codes.take(2, code)
    assert codes.take(1, code.lower().replace("-", ""))
    assert not codes.take(1, code)
    assert codes.take(2, other)


def test_a_code_is_gone_after_a_while_or_a_few_wrong_guesses():
    clock = Clock()
    codes = Codes(clock)
    late, guessed = codes.make(1), codes.make(2)

    for _ in range(CODE_GUESSES):
        assert not codes.take(2, "AAAA-AAA1")
    assert not codes.take(2, guessed)
    clock.now = CODE_SECONDS
    assert not codes.take(1, late)
