"""The public list prices: those that were shipped, or those of a younger ``genai-prices``.

listed.json, installed package  ->  Price by model
"""

from collections.abc import Mapping
from functools import cache

import msgspec

from .newer import newer_table
from .table import FILE, Price, PriceTable


@cache
def listed() -> Mapping[str, Price]:
    """Return the public list prices by a model's name, without vendor and date."""
    shipped = msgspec.json.decode(FILE.read_bytes(), type=PriceTable)
    return (newer_table(shipped.version) or shipped).read()
