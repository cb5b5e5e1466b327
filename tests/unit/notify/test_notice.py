"""A notice says the same in every form, and nothing it tells is taken for a mark."""

import pytest

from snaphook.notify.notice import MOST, Notice, clip, marked, plain

NOTICE = Notice(
    event="stop",
    title="BB5 Agent Activity",
    facts={
        "": {"Agent": "executor", "Project": "blackbox5"},
        "Session": {"Duration": "1h 2m", "Tokens": ""},
    },
    links=("file:///runs/run-1",),
)


def test_a_notice_as_text():
    assert plain(NOTICE) == (
        "BB5 Agent Activity\n\nAgent: executor\nProject: blackbox5\n\n"
        "Session\nDuration: 1h 2m\n\nfile:///runs/run-1"
    )


def test_a_notice_as_html_escapes_what_it_tells():
    notice = Notice(title="a <b>", text="x & y", facts={"": {"Task": "<script>"}})

    assert marked(notice) == ("<b>a &lt;b&gt;</b>\nx &amp; y\n\n<b>Task:</b> &lt;script&gt;")


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("$agent finished in $duration", "executor finished in 1h 2m"),
        ("${title}: $nothing", "BB5 Agent Activity: $nothing"),
        ("$links", "file:///runs/run-1"),
        ("100 $$", "100 $"),
    ],
)
def test_a_template_takes_what_it_asks_for(template, text):
    assert plain(NOTICE, template) == text


def test_a_template_for_html_keeps_its_own_marks_only():
    notice = Notice(title="<i>", facts={})

    assert marked(notice, "<b>$title</b>") == "<b>&lt;i&gt;</b>"


def test_a_long_notice_is_cut_before_a_channel_refuses_it():
    notice = Notice(title="t" * 5000, text="&" * 9000, facts={"": {"a": "x" * 9000}})

    assert len(plain(notice)) == MOST
    assert len(marked(notice)) < 10_000
    assert clip("abc", 3) == "abc"
