"""What tokens cost: list prices, a user's own, and the sum of an answer."""

from .cost import LISTED, Cost, PriceList, cost
from .own import read_prices
from .table import PRICES, Price

__all__ = ["LISTED", "PRICES", "Cost", "Price", "PriceList", "cost", "read_prices"]
