"""One dashboard for many machines, over a real PostgreSQL."""

import pytest
from msgspec.structs import replace
from tests.unit.web.dashboards import NOW, client, desk_at
from tests.web.sample import records

from snaphook.stores.eventlog.postgres import PostgresRecordStore
from snaphook.stores.eventlog.ship import ShipCursor
from snaphook.web import open_desk
from snaphook.web.pages import NAVIGATION

pytestmark = pytest.mark.needs("postgres")


@pytest.mark.req("SQ-14")
def test_every_page_shows_the_records_of_all_machines_and_of_one(tmp_path, postgres_url):
    found = list(records(NOW, sessions=8))
    for machine in ("build-1", "laptop-7"):
        shelf = PostgresRecordStore(postgres_url, machine=machine)
        mine = [
            replace(one, id=f"{machine}-{one.id}", session=f"{machine}-{one.session}")
            for one in found
        ]
        for start in range(0, len(mine), 500):
            shelf.keep("daemon", mine[start : start + 500], ShipCursor("1", start))
        shelf.close()
    local = desk_at(tmp_path)
    dashboard = open_desk(local.settings, local.around, store=postgres_url)
    with client(replace(dashboard, clock=lambda: NOW)) as browser:
        pages = {href: browser.get(href) for href, _, _ in NAVIGATION}
        overview = browser.get("/?period=30d").text
        one = browser.get("/feed?machine=laptop-7&verdict=said&q=git").text
        away = browser.get("/feed?before=1.0~x")
    assert {page.status_code for page in pages.values()} == {200}
    assert "build-1" in overview
    assert "laptop-7" in overview
    assert 'data-id="laptop-7-' in one
    assert 'data-id="build-1-' not in one
    assert away.status_code == 200


def test_a_database_that_is_away_is_a_page_that_says_so(tmp_path):
    local = desk_at(tmp_path)
    dashboard = open_desk(
        local.settings, local.around, store="postgresql://nobody@127.0.0.1:1/none"
    )
    with client(dashboard) as browser:
        answer = browser.get("/feed")
    assert answer.status_code == 503
    assert "agents&#39; calls are still evaluated" in answer.text
