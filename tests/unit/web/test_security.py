"""Who may look, and what browsers are told."""

import pytest
from tests.unit.web.dashboards import client, desk_at

from snaphook.web.security import KnownHosts

TOKEN = "s3cret-token"


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:4765", True),
        ("localhost:4765", True),
        ("LOCALHOST", True),
        ("[::1]:4765", True),
        ("192.168.1.7:4765", True),
        ("dash.example.com", True),
        ("evil.example.net:4765", False),
        ("127.0.0.1.evil.example.net", False),
        ("", False),
    ],
)
def test_only_those_are_answered_who_call_us_by_a_name_of_ours(host, known):
    async def app(scope, receive, send): ...

    assert KnownHosts(app, names=["dash.example.com"]).knows(host) is known


def test_a_page_elsewhere_that_took_our_address_is_refused(tmp_path):
    with client(desk_at(tmp_path)) as browser:
        answer = browser.get("/", headers={"Host": "evil.example.net"})

    assert answer.status_code == 421


@pytest.mark.parametrize("page", ["/", "/static/app.js", "/nowhere", "/feed?verdict=x"])
def test_every_answer_forbids_what_no_page_of_ours_needs(tmp_path, page):
    with client(desk_at(tmp_path)) as browser:
        headers = browser.get(page).headers

    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_pages_hold_no_inline_script_or_style(tmp_path):
    with client(desk_at(tmp_path)) as browser:
        text = browser.get("/").text

    assert " style=" not in text
    assert " onclick=" not in text
    assert "<style" not in text


def test_the_token_is_shown_once_and_taken_out_of_the_address(tmp_path):
    with client(desk_at(tmp_path), token=TOKEN) as browser:
        stranger = browser.get("/feed")
        wrong = browser.get("/feed?token=guess")
        right = browser.get(f"/feed?verdict=deny&token={TOKEN}")
        cookie = right.headers["set-cookie"]
        later = browser.get("/feed")
    assert (stranger.status_code, stranger.headers["location"]) == (303, "/login")
    assert (wrong.status_code, wrong.headers["location"]) == (303, "/login")
    assert (right.status_code, right.headers["location"]) == (303, "/feed?verdict=deny")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert later.status_code == 200


def test_the_token_may_be_typed_and_strangers_see_the_form_and_nothing_else(tmp_path):
    with client(desk_at(tmp_path), token=TOKEN) as browser:
        assert browser.get("/login").status_code == 200
        assert browser.get("/static/base.css").status_code == 200
        assert browser.get("/feed/stream").status_code == 303
        assert browser.post("/login", data={"token": "guess"}).headers["location"] == "/login"
        assert browser.post("/login", data={"token": TOKEN}).headers["location"] == "/"
        assert browser.get("/").status_code == 200


def test_a_token_leads_to_no_other_place(tmp_path):
    with client(desk_at(tmp_path), token=TOKEN) as browser:
        answer = browser.get(f"//evil.example.net?token={TOKEN}")

    assert answer.headers.get("location", "/").startswith("/")
    assert not answer.headers.get("location", "/").startswith("//")
