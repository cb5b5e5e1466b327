"""What tokens cost, as a table.

model  ->  micro-dollars per million tokens, with the tiers of long prompts

The list is that of the package ``genai-prices``: ``listed.json`` is made from it (``make
generate``), and where a later version of the package is installed, its prices are used.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

MILLION = 1_000_000
FILE = Path(__file__).with_name("listed.json")


class Price(Struct, frozen=True, kw_only=True):
    """Micro-dollars per million tokens."""

    input: int
    output: int
    cache_read: int
    cache_write: int
    tiers: tuple["Tier", ...] = ()
    """What a prompt of more tokens costs, the longest first."""

    def at(self, input_tokens: int) -> "Price":
        """Return the price of one request with *input_tokens*: a tier holds for all of its tokens."""
        return next((tier.price for tier in self.tiers if input_tokens > tier.above), self)


class Tier(Struct, frozen=True, kw_only=True):
    """What holds for requests of more than so many input tokens, cached ones included."""

    above: int
    price: Price


class PriceTable(Struct, frozen=True, kw_only=True):
    """Prices by a model's name, and where they come from."""

    version: str
    """Of ``genai-prices``."""
    as_of: str
    """The day for which they hold, as YYYY-MM-DD: some change on a day that is known before."""
    prices: dict[str, tuple[tuple[int, int, int, int, int], ...]]
    """Of each tier the tokens above which it holds, then input, output, cache read and cache write."""

    def read(self) -> dict[str, Price]:
        """Return the prices, each with its tiers."""
        return {name: _price(rows) for name, rows in self.prices.items()}


def _price(rows: tuple[tuple[int, int, int, int, int], ...]) -> Price:
    tiers = tuple(
        Tier(above=above, price=_flat(rest)) for above, *rest in sorted(rows[1:], reverse=True)
    )
    return msgspec.structs.replace(_flat(rows[0][1:]), tiers=tiers)


def _flat(figures: "tuple[int, ...] | list[int]") -> Price:
    read, written, cached, stored = figures
    return Price(input=read, output=written, cache_read=cached, cache_write=stored)


def usd(read: float, written: float, cache_read: float, cache_write: float) -> Price:
    """Return the price of four figures in dollars per million tokens."""
    return Price(
        input=round(read * MILLION),
        output=round(written * MILLION),
        cache_read=round(cache_read * MILLION),
        cache_write=round(cache_write * MILLION),
    )
