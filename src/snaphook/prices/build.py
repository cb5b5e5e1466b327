"""The price list of the package ``genai-prices``, in our form.

genai_prices  ->  PriceTable

Vendors first, so that a name that several sell is priced as its maker does.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

from .names import plain
from .table import MILLION, PriceTable

if TYPE_CHECKING:
    from decimal import Decimal

VENDORS = (
    "anthropic", "openai", "google", "mistral", "deepseek", "x-ai", "moonshotai", "cohere", "meta", "minimax",
    "zai", "perplexity", "groq", "cerebras", "arcee",
)  # fmt: skip
_FIGURES = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok")
_Row = tuple[int, int, int, int, int]


def build(as_of: date | None = None) -> PriceTable:
    """Return the prices of the installed package that hold on *as_of*, today unless it is given."""
    from importlib.metadata import version

    from genai_prices.data import providers

    day = as_of or datetime.now(UTC).date()
    noon = datetime.combine(day, time(12), UTC)  # some are cheaper at night
    by_id = {provider.id: provider for provider in providers}
    models = [model for vendor in VENDORS if vendor in by_id for model in by_id[vendor].models]
    prices: dict[str, tuple[_Row, ...]] = {}
    # A model's own id beats the same name among those that match another one.
    for named in (_own_name, _exact_names, _beginnings):
        for model in models:
            rows = _rows(model.get_prices(noon)) if not model.id.startswith("ft:") else ()
            if rows:
                for name in named(model):
                    prices.setdefault(plain(name), rows)
    return PriceTable(
        version=version("genai-prices"), as_of=day.isoformat(), prices=dict(sorted(prices.items()))
    )


def _own_name(model: Any) -> Iterator[str]:
    yield model.id


def _exact_names(model: Any) -> Iterator[str]:
    return _matched(model, "equals")


def _beginnings(model: Any) -> Iterator[str]:
    return _matched(model, "starts_with")


def _matched(model: Any, kind: str) -> Iterator[str]:
    for clause in (model.match, *(getattr(model.match, "or_", None) or ())):
        if name := getattr(clause, kind, None):
            yield name


def _rows(price: Any) -> tuple[_Row, ...]:
    """Return a row for every tier of *price*; nothing where a model is not paid by the token."""
    if price.input_mtok is None or price.output_mtok is None:
        return ()
    starts = {
        tier.start for name in _FIGURES for tier in getattr(getattr(price, name), "tiers", ())
    }
    return tuple(_row(price, start) for start in (0, *sorted(starts)))


def _row(price: Any, start: int) -> _Row:
    read, written, cached, stored = (_figure(getattr(price, name), start) for name in _FIGURES)
    assert read is not None and written is not None  # noqa: PT018 - seen to by the caller
    # Where no price of its own is listed, a cached token costs what any other does.
    return (
        start,
        read,
        written,
        read if cached is None else cached,
        read if stored is None else stored,
    )


def _figure(value: Any, start: int) -> int | None:
    if value is None:
        return None
    amount: Decimal = getattr(value, "base", value)
    for tier in getattr(value, "tiers", ()):
        if tier.start <= start and start:
            amount = tier.price
    return round(amount * MILLION)
