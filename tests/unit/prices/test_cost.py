"""What an answer costs is a whole number, and never zero by ignorance."""

import pytest

from snaphook.canon import Usage
from snaphook.prices import Cost, PriceList, cost
from snaphook.prices.table import usd


@pytest.mark.parametrize(
    ("model", "usage", "price"),
    [
        pytest.param(
            "anthropic:claude-sonnet-5",
            Usage(input_tokens=1_000_000, output_tokens=1_000_000),
            Cost(micro_dollars=12_000_000),
            id="list price",
        ),
        pytest.param(
            "claude-opus-5-20260724", Usage(output_tokens=4), Cost(micro_dollars=100), id="dated"
        ),
        pytest.param(
            "bedrock:anthropic/claude-opus-5",
            Usage(input_tokens=1),
            Cost(micro_dollars=5),
            id="through another vendor",
        ),
        pytest.param(
            "openai:gpt-5-nano",
            Usage(input_tokens=1),
            Cost(micro_dollars=1),
            id="a fraction is rounded up",
        ),
        pytest.param(
            "claude-sonnet-5",
            Usage(input_tokens=100, cache_read_tokens=50, cache_write_tokens=50),
            Cost(micro_dollars=135),
            id="what the cache held is cheaper to read, dearer to write",
        ),
        pytest.param(
            "openai:gpt-5.4-ultra",
            Usage(output_tokens=1),
            Cost(micro_dollars=180, estimated=True),
            id="unknown: the dearest of its family",
        ),
        pytest.param(
            "mystery:model",
            Usage(output_tokens=1),
            Cost(micro_dollars=600, estimated=True),
            id="unknown family: the dearest of all",
        ),
        pytest.param("claude-sonnet-5", Usage(), Cost(micro_dollars=0), id="nothing"),
    ],
)
def test_what_an_answer_costs(model, usage, price):
    assert cost(model, usage) == price


def test_a_price_of_ones_own_comes_before_the_list():
    own = PriceList({"claude-opus-5": usd(1, 2, 3, 4), "house-1": usd(7, 7, 7, 7)})
    usage = Usage(output_tokens=1_000_000)

    assert own.cost("anthropic:claude-opus-5-20260724", usage) == Cost(micro_dollars=2_000_000)
    assert own.cost("house-1", usage) == Cost(micro_dollars=7_000_000)
    assert cost("claude-opus-5", usage) == Cost(micro_dollars=25_000_000)
