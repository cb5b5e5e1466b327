"""The meter: every charge once, to the micro-dollar, whoever else is spending."""

import multiprocessing
import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.thorough import thorough

from snaphook.canon import Usage
from snaphook.errors import StoreError
from snaphook.prices import cost
from snaphook.stores.budget import Balance, Bookmark, Charge, Limit, Meter, Payer, open_meter
from snaphook.stores.budget.postgres import PostgresDatabase

ADA = Payer(session="s1", tree="s1", project="/repo", tenant="acme")
DAY = 86_400.0


class Clock:
    """A clock you set."""

    def __init__(self, now=1_800_000_000.0):
        self.now = now

    def __call__(self):
        return self.now


def charge(id_="a", micros=100, tokens=10, model="claude-opus-5"):
    return Charge(id=id_, model=model, usage=Usage(output_tokens=tokens), micro_dollars=micros)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.needs("postgres"))])
def meter(request, tmp_path, clock):
    if request.param == "sqlite":
        yield open_meter("sqlite", tmp_path, clock=clock)
        return
    url = request.getfixturevalue("postgres_url")
    database = PostgresDatabase(url)
    with database.transaction() as run:
        for table in ("account", "charge", "reading", "family", "repeat", "hold", "fact"):
            run(f"DELETE FROM budget_{table}")
    meter = Meter(database, clock=clock)
    yield meter
    meter.close()


@pytest.mark.req("SQ-10")
def test_a_charge_is_entered_in_every_account_of_its_payer(meter):
    meter.spend(ADA, [charge("a"), charge("b", micros=50, tokens=5)])

    paid = Balance(micro_dollars=150, tokens=15)
    assert meter.balances(ADA) == {
        "session": paid,
        "tree": paid,
        "project": paid,
        "project-month": paid,
        "project-day": paid,
        "month": paid,
        "day": paid,
        "tenant": paid,
        "tenant-month": paid,
        "tenant-day": paid,
    }


def test_two_sessions_share_what_they_have_in_common_and_nothing_else(meter):
    bob = Payer(session="s2", tree="s2", project="/repo", tenant="globex")
    meter.spend(ADA, [charge("a", micros=100)])
    meter.spend(bob, [charge("b", micros=30)])

    balances = meter.balances(bob)
    assert [balances[kind].micro_dollars for kind in ("session", "tenant", "project", "day")] == [
        30,
        30,
        130,
        130,
    ]


def test_the_same_charge_counts_once_and_its_later_figures_hold(meter):
    meter.spend(ADA, [charge("a", micros=100, tokens=10)])
    meter.spend(ADA, [charge("a", micros=130, tokens=13)])
    meter.spend(ADA, [charge("a", micros=130, tokens=13)])

    assert meter.balances(ADA)["session"] == Balance(micro_dollars=130, tokens=13)


def test_a_reading_is_kept_with_its_charges(meter):
    bookmark = Bookmark(path="/t.jsonl", at=77, state='{"model":"m"}')
    meter.spend(ADA, [charge()], bookmark=bookmark)

    assert meter.bookmark("/t.jsonl") == bookmark
    assert meter.bookmark("/other") == Bookmark(path="/other", at=0)


def test_subagents_belong_to_the_tree_of_the_one_who_started_them(meter):
    assert meter.tree_of("root", None) == "root"
    assert meter.tree_of("child", "root") == "root"
    assert meter.tree_of("grandchild", "child") == "root"
    assert meter.tree_of("child", None) == "root"


def test_calls_are_counted_as_long_as_they_are_the_same(meter):
    assert [meter.repeated("s", digest) for digest in "aaba"] == [1, 2, 1, 1]


def test_speed_is_what_was_spent_in_the_last_minute(meter, clock):
    meter.spend(ADA, [charge("a", micros=100)])
    clock.now += 59
    meter.spend(ADA, [charge("b", micros=7)])
    assert meter.velocity(ADA) == 107
    clock.now += 30
    assert meter.velocity(ADA) == 7


def test_only_one_is_told_that_a_step_was_passed(meter):
    meter.spend(ADA, [charge()])

    assert [meter.first_to_tell(ADA, "session", level) for level in (1, 1, 2, 1)] == [
        True,
        False,
        True,
        False,
    ]


