"""Several machines, one PostgreSQL: one record, nothing lost, nothing twice."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.thorough import thorough

from snaphook.daemon.log_maintenance import LogMaintenance, machine_name, open_record_store
from snaphook.stores.eventlog import EventLog, LogSettings, Record
from snaphook.stores.eventlog.ship import ship

pytestmark = pytest.mark.needs("postgres")
NOWHERE = "postgresql://snaphook@127.0.0.1:1/postgres"
AWAY = thorough(10_000, 1_500)


def write(folder, session, count):
    log = EventLog(folder)
    log.append(
        [
            Record(id=f"{session}-{n:06}", time=float(n), event="Stop", session=session)
            for n in range(count)
        ]
    )
    log.close()


def found(url, sessions):
    with psycopg.connect(url) as database:
        return database.execute(
            "SELECT session, count(*), count(DISTINCT id), count(DISTINCT machine)"
            " FROM snaphook_record WHERE session = ANY(%s) GROUP BY session ORDER BY session",
            (sessions,),
        ).fetchall()


@pytest.mark.req("SQ-14")
def test_machines_with_one_name_and_homes_of_their_own_share_a_record(tmp_path, postgres_url):
    """As containers do: all called the same, each with a stream called 'daemon'."""
    for home in ("fleet-a", "fleet-b", "fleet-c"):
        folder = tmp_path / home
        write(folder, home, 40)
        shelf = open_record_store(LogSettings(store=postgres_url), folder)
        assert ship(folder, shelf) == 40
        shelf.close()

    assert found(postgres_url, ["fleet-a", "fleet-b", "fleet-c"]) == [
        ("fleet-a", 40, 40, 1),
        ("fleet-b", 40, 40, 1),
        ("fleet-c", 40, 40, 1),
    ]
    assert len({machine_name(tmp_path / home) for home in ("fleet-a", "fleet-b", "fleet-c")}) == 3


@pytest.mark.req("SQ-14")
def test_a_machine_that_was_away_catches_up_without_loss_or_double(tmp_path, postgres_url):
    write(tmp_path, "was-away", AWAY)
    away = LogMaintenance(tmp_path, LogSettings(store=NOWHERE))
    assert not away._shipped()

    back = LogMaintenance(tmp_path, LogSettings(store=postgres_url))
    assert back._shipped()
    with psycopg.connect(postgres_url, autocommit=True) as database:  # its answer was lost
        database.execute(
            "DELETE FROM snaphook_cursor WHERE machine = %s", (machine_name(tmp_path),)
        )
    assert back._shipped()
    back._let_go()

    assert found(postgres_url, ["was-away"]) == [("was-away", AWAY, AWAY, 1)]


def test_the_role_of_the_manual_can_ship_and_cannot_change_a_record(tmp_path, postgres_url):
    write(tmp_path, "least", 20)
    open_record_store(
        LogSettings(store=postgres_url), tmp_path
    ).close()  # an owner makes the tables
    manual = (Path(__file__).parents[2] / "docs/how-to/fleet.md").read_text()
    [grants] = re.findall(r"```sql\n(CREATE ROLE.*?)```", manual, flags=re.DOTALL)
    parts = urlsplit(postgres_url)
    least = parts._replace(netloc=f"snaphook_least@{parts.netloc.rpartition('@')[2]}").geturl()
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(re.sub(r"\bsnaphook\b", "snaphook_least", grants).encode())

    shelf = open_record_store(LogSettings(store=least), tmp_path)
    assert ship(tmp_path, shelf) == 20
    shelf.close()

    with psycopg.connect(least) as machine, pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute("UPDATE snaphook_record SET verdict = 'allow'")


def test_a_database_of_an_earlier_version_gets_the_index_that_finds_one_machine(
    tmp_path, fleet_url
):
    open_record_store(LogSettings(store=fleet_url), tmp_path).close()
    with psycopg.connect(fleet_url, autocommit=True) as owner:
        owner.execute("DROP INDEX snaphook_record_machine")

    open_record_store(LogSettings(store=fleet_url), tmp_path).close()

    with psycopg.connect(fleet_url) as owner:
        found = owner.execute("SELECT to_regclass('snaphook_record_machine')::text").fetchone()
    assert found == ("snaphook_record_machine",)
