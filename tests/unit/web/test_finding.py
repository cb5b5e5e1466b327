"""Finding records: every one of them, once, in the order of time, a page at a time."""

import pytest
from msgspec.structs import replace
from tests.unit.web.dashboards import NOW, desk_at

from snaphook.stores.eventlog import Record
from snaphook.web import finding
from snaphook.web.ask import Filter
from snaphook.web.finding import beside, find, one


def numbered(number, **fields):
    record = Record(
        id=f"{number:08}", time=NOW - 100 + number // 3, event="PreToolUse", session="s"
    )
    return replace(record, **fields)


@pytest.fixture
def dashboard(tmp_path):
    rare = {50: {"verdict": "deny"}, 7: {"tool": "Rare"}}
    return desk_at(tmp_path, [numbered(n, **rare.get(n, {})) for n in range(100)])


def all_of(dashboard, wanted, limit):
    found, before = [], None
    while True:
        page = find(dashboard.records, wanted, before, limit)
        found += [each.record.id for each in page.finds]
        before = page.older
        if before is None:
            return found


def test_pages_hold_every_record_once_even_those_of_the_same_moment(dashboard):
    assert all_of(dashboard, Filter(), 7) == [f"{n:08}" for n in range(99, -1, -1)]


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        pytest.param(Filter(verdict="stopped"), ["00000050"], id="what an index finds"),
        pytest.param(Filter(tool="Rare"), ["00000007"], id="what must be sieved"),
        pytest.param(Filter(session="other"), [], id="nothing"),
    ],
)
def test_a_filter_finds_what_is_rare(dashboard, wanted, ids):
    assert all_of(dashboard, wanted, 5) == ids


def test_a_page_that_stops_looking_says_how_far_it_got_and_the_next_goes_on(dashboard, monkeypatch):
    monkeypatch.setattr(finding, "LOOKED_AT", 30)

    page = find(dashboard.records, Filter(tool="Rare"), limit=5)

    assert (page.finds, page.looked_back_to) == ([], NOW - 100 + 70 // 3)
    assert all_of(dashboard, Filter(tool="Rare"), 5) == ["00000007"]


def test_one_record_is_found_by_its_id_and_knows_its_neighbours(dashboard):
    found = one(dashboard.records, "00000050")

    assert found is not None
    record = found.record
    assert (
        beside(dashboard.records, record, newer=False),
        beside(dashboard.records, record, newer=True),
    ) == (
        "00000049",
        "00000051",
    )
    assert one(dashboard.records, "nobody") is None
