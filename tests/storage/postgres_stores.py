"""The PostgreSQL stores as a crowd uses them: what is acknowledged is kept, whoever is killed.

The address of the server is in the environment: the crowd is a process of its own.
"""

import os

import psycopg
from tests.storage.stores import Store

from snaphook.canon import Usage
from snaphook.stores.budget import Charge, Payer
from snaphook.stores.budget.meter import Meter
from snaphook.stores.budget.postgres import PostgresDatabase
from snaphook.stores.eventlog import Record
from snaphook.stores.eventlog.postgres import PostgresRecordStore
from snaphook.stores.eventlog.ship import ShipCursor
from snaphook.stores.memory.postgres import PostgresMemory
from snaphook.stores.workspace import WorkspaceSettings, make_workspace, open_workspace
from snaphook.stores.workspace.task import Task
from snaphook.testing.memory import a_memory

VARIABLE = "SNAPHOOK_TEST_POSTGRES"


class PostgresStore(Store):
    """A store on the server that the environment names."""

    survives_failures = True

    @property
    def url(self) -> str:
        return os.environ[VARIABLE]

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url) as db:
            return db.execute(sql.encode()).fetchall()


class PostgresRecords(PostgresStore):
    def __init__(self, folder):
        super().__init__(folder)
        self.database = PostgresRecordStore(self.url, machine="here")

    def write(self, key):
        made = Record(id=key, time=1.0, event="Stop", session="s", host="h")
        self.database.keep("direct", [made], ShipCursor("00000001", 1))

    def kept(self):
        return {str(row[0]) for row in self.rows("SELECT id FROM snaphook_record")}

    def problems(self):
        """The counts were made in the transaction that kept the records."""
        ((counted,),) = self.rows(
            "SELECT coalesce(sum(n), 0) FROM snaphook_tally WHERE kind = 'hook'"
        )
        return [] if counted == len(self.kept()) else [f"{counted} counted of {len(self.kept())}"]

    def close(self):
        self.database.close()


class PostgresBudget(PostgresStore):
    PAYER = Payer(session="s", tree="s", project="/p", tenant="")

    def __init__(self, folder):
        super().__init__(folder)
        self.meter = Meter(PostgresDatabase(self.url))

    def write(self, key):
        usage = Usage(output_tokens=1)
        self.meter.spend(self.PAYER, [Charge(id=key, model="m", usage=usage, micro_dollars=1)])

    def kept(self):
        return {str(row[0]) for row in self.rows("SELECT id FROM budget_charge")}

    def problems(self):
        """The account must hold what its charges add up to."""
        held = self.meter.balances(self.PAYER)["session"].micro_dollars
        return [] if held == len(self.kept()) else [f"{held} in the account of {len(self.kept())}"]

    def close(self):
        self.meter.close()


class PostgresMemories(PostgresStore):
    def __init__(self, folder):
        super().__init__(folder)
        self.memory = PostgresMemory(self.url)

    def write(self, key):
        self.memory.put([a_memory(f"lesson {key}", run=key)])

    def kept(self):
        return {one.text.removeprefix("lesson ") for one in self.memory.every()}

    def close(self):
        self.memory.close()


class PostgresQueue(PostgresStore):
    def __init__(self, folder):
        super().__init__(folder)
        if not (folder / "made").exists():
            make_workspace(folder)
            (folder / "made").touch()
        self.place = open_workspace(folder, WorkspaceSettings(store=self.url, project="p"))

    def write(self, key):
        self.place.add(Task(id=key, title=key))

    def kept(self):
        return {task.id for task in self.place.tasks()}

    def close(self):
        self.place.close()


POSTGRES_STORES: dict[str, type[PostgresStore]] = {
    "postgres records": PostgresRecords,
    "postgres budget": PostgresBudget,
    "postgres memory": PostgresMemories,
    "postgres workspace": PostgresQueue,
}
