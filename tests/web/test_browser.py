"""The dashboard in a real Chromium: one browser and one server for all of it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.thorough import thorough
from tests.unit.web.dashboards import desk_at
from tests.unit.web.test_pages import hostile_records
from tests.web.sample import records, spend, write_record

from snaphook.stores.eventlog import Durability, EventLog, Record, RecordedAnswer
from snaphook.web import Dashboard, create_app
from snaphook.web.pages import NAVIGATION

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.xdist_group("chromium")]

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
LIVE = thorough(5_000, 800)


@contextmanager
def served(dashboard: Dashboard) -> Iterator[str]:
    import uvicorn

    config = uvicorn.Config(
        create_app(dashboard), port=0, log_level="error", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        [port] = [one.getsockname()[1] for each in server.servers for one in each.sockets]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright
    from tests.web.chromium import program

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    now = time.time()
    folder = tmp_path_factory.mktemp("team")
    dashboard = desk_at(folder, list(records(now, sessions=30)), "[budget.day]\ndollars = 25\n")
    spend(dashboard.around.data_dir, "/home/ada", now, days=5)
    with served(dashboard) as address:
        yield address, dashboard


@pytest.fixture
def page(browser, team):
    opened = browser.new_page(viewport=DESK, base_url=team[0])
    complaints: list[str] = []
    opened.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    opened.close()
    assert complaints == []


@pytest.mark.req("SQ-14")
def test_keys_lead_through_every_view_and_open_a_row(page):
    page.goto("/")
    for href, name, key in NAVIGATION[1:]:
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(f"**{href}")
        assert page.locator("h1").inner_text() == name
    page.goto("/feed?verdict=stopped")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/decision/*")
    assert page.locator("mark").count() >= 1
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1


def test_a_filter_is_in_the_address_and_the_address_brings_it_back(page):
    page.goto("/feed")
    page.keyboard.press("/")
    page.keyboard.type("kubectl")
    page.keyboard.press("Enter")
    page.wait_for_url("**/feed?q=kubectl")
    found = page.locator(".row-subject").all_inner_texts()
    assert set(found) == {"kubectl delete namespace staging"}
    page.select_option("select[name=verdict]", "ask")
    page.wait_for_url("**/feed?q=kubectl&verdict=ask")
    page.reload()
    assert page.input_value("#search") == "kubectl"
    assert page.locator(".row").count() == len(found)


@pytest.mark.req("SQ-14")
def test_what_happens_is_on_the_page_a_moment_later_however_much_it_is(page, team):
    """500 a second, while somebody reads a row: all of it is counted, and the page stays short."""
    page.goto("/feed?tool=Live")
    page.wait_for_selector("#feed-state[data-state=live]")
    log = EventLog(team[1].folder, stream="direct", durability=Durability.NONE)
    log.append([live(0)])
    page.wait_for_selector('[data-id="live-0"]')
    page.keyboard.press("j")
    began, sent = time.monotonic(), 1
    while sent < LIVE:
        due = min(LIVE, 1 + int((time.monotonic() - began) * 500))
        log.append([live(number) for number in range(sent, due)])
        sent = due
        page.wait_for_timeout(20)
    log.close()

    page.wait_for_selector(f'#feed[data-heard="{LIVE}"]')
    page.wait_for_selector(f'[data-id="live-{LIVE - 1}"]')

    assert page.locator(".row").count() <= 300
    assert page.evaluate("document.activeElement.closest('.row').dataset.id") == "live-0"


def test_a_paused_page_keeps_no_more_than_it_would_show_and_goes_on_where_it_was(page, team):
    page.goto("/feed?tool=Paused")
    page.wait_for_selector("#feed-state[data-state=live]")
    page.keyboard.press("p")
    log = EventLog(team[1].folder, stream="direct", durability=Durability.NONE)
    for start in range(0, 900, 300):
        log.append(
            [replace(live(n), id=f"paused-{n}", tool="Paused") for n in range(start, start + 300)]
        )
        page.wait_for_selector(f'#feed[data-heard="{start + 300}"]', state="attached")
    log.close()
    assert page.locator(".row").count() == 0
    assert page.locator("#feed-state").inner_text() == "paused, 900 new"

    page.keyboard.press("p")

    page.wait_for_selector('[data-id="paused-899"]')
    assert page.locator(".row").count() == 300


def live(number: int) -> Record:
    return Record(
        id=f"live-{number}",
        time=time.time() + number / 1000,
        event="PreToolUse",
        session="live",
        tool="Live",
        input={"tool_args": {"command": f"echo {number}"}},
        answers=(RecordedAnswer(by="guard"),),
    )


def test_the_theme_follows_the_system_and_then_the_person(browser, team):
    context = browser.new_context(color_scheme="dark", base_url=team[0])
    page = context.new_page()
    page.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.keyboard.press("t")
    light = page.evaluate(ground)
    page.reload()
    assert (dark, light) == ("rgb(14, 19, 25)", "rgb(246, 247, 249)")
    assert page.evaluate(ground) == light
    context.close()


@pytest.mark.parametrize(
    ("scheme", "what"), [("light", ""), ("dark", "runOnly: ['color-contrast'], ")]
)
def test_axe_finds_nothing_on_any_view(browser, team, scheme, what):
    from tests.web.chromium import axe

    context = browser.new_context(color_scheme=scheme, viewport=DESK, bypass_csp=True)
    page = context.new_page()
    found = {}
    for view in _views(team[0], page):
        page.goto(team[0] + view)
        page.add_script_tag(path=axe())
        report = page.evaluate(f"axe.run({{{what}resultTypes: ['violations']}})")
        told = [(one["id"], one["nodes"][0]["html"][:160]) for one in report["violations"]]
        if told:
            found[view] = told
    context.close()
    assert found == {}


def _views(address: str, page) -> list[str]:
    page.goto(address + "/feed?verdict=stopped")
    decision = page.get_attribute(".row-link", "href")
    page.goto(address + "/sessions?only=stopped")
    session = page.get_attribute(".row-link", "href")
    lists = [href for href, _, _ in NAVIGATION]
    return [*lists, decision, session, "/rules?id=remote.code", "/nowhere"]


def test_nothing_is_cut_off_on_a_phone(browser, team):
    context = browser.new_context(viewport=PHONE, base_url=team[0])
    page = context.new_page()
    wide = [
        view
        for view in _views(team[0], page)
        if page.goto(view) and page.evaluate("document.documentElement.scrollWidth > innerWidth")
    ]
    context.close()
    assert wide == []


@pytest.mark.req("SQ-14")
def test_nothing_that_an_agent_writes_is_ever_run(browser, tmp_path):
    """Hostile text in every field: a script that ran would open a dialog, a blocked one be reported."""
    now = time.time()
    hostile = [replace(one, time=now - 5) for one in hostile_records()]
    dashboard = desk_at(tmp_path, hostile)
    ran: list[str] = []

    def noticed(dialog) -> None:
        ran.append(dialog.message)
        dialog.dismiss()

    with served(dashboard) as address:
        page = browser.new_page(base_url=address)
        page.on("dialog", noticed)
        page.expose_function("reported", lambda what: ran.append(f"{page.url}: {what}"))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', e => window.reported(e.blockedURI))"
        )
        page.goto("/feed")
        page.wait_for_selector("#feed-state[data-state=live]")
        late = replace(hostile[-1], id="late", time=time.time())
        write_record(Path(str(dashboard.folder)), [late])
        page.wait_for_selector('[data-id="late"]')
        links = page.eval_on_selector_all("a[href^='/']", "all => all.map(a => a.href)")
        page.goto("/?period=1h")
        links += page.eval_on_selector_all("a[href^='/']", "all => all.map(a => a.href)")
        for link in dict.fromkeys(links):
            page.goto(link)
        page.close()
    assert len(links) > 20
    assert ran == []
