"""scrubber: any value in, the same value out, without what must not be kept."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import thorough

from snaphook.scrub import Finding, Scrubber
from snaphook.scrub.scrubber import TOO_DEEP

SCRUBBER = Scrubber(salt=b"salt")
TOKEN = "ghp_" + "a1B2" * 9
MARK = SCRUBBER.text(TOKEN)
ADDRESS = SCRUBBER.text("ada@example.org")


def test_the_same_value_always_becomes_the_same_placeholder():
    again = Scrubber(salt=b"salt")

    assert again.text(f"{TOKEN} and {TOKEN}") == f"{MARK} and {MARK}"
    assert MARK.startswith("[REDACTED:github-pat:")
    assert ADDRESS.startswith("[EMAIL:")


def test_another_salt_gives_another_mark():
    assert Scrubber(salt=b"other").text(TOKEN) != MARK
    assert Scrubber().text(TOKEN) == Scrubber().text(TOKEN)


@pytest.mark.parametrize(
    ("value", "scrubbed"),
    [
        pytest.param({"a": [TOKEN]}, {"a": [MARK]}, id="lists in tables"),
        pytest.param((TOKEN, 1), (MARK, 1), id="tuples stay tuples"),
        pytest.param({TOKEN}, {MARK}, id="sets stay sets"),
        pytest.param({"ada@example.org": 1}, {ADDRESS: 1}, id="keys"),
        pytest.param({1: TOKEN, None: 2}, {1: MARK, None: 2}, id="keys that are no texts"),
        pytest.param(TOKEN.encode(), MARK.encode(), id="bytes"),
        pytest.param(bytearray(TOKEN.encode()), bytearray(MARK.encode()), id="bytearrays"),
        pytest.param(b"\xff\xfe" + TOKEN.encode(), b"\xff\xfe" + MARK.encode(), id="no UTF-8"),
        pytest.param(f"\ud800 {TOKEN}", f"\ud800 {MARK}", id="a lone surrogate"),
        pytest.param(f"İ→ {TOKEN} é", f"İ→ {MARK} é", id="letters of many bytes"),
        pytest.param({"token": TOKEN}, {"token": MARK}, id="a key that tells the same"),
    ],
)
def test_values_of_every_kind_are_scrubbed(value, scrubbed):
    assert SCRUBBER.scrub(value) == scrubbed


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("password", "hunter2"),
        ("DB_PASSWORD", "correct horse"),
        ("clientSecret", "s3cr3t-value"),
        ("datadog_api_key", "0123456789abcdef0123456789abcdef"),
    ],
)
def test_a_key_tells_what_its_value_is(key, value):
    assert value not in str(SCRUBBER.scrub({key: value}))
    assert SCRUBBER.scrub({"title": value}) == {"title": value}


@pytest.mark.parametrize("value", ["plain", {"a": [1, (2,)], "b": None}, b"raw", 7, None, [], {}])
def test_what_has_nothing_to_hide_is_the_same_object(value):
    assert SCRUBBER.scrub(value) is value


def test_a_cycle_stays_a_cycle():
    loop: dict[str, object] = {"to": "ada@example.org", "items": []}
    loop["items"] = [loop, (loop,)]

    seen = SCRUBBER.scrub(loop)

    assert seen["to"] == ADDRESS
    assert isinstance(seen["items"], list)
    assert seen["items"][0] is seen
    assert seen["items"][1] == (seen["items"][0],) or seen["items"][1][0] is seen


def test_what_lies_too_deep_is_not_let_through():
    deep: object = TOKEN
    for _ in range(5_000):
        deep = [deep]

    seen = SCRUBBER.scrub(deep)

    for _ in range(200):
        assert isinstance(seen, list)
        seen = seen[0]
    assert seen == TOO_DEEP


def test_only_what_is_asked_for_is_scrubbed():
    text = f"{TOKEN} ada@example.org"

    assert Scrubber(salt=b"salt", personal=False).text(text) == f"{MARK} ada@example.org"
    assert Scrubber(salt=b"salt", secrets=False).text(text) == f"{TOKEN} {ADDRESS}"


@pytest.mark.parametrize("allow", ["ada@example.org", "/.*@example\\.org/"])
def test_allowed_values_stay(allow):
    scrubber = Scrubber(salt=b"salt", allow=[allow])

    assert scrubber.text("ada@example.org, ada@example.net").startswith("ada@example.org, [EMAIL:")


def test_findings_say_where_and_what():
    assert SCRUBBER.find(f"é {TOKEN} a@b.de") == [
        Finding(3, 43, "github-pat", rank=SCRUBBER.find(TOKEN)[0].rank),
        Finding(44, 50, "email", personal=True),
    ]


@settings(max_examples=thorough(300, 80), deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    )
)
def test_scrubbing_twice_changes_nothing_more(value):
    once = SCRUBBER.scrub(value)

    assert SCRUBBER.scrub(once) == once
