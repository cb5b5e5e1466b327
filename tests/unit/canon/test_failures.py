"""What vendors really say when they fail, and what it means."""

from pathlib import Path

import pytest

from snaphook.canon import ErrorOccurred, ErrorType, HookContext
from snaphook.canon.failures import CLASSES, ErrorClass, class_of, classify
from snaphook.canon.retry_after import retry_after_ms

pytestmark = pytest.mark.req("SQ-13")

RECORDED = [
    line.split("\t")
    for line in Path(__file__).with_name("failures.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("status", "name", "words"), RECORDED)
def test_a_vendors_words_have_one_meaning(status, name, words):
    assert classify(int(status), words) == name


def test_every_class_maps_to_one_of_the_six_types_and_every_type_has_a_class():
    assert set(CLASSES) == set(ErrorClass)
    assert {row.error_type for row in CLASSES.values()} == set(ErrorType)


@pytest.mark.parametrize(
    ("told", "name"),
    [
        pytest.param({"error_class": "auth"}, "auth", id="our own class"),
        pytest.param({"error_class": "RateLimitError"}, "rate_limit", id="a host's class"),
        pytest.param({"error": "API Error: 529 busy"}, "overloaded", id="words alone"),
        pytest.param(
            {"error": "curl: 429 Too Many Requests", "error_type": ErrorType.TOOL},
            "tool",
            id="a tool's words are its own business",
        ),
        pytest.param({"error_type": ErrorType.NETWORK}, "network", id="only the type: network"),
        pytest.param({"error_type": ErrorType.MODEL}, "server", id="only the type: model"),
        pytest.param({}, "unknown", id="nothing at all"),
    ],
)
def test_an_event_has_a_class_however_much_its_host_tells(told, name):
    event = ErrorOccurred(context=HookContext(session_id="s"), **{"error": "oh", **told})

    assert class_of(event) == name


NOON = 1_763_208_000.0  # Sat, 15 Nov 2025 12:00:00 GMT


@pytest.mark.parametrize(
    ("headers", "words", "wait"),
    [
        ({"retry-after": "20"}, "", 20_000),
        ({"Retry-After": "0.25"}, "", 250),
        ({"retry-after-ms": "1500", "retry-after": "2"}, "", 1500),
        ({"retry-after": "Sat, 15 Nov 2025 12:00:30 GMT"}, "", 30_000),
        ({"retry-after": "Sat, 15 Nov 2025 11:00:00 GMT"}, "", 0),
        ({"retry-after": "-5"}, "", 0),
        ({"retry-after": "soon"}, "", None),
        ({}, "Please try again in 7m12s.", 432_000),
        ({}, "Please try again in 6.2s. Visit the page", 6200),
        ({}, "Please try again in 250ms.", 250),
        ({}, "Please retry after 6 seconds.", 6000),
        ({}, '{"retryDelay": "34s"}', 34_000),
        ({}, "try again in 1 hour 5 minutes", 3_900_000),
        ({}, "please try again later", None),
        ({}, "the model answered in 20s", None),
    ],
)
def test_the_wait_a_vendor_asks_for_is_found_in_headers_and_words(headers, words, wait):
    assert retry_after_ms(headers, words, now=NOON) == wait
