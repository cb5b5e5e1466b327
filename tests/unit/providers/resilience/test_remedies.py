"""What helps against which failure."""

import pytest

from snaphook.canon.failures import CLASSES, ErrorClass
from snaphook.providers.resilience import ResilienceSettings
from snaphook.providers.resilience.remedies import REMEDIES, wait_ms

pytestmark = pytest.mark.req("SQ-13")


def test_every_class_of_failure_has_a_remedy():
    assert set(REMEDIES) == set(ErrorClass) == set(CLASSES)


@pytest.mark.parametrize(
    ("attempt", "retry_after", "chance", "wait"),
    [
        pytest.param(1, None, 1.0, 1000, id="the first wait"),
        pytest.param(2, None, 1.0, 2000, id="twice as long"),
        pytest.param(4, None, 1.0, 8000, id="and so on"),
        pytest.param(4, None, 0.0, 4000, id="at least half of it"),
        pytest.param(9, None, 1.0, 60_000, id="never longer than the longest"),
        pytest.param(9999, None, 1.0, 60_000, id="however many attempts"),
        pytest.param(1, 20_000, 0.0, 20_000, id="what the vendor says"),
        pytest.param(1, 20_000, 1.0, 22_000, id="a little more, never less"),
        pytest.param(3, 0, 0.5, 0, id="at once, if the vendor says so"),
        pytest.param(1, 61_000, 0.5, None, id="too long to wait for"),
    ],
)
def test_how_long_to_wait(attempt, retry_after, chance, wait):
    assert wait_ms(attempt, retry_after, ResilienceSettings(), chance) == wait


@pytest.mark.parametrize(
    ("table", "where"),
    [
        ({"threshold": 0}, [("threshold",)]),
        ({"attempts": 0, "cooldown": -1}, [("attempts",), ("cooldown",)]),
        ({"reword": "Say it nicely."}, [("reword",)]),
        ({"reword": "{prompt} Nicely.", "threshold": 3}, []),
    ],
)
def test_settings_that_nothing_can_keep_are_found(table, where):
    assert [flaw[0] for flaw in ResilienceSettings.find_errors(table)] == where
