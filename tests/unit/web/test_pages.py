"""Every page, asked over HTTP: what it shows, what it refuses, what it escapes."""

import json
import re
import sqlite3
from contextlib import closing

import pytest
from msgspec.structs import replace
from tests.unit.web.dashboards import NOW, client, desk_at
from tests.web.sample import records, spend

from snaphook.canon import Usage
from snaphook.canon.hook_runs import RecordedRun
from snaphook.stores.budget import Charge, Payer, open_meter
from snaphook.stores.eventlog import Record, RecordedAnswer
from snaphook.web.finding import _read
from snaphook.web.pages import NAVIGATION, Pages
from snaphook.web.spending import spending
from snaphook.web.stream import Streams
from snaphook.web.tail import Batch

PAGES = [href for href, _, _ in NAVIGATION]
HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{7*7}}"


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    folder = tmp_path_factory.mktemp("team")
    dashboard = desk_at(folder, list(records(NOW, sessions=25)), "[budget.day]\ndollars = 25\n")
    spend(dashboard.around.data_dir, "/home/ada", NOW, days=3)
    with client(replace(dashboard, clock=lambda: NOW)) as browser:
        yield browser


@pytest.mark.req("SQ-14")
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_on_a_full_record_and_on_none(team, tmp_path, page):
    assert team.get(page).status_code == 200
    with client(desk_at(tmp_path)) as browser:
        empty = browser.get(page)
    assert empty.status_code == 200
    if page != "/rules":
        assert 'class="empty"' in empty.text


def test_the_overview_tells_what_was_blocked_by_which_rule_and_what_it_cost(team):
    text = team.get("/?period=7d").text

    assert "git.push" in text or "git.history" in text or "git." in text
    assert re.search(r"of \$25.00 a day", text)
    assert "claude-code" in text


@pytest.mark.req("SQ-14")
def test_the_cost_is_told_by_agent_and_host_and_adds_up(tmp_path):
    dashboard = desk_at(tmp_path)
    meter = open_meter("sqlite", dashboard.around.data_dir, clock=lambda: NOW)
    payer = Payer(session="s", tree="s", project="/repo")
    for number, (host, agent, micros) in enumerate(
        [("codex", "main", 2_000_000), ("codex", "scout", 500_000), ("codex", "scout", 250_000)]
    ):
        usage = Usage(output_tokens=1000)
        charge = Charge(id=str(number), model="m", usage=usage, micro_dollars=micros)
        meter.spend(payer, [replace(charge, host=host, agent=agent)])
    meter.close()

    money = spending(replace(dashboard, clock=lambda: NOW))
    with client(replace(dashboard, clock=lambda: NOW)) as browser:
        text = browser.get("/cost").text

    assert [(one.name, one.micros, one.answers) for one in money.agents] == [
        ("main · codex", 2_000_000, 1),
        ("scout · codex", 750_000, 2),
    ]
    assert "By agent" in text
    assert "scout · codex" in text


def test_a_decision_marks_the_offending_part_and_shows_the_rule(team):
    feed = team.get("/feed?verdict=said&q=DROP+TABLE").text
    [first, *_] = re.findall(r'href="(/decision/[0-9a-f]+)"', feed)

    text = team.get(first).text

    assert re.search(r"<mark title=\"database.drop\">[^<]*DROP TABLE", text)
    assert "To change it, in" in text


def test_a_decision_shows_how_each_command_hook_ended_and_what_it_printed(tmp_path):
    runs = (
        RecordedRun(hook="fmt", exit_code=0, duration_ms=12.0),
        RecordedRun(hook="lint", exit_code=1, duration_ms=40.0, stderr="<b>line 3</b>"),
    )
    made = Record(id="0" * 11 + "1", time=NOW, event="PreToolUse", session="s", hooks=runs)
    with client(desk_at(tmp_path, [made])) as browser:
        text = browser.get(f"/decision/{made.id}").text

    assert "Command hooks" in text
    assert re.search(r"lint.*exit 1.*&lt;b&gt;line 3&lt;/b&gt;", text, re.DOTALL)
    assert re.search(r"fmt.*exit 0", text, re.DOTALL)


def test_a_call_shows_the_end_of_a_hook_in_the_background(tmp_path):
    begun = (
        RecordedRun(hook="slow", background=True, run="r1"),
        RecordedRun(hook="lost", background=True, run="r2"),
    )
    ended = (RecordedRun(hook="slow", exit_code=7, run="r1", duration_ms=900.0, stdout="late"),)
    call = Record(id="0" * 11 + "1", time=NOW, event="PostToolUse", session="s", hooks=begun)
    end = Record(id="0" * 11 + "2", time=NOW + 1, event="HookEnded", session="s", hooks=ended)
    with client(desk_at(tmp_path, [call, end])) as browser:
        text = browser.get(f"/decision/{call.id}").text

    assert re.search(r"slow.*in the background.*exit 7.*late", text, re.DOTALL)
    assert f'href="/decision/{end.id}"' in text
    assert re.search(r"lost.*no end recorded yet", text, re.DOTALL)


def test_a_session_shows_its_agents_and_its_timeline(team):
    ids = re.findall(r'href="/session\?id=([^"]+)"', team.get("/sessions").text)

    pages = [team.get(f"/session?id={each}").text for each in ids]

    assert all("Timeline" in page for page in pages)
    assert any("When each agent was at work" in page for page in pages)


