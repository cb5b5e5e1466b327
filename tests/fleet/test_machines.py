"""Machines with homes and daemons of their own on one PostgreSQL: one dashboard, one budget."""

import json
import re
import signal
import subprocess
import sys
from urllib.parse import urlencode
from urllib.request import urlopen

import psycopg
import pytest
from tests.faults.nursery import ALLOWED, DENIED
from tests.fleet.machines import FleetAnswer, eventually
from tests.servers.cable import Cable
from tests.thorough import only_thoroughly, thorough

from snaphook.stores.eventlog import Durability, EventLog, Record

pytestmark = [
    pytest.mark.needs("postgres", "cc", "native-client"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
    pytest.mark.xdist_group("fleet"),
]
HOUR = thorough(12_000, 1_500)
"""Records of an hour: twenty agents, ten events a minute each."""
CALLS = thorough(120, 20)
DAY = "[budget.day]\ndollars = 1.0\n"


def settings(url, name, budget=""):
    store = f'store = "{url}"\n'
    return f'[log]\n{store}machine = "{name}"\n[budget]\n{store}{budget}repeats = 0\n{DAY}'


def rows(url, query, *values):
    with psycopg.connect(url) as database:
        return database.execute(query.encode(), values).fetchall()


def shipped(url, name):
    try:
        found = rows(url, "SELECT id FROM snaphook_record WHERE machine LIKE %s", f"{name}/%")
    except psycopg.errors.UndefinedTable:
        return []  # nobody has shipped yet
    return sorted(each for (each,) in found)


class Dashboard:
    """``snaphook ui`` on one of the machines, with nothing but its settings."""

    def __init__(self, machine):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "snaphook", "ui", "--port", "0", "--no-open"],
            env=machine.env,
            cwd=machine.project,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._address = self._process.stdout.readline().split()[-1].rstrip("/")

    def read(self, path, **query):
        asked = f"?{urlencode(query)}" if query else ""
        with urlopen(f"{self._address}{path}{asked}", timeout=30) as answer:
            return answer.read().decode()

    def ids(self, **query):
        return set(re.findall(r'data-id="([^"]+)"', self.read("/feed", **query)))

    def close(self):
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=20)


@pytest.mark.req("SQ-14")
def test_one_dashboard_shows_every_machine_and_each_by_itself(pair, fleet_url):
    for machine, name in zip(pair, ("laptop-7", "build-1"), strict=True):
        machine.begin(settings(fleet_url, name))
        assert machine.ask(f"{name}-session", DENIED).verdict == "deny"
        assert machine.ask(f"{name}-session", ALLOWED) == FleetAnswer()
        machine.close_gently()  # ships what is left
    laptop, build = (set(machine.recorded()) for machine in pair)
    [(mark,)] = rows(
        fleet_url, "SELECT DISTINCT machine FROM snaphook_record WHERE machine LIKE 'build-1/%%'"
    )

    dashboard = Dashboard(pair[0])
    everything = dashboard.ids()
    one, blocked = dashboard.ids(machine=mark), dashboard.ids(machine=mark, verdict="stopped")
    overview, sessions = dashboard.read("/"), dashboard.read("/sessions")
    apart = dashboard.read("/sessions", machine=mark)
    alone = dashboard.read("/", machine=mark)
    dashboard.close()
    busy = json.loads(pair[1].snaphook("top", "--json"))["busy"]

    assert {one["machine"].partition("/")[0] for one in busy} == {"laptop-7", "build-1"}
    assert everything == laptop | build
    assert one == build
    assert len(blocked) == 1
    assert blocked < build
    assert all(name in overview for name in ("laptop-7/", "build-1/"))
    assert all(f"{name}-session" in sessions for name in ("laptop-7", "build-1"))
    assert "build-1-session" in apart
    assert "laptop-7-session" not in apart
    assert "1 active now" in alone


@pytest.mark.req("SQ-10")
def test_a_limit_that_two_machines_reach_together_stops_both(pair, fleet_url):
    laptop, build = pair
    for machine, name in zip(pair, ("laptop-7", "build-1"), strict=True):
        machine.begin(settings(fleet_url, name))
    laptop.spend("a", 0.6, "first")
    assert laptop.ask("a") == FleetAnswer()
    assert build.ask("b") == FleetAnswer()

    build.spend("b", 0.5, "second")

    over = "Budget: the day has used 110 % of $1.0000 ($1.1000, 110,000 tokens)"
    assert build.ask("b").reason.startswith(over)
    assert eventually(lambda: laptop.ask("a").verdict, "deny", within=5) == "deny"
    assert laptop.ask("a").reason.startswith(over)
    assert laptop.snaphook("budget", "status").count("110 %") == 1


@only_thoroughly
@pytest.mark.req("SQ-14")
@pytest.mark.parametrize("how", ["pull", "squeeze"])
def test_a_machine_away_for_an_hour_decides_as_ever_and_catches_up(pair, fleet_url, how):
    """Pulled, its connections end; squeezed, they stay and the database is silent."""
    laptop, build = pair
    cable = Cable(fleet_url)
    laptop.begin(settings(cable.url, "laptop-7", 'stance = "open"\n'))
    build.begin(settings(fleet_url, "build-1"))
    laptop.spend("a", 0.3, "before")
    assert laptop.ask("a") == FleetAnswer()
    assert eventually(lambda: len(shipped(fleet_url, "laptop-7")), 1) == 1

    getattr(cable, how)()
    build.spend("b", 0.2, "elsewhere")
    assert build.ask("b") == FleetAnswer()
    _pass_an_hour(laptop)
    for number in range(CALLS):
        laptop.spend("a", 0.3 / CALLS, f"away-{number}")
        assert laptop.ask("a", DENIED if number % 2 else ALLOWED).verdict == (
            "deny" if number % 2 else "silence"
        )
    laptop.spend("a", 0.5, "too much")
    assert laptop.ask("a").reason.startswith("Budget: the day has used 110 %")

    cable.plug_in()
    everything = ("sum", 1_300_000)
    spent = "SELECT 'sum', sum(micros)::bigint FROM budget_charge"
    assert eventually(lambda: rows(fleet_url, spent)[0], everything) == everything
    eventually(lambda: len(shipped(fleet_url, "laptop-7")), len(laptop.recorded()))
    laptop.close_gently()
    cable.close()

    assert shipped(fleet_url, "laptop-7") == sorted(laptop.recorded())
    assert len(laptop.recorded()) == HOUR + CALLS + 2
    counted = "SELECT sum(n)::bigint FROM snaphook_tally WHERE kind = 'hook' AND machine LIKE %s"
    assert rows(fleet_url, counted, "laptop-7/%") == [(HOUR + CALLS + 2,)]
    assert rows(fleet_url, "SELECT micros FROM budget_account WHERE kind = 'day'") == [(1_300_000,)]
    assert build.ask("b").reason.startswith("Budget: the day has used 130 %")


def _pass_an_hour(machine):
    """Have other agents of *machine* do what they do in an hour."""
    log = EventLog(machine.record, stream="direct", durability=Durability.NONE)
    hour = [
        Record(id=f"hour-{n:06}", time=1_790_000_000 + n * 0.3, event="Stop", session=f"s{n % 20}")
        for n in range(HOUR)
    ]
    for start in range(0, HOUR, 500):
        log.append(hour[start : start + 500])
    log.close()
