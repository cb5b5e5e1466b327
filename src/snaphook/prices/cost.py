"""What an answer costs.

model + Usage  ->  Cost, in whole micro-dollars

A model we do not know is priced as the dearest of its family and flagged: a budget must never be
fooled by a zero.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

from snaphook.canon import Usage

from .listed import listed
from .names import plain
from .table import MILLION, Price

_UNDATED = re.compile(r"-(?:\d{2}-\d{4}|\d{4}|preview|exp|beta)$")


class Cost(Struct, frozen=True, kw_only=True):
    """What an answer cost, and whether the price was a guess."""

    micro_dollars: int
    estimated: bool = False


class PriceList:
    """The public prices, and above them those of *own*."""

    def __init__(self, own: Mapping[str, Price] | None = None) -> None:
        self._own = own or {}
        self._found: dict[str, tuple[Price, bool]] = {}

    def cost(self, model: str, usage: Usage) -> Cost:
        """Return what one request with *usage* of *model* costs, rounded up to a whole micro-dollar.

        A long prompt has a price of its own, so requests must not be added up before.
        """
        price, known = self.price_of(model)
        price = price.at(usage.input_tokens)
        fresh = max(0, usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens)
        total = (
            fresh * price.input
            + usage.cache_read_tokens * price.cache_read
            + usage.cache_write_tokens * price.cache_write
            + usage.output_tokens * price.output
        )
        return Cost(micro_dollars=-(-total // MILLION), estimated=not known)

    def price_of(self, model: str) -> tuple[Price, bool]:
        """Return the price of *model*, and whether it is really known."""
        found = self._found.get(model)
        if found is None:
            found = self._look_up(model)
            if len(self._found) < 1_000:
                self._found[model] = found
        return found

    def _look_up(self, model: str) -> tuple[Price, bool]:
        prices = {**listed(), **self._own}
        name = plain(model)
        if price := prices.get(name) or prices.get(_UNDATED.sub("", name)):
            return price, True
        family = name.partition("-")[0]
        siblings = [p for start, p in prices.items() if start.startswith(f"{family}-")]
        return max(siblings or prices.values(), key=lambda price: price.output), False


LISTED = PriceList()
cost = LISTED.cost