@pytest.mark.parametrize(
    ("address", "status", "told"),
    [
        ("/feed?verdict=perhaps", 400, "Verdicts are"),
        ("/feed?before=yesterday", 400, "Follow the links"),
        ("/?period=5y", 400, "Periods are"),
        ("/sessions?before=nan", 400, "Follow the links"),
        ("/sessions?only=mine", 400, "stopped or asked"),
        ("/cost?period=1", 400, "Periods"),
        (f"/feed?q={'x' * 501}", 400, "longer than"),
        ("/decision/nobody", 404, "No such decision"),
        ("/decision/..%2F..%2Fetc", 404, ""),
        ("/session?id=nobody", 404, "No such session"),
        ("/job?project=/etc&name=passwd", 404, "No such job"),
        ("/rules?id=nobody", 404, "No such rule"),
        ("/static/..%2fapp.py", 404, ""),
        ("/static/%2e%2e/app.py", 404, ""),
        ("/nowhere", 404, "nothing at this address"),
    ],
)
def test_what_cannot_be_answered_is_a_page_with_advice(team, address, status, told):
    answer = team.get(address)

    assert answer.status_code == status
    assert told in answer.text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("page", ["/", "/feed", "/decision/1"])
def test_nothing_can_be_changed(team, method, page):
    assert team.request(method, page).status_code == 405


def hostile_records():
    record = Record(
        id="0000aa",
        time=NOW - 5,
        event="PreToolUse",
        session=HOSTILE,
        host=HOSTILE,
        agent=HOSTILE,
        project=f"/{HOSTILE}",
        tool="Bash",
        agent_id=HOSTILE,
        parent=HOSTILE,
        input={"tool_args": {"command": f"rm -rf / # {HOSTILE}", HOSTILE: HOSTILE}, HOSTILE: 1},
        verdict="deny",
        reason=HOSTILE,
        by=HOSTILE,
        answers=(
            RecordedAnswer(by="guard", verdict="deny", reason=HOSTILE, rule="delete.root"),
            RecordedAnswer(by=HOSTILE, verdict=HOSTILE, error=HOSTILE, rule=HOSTILE, would=HOSTILE),
        ),
        output={HOSTILE: f"## Relevant memories\n- {HOSTILE}"},
    )
    told = {"agent_name": HOSTILE, "task": HOSTILE, "status": HOSTILE, "agent_id": HOSTILE}
    return [
        replace(record, id="0000ab", event="UserPromptSubmit", tool="", input={"prompt": HOSTILE}),
        replace(record, id="0000ac", event="SubagentStop", tool="", input=told),
        replace(record, id="0000ad", event=HOSTILE, tool=HOSTILE, verdict=HOSTILE),
        replace(record, id="0000ae", event="SessionStart", tool=""),
        record,
    ]


@pytest.mark.req("SQ-14")
def test_whatever_agents_write_is_text_on_every_page(tmp_path):
    dashboard = replace(desk_at(tmp_path, hostile_records()), clock=lambda: NOW)
    with client(dashboard) as browser:
        feed = browser.get("/feed").text
        links = {link.replace("&amp;", "&") for link in re.findall(r'href="(/[^"]*)"', feed)}
        pages = {*PAGES, *links}
        overview = browser.get("/?period=1h").text
        pages |= {link.replace("&amp;", "&") for link in re.findall(r'href="(/[^"]*)"', overview)}
        shown = {page: browser.get(page).text for page in pages if not page.startswith("/static")}
    dangerous = re.compile(r"<script>alert|<img src=x|onerror=alert\(2\)>")
    assert [page for page, text in shown.items() if dangerous.search(text)] == []
    assert sum("&lt;script&gt;alert(1)" in text for text in shown.values()) >= 6


def test_a_database_that_is_locked_or_broken_is_told_and_comes_back(tmp_path):
    full = desk_at(tmp_path, [replace(hostile_records()[0], id="ok")])
    assert full.folder is not None
    path = full.folder / "records.sqlite"
    dashboard = replace(full, folder=None)  # nobody writes it meanwhile
    with client(dashboard) as browser:
        good = path.read_bytes()
        dashboard.records.close()
        for tail in ("-wal", "-shm"):
            path.with_name(path.name + tail).unlink(missing_ok=True)
        path.write_bytes(b"no database at all" * 100)
        away = browser.get("/feed")
        path.write_bytes(good)
        back = browser.get("/feed")
    assert (away.status_code, away.headers["refresh"]) == (503, "5")
    assert "The database cannot be reached" in away.text
    assert 'data-id="ok"' in back.text


def test_an_older_database_that_has_no_counts_yet_shows_empty_pages_meanwhile(tmp_path):
    dashboard = desk_at(tmp_path)
    assert dashboard.folder is not None
    dashboard.folder.mkdir(parents=True)
    with closing(sqlite3.connect(dashboard.folder / "records.sqlite")) as db:
        db.execute("CREATE TABLE other (x)")

    assert dashboard.records.rows("SELECT * FROM {p}tally") == []
    dashboard.close()


def test_rows_of_the_stream_are_the_rows_of_the_page(tmp_path):
    dashboard = desk_at(tmp_path, hostile_records())
    pages = Pages(dashboard)
    finds = dashboard.records.rows("SELECT '', body FROM record")
    event = Streams(dashboard, pages)._event(Batch(finds=tuple(_read(finds)), skipped=3))
    body = json.loads(event.removeprefix(b"data: "))

    assert (body["count"], body["skipped"], body["stopped"]) == (8, 3, 4)
    assert "<script>alert" not in body["rows"]
    assert body["rows"].count('<li class="row') == 5
    dashboard.close()