def test_what_is_set_aside_counts_until_it_is_settled(meter):
    limits = {"tree": Limit(micro_dollars=100)}
    first = meter.reserve(ADA, limits, 60)

    assert first is not None
    assert meter.reserve(ADA, limits, 60) is None
    assert meter.balances(ADA)["tree"] == Balance(held=60)

    meter.spend(ADA, [charge(micros=20)], hold=first)
    assert meter.balances(ADA)["tree"] == Balance(micro_dollars=20, tokens=10)
    assert meter.reserve(ADA, limits, 60) is not None


def test_room_kept_for_somebody_who_died_is_given_back(meter, clock):
    limits = {"tree": Limit(micro_dollars=100)}
    assert meter.reserve(ADA, limits, 60)
    clock.now += 3601

    assert meter.reserve(ADA, limits, 60)
    assert meter.balances(ADA)["tree"].held == 60


@pytest.mark.req("SQ-10")
def test_a_new_day_has_its_own_account(meter, clock):
    meter.spend(ADA, [charge("a")])
    clock.now += DAY
    meter.spend(ADA, [charge("b")])

    balances = meter.balances(ADA)
    assert (balances["day"].micro_dollars, balances["project"].micro_dollars) == (100, 200)


@pytest.mark.req("SQ-10")
def test_a_clock_that_goes_back_does_not_open_yesterdays_account(meter, clock):
    meter.spend(ADA, [charge("a")])
    clock.now -= 20 * 3600

    assert meter.balances(ADA)["day"].micro_dollars == 100
    assert meter.facts() == {}


def test_a_clock_put_right_by_days_is_followed_and_told_of(meter, clock):
    clock.now += 400 * DAY
    meter.spend(ADA, [charge("a")])
    clock.now -= 400 * DAY

    assert meter.balances(ADA)["day"].micro_dollars == 0
    assert "the system clock went back by 34560000 s" in meter.facts()["clock"]


def test_models_are_summed_up_apart(meter):
    meter.spend(ADA, [charge("a"), charge("b"), charge("c", micros=900, model="gpt-5")])

    assert [(model, each.micro_dollars, n) for model, each, n in meter.by_model(tree="s1")] == [
        ("gpt-5", 900, 1),
        ("claude-opus-5", 200, 2),
    ]


USAGES = st.builds(
    Usage,
    input_tokens=st.integers(0, 10**9),
    output_tokens=st.integers(0, 10**8),
    cache_read_tokens=st.integers(0, 10**6),
    cache_write_tokens=st.integers(0, 10**6),
)


@pytest.mark.req("SQ-10")
@settings(
    max_examples=thorough(200, 20), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.sampled_from(["claude-opus-5", "gpt-5", "x"]), USAGES))
)
def test_what_is_owed_is_the_sum_of_what_was_used_to_the_micro_dollar(tmp_path_factory, told):
    """However often an answer is told, in whatever order: its last figures count, once."""
    meter = open_meter("sqlite", tmp_path_factory.mktemp("m"))
    for number, model, usage in told:
        price = cost(model, usage).micro_dollars
        meter.spend(ADA, [Charge(id=str(number), model=model, usage=usage, micro_dollars=price)])
    last = {number: (model, usage) for number, model, usage in told}

    assert meter.balances(ADA)["tree"] == Balance(
        micro_dollars=sum(cost(model, usage).micro_dollars for model, usage in last.values()),
        tokens=sum(usage.total for _, usage in last.values()),
    )
    meter.close()


def spend_until_told_to_stop(folder, store, number, price, limit, begin, calls):
    meter = open_meter(store, folder)
    payer = Payer(session=f"s{number}", tree=f"s{number}", project=str(folder))
    limits = {"project": Limit(micro_dollars=limit)}
    begin.wait()
    made = 0
    while True:
        hold = meter.reserve(payer, limits, price)
        if hold is None:
            break
        meter.spend(payer, [charge(f"{number}:{made}", micros=price)], hold=hold)
        made += 1
    calls.put(made)
    meter.close()


