"""What a machine spent while the fleet's ledger was away, and what it last knew of it.

rows of its own meter  ->  handed over  ->  taken out again
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .account import Accounts, Balance, Payer, accounts_of
from .database import Database, RunStatement

BATCH = 200
MOST_KNOWN = 2_000
"""Accounts remembered at once; those still in use are noted again within a second."""
_KNOWN = """CREATE TABLE IF NOT EXISTS budget_known (
    kind TEXT NOT NULL, name TEXT NOT NULL, micros BIGINT NOT NULL, tokens BIGINT NOT NULL,
    held BIGINT NOT NULL, PRIMARY KEY (kind, name))"""
_COLUMNS = (
    "id, time, session, tree, project, tenant, model, input, output, cache_read, cache_write, "
    "micros, estimated, host, agent"
)
_NOTE = """INSERT INTO budget_known VALUES (?,?,?,?,?) ON CONFLICT (kind, name) DO UPDATE SET
    micros = excluded.micros, tokens = excluded.tokens, held = excluded.held"""
_FORGET = "DELETE FROM budget_known WHERE (SELECT count(*) FROM budget_known) > ?"
_TAKE_OUT = """UPDATE budget_account SET micros = micros - ?, tokens = tokens - ?
    WHERE kind = ? AND name = ?"""


class PendingCharges:
    """The charges in *database* are those that the fleet has not heard of."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def some(self) -> list[dict[str, Any]]:
        """Return the oldest charges that were not handed over."""
        with self._database.reading() as run:
            rows = run(f"SELECT {_COLUMNS} FROM budget_charge ORDER BY time LIMIT ?", (BATCH,))  # noqa: S608
        names = _COLUMNS.split(", ")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def settle(self, batch: Sequence[Mapping[str, Any]]) -> None:
        """Take *batch* out, and out of the accounts it was added to; once, whoever handed it over."""
        with self._database.transaction() as run:
            for row in batch:
                if run(
                    "DELETE FROM budget_charge WHERE id = ? AND micros = ? AND time = ? RETURNING id",
                    (row["id"], row["micros"], row["time"]),
                ):
                    _take_out(run, row)

    def note(self, accounts: Accounts, balances: Mapping[str, Balance]) -> None:
        """Keep what the fleet's *accounts* have come to."""
        with self._database.transaction() as run:
            run(_KNOWN)
            run(_FORGET, (MOST_KNOWN,))
            for kind, name in accounts.items():
                one = balances[kind]
                run(_NOTE, (kind, name, one.micro_dollars, one.tokens, one.held))

    def noted(self, accounts: Accounts) -> dict[str, Balance]:
        """Return what was last known of *accounts*."""
        with self._database.transaction() as run:
            run(_KNOWN)
            return {kind: _noted(run, kind, name) for kind, name in accounts.items()}


def _noted(run: RunStatement, kind: str, name: str) -> Balance:
    rows = run(
        "SELECT micros, tokens, held FROM budget_known WHERE kind = ? AND name = ?", (kind, name)
    )
    if not rows:
        return Balance()
    micros, tokens, held = map(int, rows[0])
    return Balance(micro_dollars=micros, tokens=tokens, held=held)


def _take_out(run: RunStatement, row: Mapping[str, Any]) -> None:
    payer = Payer(
        session=row["session"], tree=row["tree"], project=row["project"], tenant=row["tenant"]
    )
    for kind, name in accounts_of(payer, row["time"]).items():
        run(_TAKE_OUT, (row["micros"], row["input"] + row["output"], kind, name))
