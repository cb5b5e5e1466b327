"""What tokens cost: list prices, a user's own, and the sum of an answer."""

from .cost import LISTED, Cost, PriceList, cost
from .listed import listed
from .own import read_prices
from .table import Price, Tier

__all__ = ["LISTED", "Cost", "Price", "PriceList", "Tier", "cost", "listed", "read_prices"]
