"""Each store as a crowd uses it: one write that is acknowledged, what must exist then, and its own check.

A write has a key. Once it has returned, the key is among what ``kept`` returns, whatever is killed next.
"""

import contextlib
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

import msgspec

from snaphook.canon import Usage
from snaphook.config.trust import TrustStore
from snaphook.notify.rate import wait_for_turn
from snaphook.providers.policies.journal import PolicyJournal
from snaphook.providers.telemetry.follow import keep_position
from snaphook.storage import sqlite
from snaphook.stores.breaker import Breaker
from snaphook.stores.budget import Charge, Payer, open_meter
from snaphook.stores.directives import Directives
from snaphook.stores.eventlog import EventLog, Record
from snaphook.stores.eventlog.audit import verify
from snaphook.stores.eventlog.read import records
from snaphook.stores.eventlog.ship import ShipCursor
from snaphook.stores.eventlog.sqlite import SqliteRecordStore
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.stores.outbox import Outbox
from snaphook.stores.snapshots import Risk, SnapshotStore
from snaphook.stores.workspace import FileWorkspace, WorkspaceSettings, layout_at, make_workspace
from snaphook.stores.workspace.doctor import FindingLevel, examine
from snaphook.stores.workspace.task import Task
from snaphook.testing.memory import a_memory

PATIENCE = 60.0


class Store(ABC):
    """One store below *folder*; every instance is a connection of its own."""

    counts: ClassVar[bool] = False
    """Whether it keeps a number and not the keys."""
    survives_failures: ClassVar[bool] = False
    """Whether a write may fail, and be tried again over a new connection: its server may restart."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def write(self, key: str) -> None:
        """Keep *key*; it is acknowledged when this returns."""

    @abstractmethod
    def kept(self) -> set[str]:
        """Return the keys that are kept."""

    def problems(self) -> list[str]:
        """Return what SQLite, and the store's own check, find wrong."""
        return [
            f"{path.name}: {problem}"
            for pattern in ("*.sqlite", "*.db")
            for path in self.folder.rglob(pattern)
            for problem in sqlite.problems(path)
        ]

    def close(self) -> None:  # noqa: B027 - most have nothing open
        """Let go."""


class OutboxStore(Store):
    def __init__(self, folder):
        super().__init__(folder)
        self.outbox = Outbox(folder, patience=PATIENCE)

    def write(self, key):
        self.outbox.put("say", {"key": key}, key=key)

    def kept(self):
        self.outbox.absorb()
        return {job.key for job in self.outbox.jobs()}

    def close(self):
        self.outbox.close()


class BudgetStore(Store):
    PAYER = Payer(session="s", tree="s", project="/p", tenant="")

    def __init__(self, folder):
        super().__init__(folder)
        self.meter = open_meter("sqlite", folder)

    def write(self, key):
        usage = Usage(output_tokens=1)
        self.meter.spend(self.PAYER, [Charge(id=key, model="m", usage=usage, micro_dollars=1)])

    def kept(self):
        with contextlib.closing(sqlite.connect(self._file(), patience=PATIENCE)) as db:
            return {str(row[0]) for row in db.execute("SELECT id FROM budget_charge")}

    def problems(self):
        """The account must hold what its charges add up to."""
        held = self.meter.balances(self.PAYER)["session"].micro_dollars
        wrong = [] if held == len(self.kept()) else [f"{held} in the account of {len(self.kept())}"]
        return [*super().problems(), *wrong]

    def close(self):
        self.meter.close()

    def _file(self):
        (file,) = (p for p in self.folder.iterdir() if p.suffix in (".sqlite", ".db"))
        return file


class MemoryStore(Store):
    def __init__(self, folder):
        super().__init__(folder)
        self.memory = SqliteMemory(folder / "memory.sqlite")

    def write(self, key):
        self.memory.put([a_memory(f"lesson {key}", run=key)])

    def kept(self):
        with contextlib.closing(
            sqlite.connect(self.folder / "memory.sqlite", patience=PATIENCE)
        ) as db:
            bodies = [
                bytes(row[0]).decode(errors="replace")
                for row in db.execute("SELECT body FROM memory")
            ]
        return {body.partition("lesson ")[2].partition('"')[0] for body in bodies}

    def close(self):
        self.memory.close()


class WorkspaceStore(Store):
    def __init__(self, folder):
        super().__init__(folder)
        if not (folder / "made").exists():
            make_workspace(folder)
            (folder / "made").touch()
        settings = WorkspaceSettings(patience_seconds=PATIENCE)
        self.place = FileWorkspace(layout_at(folder), settings)

    def write(self, key):
        self.place.add(Task(id=key, title=key))

    def kept(self):
        return {task.id for task in self.place.tasks()}

    def problems(self):
        return [str(one) for one in examine(self.place) if one.level is FindingLevel.ERROR]


