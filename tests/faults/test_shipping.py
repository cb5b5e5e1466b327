"""A database that is away costs nothing but delay."""

import time

import psycopg
import pytest

from snaphook.daemon import log_maintenance
from snaphook.daemon.log_maintenance import LogMaintenance, open_record_store
from snaphook.stores.eventlog import EventLog, LogSettings, Record

pytestmark = pytest.mark.needs("postgres")
NOWHERE = "postgresql://snaphook@127.0.0.1:1/postgres"


def test_what_was_recorded_while_the_database_was_away_arrives_when_it_is_back(
    tmp_path, postgres_url, monkeypatch, caplog
):
    monkeypatch.setattr(log_maintenance, "GATHER", 0.01)
    monkeypatch.setattr(log_maintenance, "PATIENCE", (0.01, 0.05))
    back_after = 5
    tried = 0

    def sometimes(settings, folder):
        nonlocal tried
        tried += 1
        url = NOWHERE if tried <= back_after else postgres_url
        return open_record_store(LogSettings(store=url), folder)

    monkeypatch.setattr(log_maintenance, "open_record_store", sometimes)
    log = EventLog(tmp_path)
    keeping = LogMaintenance(tmp_path, LogSettings(store=NOWHERE))
    keeping.start()
    for n in range(300):
        log.append([Record(id=f"away-{n}", time=float(n), event="Stop", session="away")])
        keeping.wake()
    until = time.monotonic() + 20
    while tried <= back_after and time.monotonic() < until:
        time.sleep(0.01)
    keeping.wake()
    log.close()
    keeping.stop()

    with psycopg.connect(postgres_url) as database:
        found = database.execute(
            "SELECT count(*), count(DISTINCT id) FROM snaphook_record WHERE session = 'away'"
        ).fetchone()
    assert found == (300, 300)
    assert "records stay on disk for now" in caplog.text
