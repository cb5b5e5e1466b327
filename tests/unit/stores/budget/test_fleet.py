"""A fleet's ledger while it is away: nothing waits, nothing is lost, nothing counts twice."""

import time
import uuid

import pytest
from tests.servers.cable import Cable
from tests.unit.stores.budget.test_meter import ADA, charge

from snaphook.errors import StoreError
from snaphook.stores.budget import Balance, Bookmark, Limit, Payer, fleet, open_meter
from snaphook.stores.budget.database import SqliteDatabase
from snaphook.stores.budget.fleet import FleetMeter

pytestmark = pytest.mark.needs("postgres")


@pytest.fixture
def cable(postgres_url, monkeypatch):
    monkeypatch.setattr(fleet, "RETRY", (0.02, 0.05))
    monkeypatch.setattr(fleet, "NOTED_EVERY", 0.0)
    made = Cable(postgres_url)
    yield made
    made.close()


@pytest.fixture
def payer():
    """Somebody whose accounts no other test has touched, those of the day aside."""
    name = uuid.uuid4().hex
    return Payer(session=name, tree=name, project=f"/{name}")


def back(meter):
    until = time.monotonic() + 20
    while meter.away and time.monotonic() < until:
        time.sleep(0.01)
    assert not meter.away


@pytest.mark.req("SQ-10")
@pytest.mark.parametrize("how", ["pull", "squeeze"])
def test_what_was_spent_while_the_purse_was_away_is_in_it_once_it_is_back(
    cable, tmp_path, postgres_url, payer, how
):
    meter = open_meter(cable.url, tmp_path / "here", strict=False)
    other = open_meter(postgres_url, tmp_path / "there")
    meter.spend(payer, [charge(f"{payer.session}-1", micros=100)])
    assert meter.balances(payer)["session"] == Balance(micro_dollars=100, tokens=10)

    getattr(cable, how)()
    meter.spend(payer, [charge(f"{payer.session}-2", micros=20)])
    meter.spend(payer, [charge(f"{payer.session}-2", micros=30)])  # its later figures hold
    other.spend(payer, [charge(f"{payer.session}-3", micros=7)])
    assert isinstance(meter, FleetMeter)
    assert meter.away
    assert meter.balances(payer)["session"] == Balance(micro_dollars=130, tokens=20)
    assert "the fleet's database cannot be reached" in meter.facts()["away"]

    cable.plug_in()
    back(meter)
    for either in (meter, other):
        assert either.balances(payer)["session"] == Balance(micro_dollars=137, tokens=30)
    assert "away" not in meter.facts()
    meter.close()
    other.close()


def test_a_strict_one_tells_nothing_while_it_is_away_and_loses_nothing_either(
    cable, tmp_path, payer
):
    meter = open_meter(cable.url, tmp_path)
    cable.pull()
    meter.spend(payer, [charge(payer.session, micros=5)])

    with pytest.raises(StoreError, match="the budget's database: cannot be reached"):
        meter.balances(payer)

    cable.plug_in()
    back(meter)
    assert meter.balances(payer)["session"].micro_dollars == 5
    meter.close()


def test_a_process_that_comes_later_knows_what_was_known_and_hands_over_what_was_left(
    cable, tmp_path, postgres_url, payer
):
    before = open_meter(cable.url, tmp_path, strict=False)
    before.spend(payer, [charge(f"{payer.session}-1", micros=100)])
    before.balances(payer)
    cable.pull()
    before.spend(payer, [charge(f"{payer.session}-2", micros=20)])
    before.close()

    after = open_meter(cable.url, tmp_path, strict=False)
    assert after.balances(payer)["session"].micro_dollars == 120
    after.close()

    cable.plug_in()
    last = open_meter(cable.url, tmp_path, strict=False)
    assert last.balances(payer)["session"].micro_dollars == 120
    last.close()
    other = open_meter(postgres_url, tmp_path / "there")
    assert other.balances(payer)["session"].micro_dollars == 120
    other.close()


def test_room_is_set_aside_in_what_is_left_as_far_as_is_known(cable, tmp_path, payer):
    limits = {"session": Limit(micro_dollars=100)}
    meter = open_meter(cable.url, tmp_path, strict=False)
    meter.spend(payer, [charge(payer.session, micros=60)])
    meter.balances(payer)
    cable.pull()

    held = meter.reserve(payer, limits, 30)
    assert held is not None
    assert meter.reserve(payer, limits, 30) is None
    meter.release(held)
    assert meter.reserve(payer, limits, 30) is not None
    meter.close()


def test_how_far_a_transcript_was_read_is_its_machines_own_business(tmp_path, postgres_url):
    """Containers have the same paths and other files in them."""
    one, two = (open_meter(postgres_url, tmp_path / name) for name in ("one", "two"))
    one.spend(ADA, (), bookmark=Bookmark(path="/home/agent/a.jsonl", at=500))

    assert one.bookmark("/home/agent/a.jsonl").at == 500
    assert two.bookmark("/home/agent/a.jsonl").at == 0
    one.close()
    two.close()


class Gone:
    """A database that nobody reaches, and that counts who tries."""

    remote = True

    def __init__(self):
        self.tries = 0

    def reading(self):
        self.tries += 1
        raise StoreError(where="far", what="away", fix="Wait.")

    def transaction(self, of=""):
        return self.reading()

    def close(self):
        pass


def test_it_counts_as_away_until_it_has_answered_even_if_nothing_is_owed(tmp_path, monkeypatch):
    monkeypatch.setattr(fleet, "RETRY", (0.005, 0.005))
    far = Gone()
    meter = FleetMeter(far, SqliteDatabase(tmp_path / "here.sqlite"), strict=False)

    assert meter.balances(ADA)["day"] == Balance()
    until = time.monotonic() + 20
    while far.tries < 5 and time.monotonic() < until:
        assert meter.away
    assert far.tries >= 5
    meter.close()
