"""Who has spent what: one meter for every process of a machine, or of a fleet."""

from .account import Accounts, Balance, Charge, Payer, accounts_of
from .meter import Bookmark, Limit, Meter
from .open import open_meter

__all__ = [
    "Accounts",
    "Balance",
    "Bookmark",
    "Charge",
    "Limit",
    "Meter",
    "Payer",
    "accounts_of",
    "open_meter",
]