def race(folder, store, processes, price, limit):
    context = multiprocessing.get_context("fork")
    begin, calls = context.Event(), context.Queue()
    workers = [
        context.Process(
            target=spend_until_told_to_stop,
            args=(folder, store, number, price, limit, begin, calls),
        )
        for number in range(processes)
    ]
    for worker in workers:
        worker.start()
    begin.set()
    made = [calls.get(timeout=100) for _ in workers]
    for worker in workers:
        worker.join(timeout=10)
    return sum(made)


@pytest.mark.req("SQ-10")
def test_many_processes_spending_at_once_never_pass_the_limit(tmp_path):
    """Fifty at once on the machine that promises it; what each sets aside is never given twice."""
    made = race(tmp_path, "sqlite", thorough(50, 12), price=7, limit=1_000)

    assert made == 1_000 // 7
    meter = open_meter("sqlite", tmp_path)
    assert meter.balances(Payer(session="x", tree="x", project=str(tmp_path)))[
        "project"
    ] == Balance(micro_dollars=made * 7, tokens=made * 10)


@pytest.mark.req("SQ-10")
@pytest.mark.needs("postgres")
def test_machines_that_share_a_database_share_the_limit(tmp_path, postgres_url):
    made = race(tmp_path, postgres_url, thorough(8, 3), price=11, limit=600)

    assert made == 600 // 11


@pytest.mark.req("SQ-10")
def test_a_damaged_file_is_moved_aside_and_told_of(tmp_path):
    meter = open_meter("sqlite", tmp_path)
    meter.spend(ADA, [charge()])
    meter.close()
    for tail in ("-wal", "-shm"):
        (tmp_path / f"budget.sqlite{tail}").unlink(missing_ok=True)
    (tmp_path / "budget.sqlite").write_bytes(b"no database at all, by any means" * 200)

    meter.spend(ADA, [charge("b", micros=1)])

    assert meter.balances(ADA)["session"].micro_dollars == 1
    assert "budget.sqlite.damaged-" in meter.facts()["damaged"]
    assert len(list(tmp_path.glob("budget.sqlite.damaged-*"))) == 1


def test_a_file_damaged_while_it_is_open_is_an_error_once_and_then_begun_anew(
    tmp_path, monkeypatch
):
    meter = open_meter("sqlite", tmp_path)
    meter.spend(ADA, [charge()])
    meter.close()
    path = tmp_path / "budget.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))

    meter.spend(ADA, [charge("b", micros=1)])

    assert meter.balances(ADA)["session"].micro_dollars == 1
    assert "damaged" in meter.facts()


def test_a_folder_that_cannot_be_written_says_what_to_do(tmp_path):
    (tmp_path / "file").write_text("in the way")
    meter = open_meter("sqlite", tmp_path / "file")

    with pytest.raises(StoreError, match=r'spending cannot be read.*stance = "open"'):
        meter.balances(ADA)


def test_a_database_that_is_away_says_so(tmp_path):
    meter = open_meter("postgresql://nobody@127.0.0.1:1/none", tmp_path)
    pytest.importorskip("psycopg")

    with pytest.raises(StoreError, match="the budget's database: cannot be reached"):
        meter.balances(ADA)


@pytest.mark.parametrize(
    "store", ["sqlite", pytest.param("postgres", marks=pytest.mark.needs("postgres"))]
)
def test_charges_of_an_earlier_version_are_kept_and_later_ones_say_whose_they_are(
    tmp_path, store, request
):
    url = "sqlite" if store == "sqlite" else request.getfixturevalue("postgres_url")
    meter = open_meter(url, tmp_path)
    meter.spend(ADA, [charge("early")])
    with meter._database.transaction() as run:
        for column in ("host", "agent"):
            run(f"ALTER TABLE budget_charge DROP COLUMN {column}")
    meter.close()

    later = open_meter(url, tmp_path)
    later.spend(ADA, [replace(charge("late"), host="codex", agent="scout")])
    with later._database.reading() as run:
        found = run(
            "SELECT id, host, agent FROM budget_charge WHERE id IN ('early', 'late') ORDER BY id"
        )
    later.close()
    assert found == [("early", "", ""), ("late", "codex", "scout")]