class BreakerStore(Store):
    counts = True

    def write(self, key):
        Breaker(self.folder / "breakers.db", name="model", threshold=10**9).failure()

    def kept(self):
        with contextlib.closing(
            sqlite.connect(self.folder / "breakers.db", patience=PATIENCE)
        ) as db:
            (count,) = db.execute("SELECT max(failures) FROM circuit").fetchone()
        return {str(number) for number in range(count or 0)}


class RateStore(Store):
    counts = True

    def write(self, key):
        path = self.folder / "rate.sqlite"
        assert wait_for_turn(path, "phone", per_minute=10**9, now=1000.0) == 0.0

    def kept(self):
        with contextlib.closing(
            sqlite.connect(self.folder / "rate.sqlite", patience=PATIENCE)
        ) as db:
            (count,) = db.execute("SELECT count(*) FROM sent").fetchone()
        return {str(number) for number in range(count)}


class DirectiveStore(Store):
    def write(self, key):
        Directives(self.folder, "/p").add(f"Always {key}")

    def kept(self):
        return {each.text.partition(" ")[2] for each in Directives(self.folder, "/p").all()}


class EventLogStore(Store):
    def write(self, key):
        log = EventLog(self.folder, stream="direct", patience=PATIENCE)
        log.append([Record(id=key, time=1.0, event="Stop", session="s", verdict="deny")])
        log.close()

    def kept(self):
        return {record.id for record in records(self.folder)}

    def problems(self):
        return [str(report.bad) for report in verify(self.folder) if report.bad]


class RecordDatabase(Store):
    def __init__(self, folder):
        super().__init__(folder)
        self.database = SqliteRecordStore(folder / "log.sqlite")

    def write(self, key):
        made = Record(id=key, time=1.0, event="Stop", session="s")
        self.database.keep("direct", [made], ShipCursor("00000001", 1))

    def kept(self):
        with contextlib.closing(
            sqlite.connect(self.folder / "log.sqlite", patience=PATIENCE)
        ) as db:
            return {str(row[0]) for row in db.execute("SELECT id FROM record")}

    def close(self):
        self.database.close()


class SnapshotsStore(Store):
    def write(self, key):
        root = self.folder / "projects" / key
        root.mkdir(parents=True)
        (root / "work.txt").write_text(key)
        store = SnapshotStore(self.folder / "undo")
        store.keep(root, Risk(paths=(str(root / "work.txt"),)), command=key)

    def kept(self):
        return {one.command for one in SnapshotStore(self.folder / "undo").all()}

    def problems(self):
        """What a snapshot names can be read, and is what it was."""
        store = SnapshotStore(self.folder / "undo")
        return [
            f"{one.command}: {entry.path}"
            for one in store.all()
            for entry in one.entries
            if entry.trash and store.trash.read(entry.trash).decode() != one.command
        ]


class PolicyJournalStore(Store):
    def write(self, key):
        PolicyJournal(self.folder / "journal").append(key)

    def kept(self):
        return set(PolicyJournal(self.folder / "journal").lines())


class Trust(Store):
    def write(self, key):
        TrustStore(self.folder / "trust.json").approve(Path("/", key), {"snaphook.toml": key})

    def kept(self):
        return {path[1:] for path in TrustStore(self.folder / "trust.json").approvals()}


class TelemetryCursor(Store):
    """One file that each write replaces: the last one counts, and a reader always finds it whole."""

    counts = True

    def write(self, key):
        path = self.folder / "cursor.json"
        keep_position(path, msgspec.json.encode({"key": key, "more": "x" * 5000}))
        assert len(msgspec.json.decode(path.read_bytes())["more"]) == 5000

    def kept(self):
        assert msgspec.json.decode((self.folder / "cursor.json").read_bytes())["key"]
        return set()


STORES: dict[str, type[Store]] = {
    "outbox": OutboxStore,
    "budget": BudgetStore,
    "memory": MemoryStore,
    "workspace": WorkspaceStore,
    "breaker": BreakerStore,
    "notification rate": RateStore,
    "directives": DirectiveStore,
    "event log": EventLogStore,
    "record database": RecordDatabase,
    "snapshots": SnapshotsStore,
    "policy journal": PolicyJournalStore,
    "trust": Trust,
    "telemetry cursor": TelemetryCursor,
}
