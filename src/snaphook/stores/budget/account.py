"""Who pays, and for what: the nouns of the meter.

Payer + time  ->  the accounts that a charge is entered in

Pure. Days and months are those of UTC, so that a fleet agrees on them.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import Struct

from snaphook.canon import Usage

Accounts: TypeAlias = Mapping[str, str]
"""By kind (``session``, ``project-day`` …), the name of the account."""


class Payer(Struct, frozen=True, kw_only=True):
    """In whose name something is spent."""

    session: str
    tree: str
    """The session at the root: the one a person talks to, and all its subagents."""
    project: str = ""
    tenant: str = ""


class Charge(Struct, frozen=True, kw_only=True):
    """What one answer of a model used, and its price."""

    id: str
    """Entered twice under the same id, it counts once: the later figures hold."""
    model: str
    usage: Usage
    micro_dollars: int
    estimated: bool = False
    host: str = ""
    agent: str = ""
    """Whose answer it was: ``main``, or the name of a subagent."""


class Balance(Struct, frozen=True, kw_only=True):
    """What an account has come to."""

    micro_dollars: int = 0
    tokens: int = 0
    held: int = 0
    """Micro-dollars set aside for what is under way."""


def accounts_of(payer: Payer, now: float) -> Accounts:
    """Return every account that *payer*'s spending at *now* is entered in."""
    day = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d")
    month = day[:7]
    found = {
        "session": payer.session,
        "tree": payer.tree,
        "project": payer.project,
        "project-month": f"{payer.project}@{month}",
        "project-day": f"{payer.project}@{day}",
        "month": month,
        "day": day,
    }
    if payer.tenant:
        found |= {
            "tenant": payer.tenant,
            "tenant-month": f"{payer.tenant}@{month}",
            "tenant-day": f"{payer.tenant}@{day}",
        }
    return found
