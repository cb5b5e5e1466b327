"""Who has spent what: one meter for every process of a machine, or of a fleet."""

from .account import Accounts, Balance, Charge, Payer, accounts_of
from .meter import Limit, Meter, Reading
from .open import open_meter

__all__ = [
    "Accounts",
    "Balance",
    "Charge",
    "Limit",
    "Meter",
    "Payer",
    "Reading",
    "accounts_of",
    "open_meter",
]
