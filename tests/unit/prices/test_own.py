"""A prices file is taken whole or refused with everything that is wrong in it."""

import pytest

from snaphook.errors import ConfigError
from snaphook.prices import Price, read_prices


@pytest.fixture
def file(tmp_path):
    return tmp_path / "prices.toml"


@pytest.mark.req("SQ-10")
def test_prices_are_dollars_per_million_tokens_and_the_cache_costs_as_input_where_left_out(file):
    file.write_text(
        '["openai:house-1"]\ninput = 1.5\noutput = 6\n[cached]\ninput = 2\noutput = 8\n'
        "cache_read = 0.2\ncache_write = 2.5\n"
    )

    assert read_prices(file) == {
        "house-1": Price(
            input=1_500_000, output=6_000_000, cache_read=1_500_000, cache_write=1_500_000
        ),
        "cached": Price(
            input=2_000_000, output=8_000_000, cache_read=200_000, cache_write=2_500_000
        ),
    }


@pytest.mark.req("SQ-10")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("a = [", "is not valid TOML", id="no TOML"),
        pytest.param("model = 3", "model: 3 is not a table of prices", id="no table"),
        pytest.param("[m]\ninput = 1", "m: 'output' is missing", id="half a price"),
        pytest.param("[m]\ninput = -1\noutput = 1", "m.input: invalid price -1", id="negative"),
        pytest.param("[m]\ninput = nan\noutput = 1", "m.input: invalid price nan", id="no number"),
        pytest.param("[m]\ninput = true\noutput = 1", "m.input: invalid price True", id="a flag"),
        pytest.param("[m]\ninput = 1\noutput = 1\nx = 1", "m.x: is not one of input", id="a typo"),
        pytest.param(
            "[m]\ninput = 1\noutput = 3e6",
            "is out of range",
            id="dollars for one token, not a million",
        ),
    ],
)
def test_a_bad_prices_file_is_a_clear_error(file, text, told):
    file.write_text(text)

    with pytest.raises(ConfigError) as raised:
        read_prices(file)
    assert str(raised.value).startswith(f"{file}")
    assert told in str(raised.value)


def test_every_mistake_is_told_at_once(file):
    file.write_text("[a]\ninput = 1\n[b]\noutput = 'x'\n")

    with pytest.raises(ConfigError) as raised:
        read_prices(file)
    assert (
        raised.value.what
        == "'output' is missing; b: 'input' is missing; b.output: invalid price 'x'"
    )


def test_a_file_that_is_not_there_is_named(file):
    with pytest.raises(ConfigError, match=r"prices\.toml: cannot be read: No such file"):
        read_prices(file)
