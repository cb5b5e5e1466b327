"""How a circuit changes; every row is a story of seconds."""

import pytest

from snaphook.stores.breaker.circuit import (
    UNTROUBLED,
    Circuit,
    CircuitLimits,
    CircuitState,
    failed,
    settled,
    tried,
)

LIMITS = CircuitLimits(threshold=3, cooldown=60, window=600)


@pytest.mark.req("SQ-13")
@pytest.mark.parametrize(
    ("failures_at", "asked_at", "state"),
    [
        pytest.param([], 0, CircuitState.CLOSED, id="nothing happened"),
        pytest.param([1, 2], 3, CircuitState.CLOSED, id="fewer than the threshold"),
        pytest.param([1, 2, 3], 4, CircuitState.OPEN, id="as many as the threshold"),
        pytest.param([1, 2, 3], 62.9, CircuitState.OPEN, id="almost cooled down"),
        pytest.param([1, 2, 3], 63, CircuitState.HALF_OPEN, id="cooled down"),
        pytest.param([1, 2, 700], 701, CircuitState.CLOSED, id="too far apart to belong together"),
        pytest.param(
            [1, 2, 3, 30, 62], 63, CircuitState.HALF_OPEN, id="stragglers prolong nothing"
        ),
        pytest.param([1, 2, 3, 63], 64, CircuitState.OPEN, id="a failed probe opens again"),
    ],
)
def test_when_a_circuit_opens(failures_at, asked_at, state):
    circuit = UNTROUBLED
    for now in failures_at:
        circuit = failed(circuit, now, LIMITS)

    assert circuit.state(asked_at, LIMITS) is state


def test_only_one_probes_until_it_is_taken_for_dead():
    circuit = Circuit(failures=3, failed_at=0, opened_at=0)
    answers = []
    for now in (30, 60, 61, 119, 120, 121):
        circuit, may = tried(circuit, now, LIMITS)
        answers.append((now, may))

    assert answers == [
        (30, False),
        (60, True),
        (61, False),
        (119, False),
        (120, True),
        (121, False),
    ]


def test_a_clock_that_was_set_back_opens_nothing_for_longer_than_the_cooldown():
    circuit = settled(Circuit(failures=3, failed_at=9e9, opened_at=9e9, probed_at=9e9), now=100)

    assert circuit == Circuit(failures=3, failed_at=100, opened_at=100, probed_at=100)
    assert circuit.state(160, LIMITS) is CircuitState.HALF_OPEN
