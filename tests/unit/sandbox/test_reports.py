"""What the helper's watcher reported becomes refusals of the right call."""

import pytest

from snaphook.sandbox.refusals import NETWORK, OUTSIDE, PROTECTED, SOCKET, Refusal
from snaphook.sandbox.reports import forget_old, tag_of, take_reports


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("d- /home/ada/thesis.txt", Refusal(path="/home/ada/thesis.txt", what=OUTSIDE)),
        ("wA /p/snaphook.toml", Refusal(path="/p/snaphook.toml", what=PROTECTED)),
        ("wK /p/.git/config", Refusal(path="/p/.git/config", what=PROTECTED)),
        ("sS /run/docker.sock", Refusal(path="/run/docker.sock", what=SOCKET)),
        ("nN 203.0.113.5:443", Refusal(host="203.0.113.5:443", what=NETWORK)),
        ("w- /home/ada/a name", Refusal(path="/home/ada/a name", what=OUTSIDE)),
    ],
)
def test_a_line_is_a_refusal(tmp_path, line, refusal):
    tag = tag_of("session", "call")
    (tmp_path / tag).write_text(f"{line}\n")

    assert take_reports(tmp_path, tag) == (refusal,)
    assert take_reports(tmp_path, tag) == ()


@pytest.mark.parametrize(
    "line", ["", "nonsense", "w", "w- ", "wX /p", "w- /usr/lib/python3/__pycache__/os.pyc.123"]
)
def test_what_says_nothing_is_left_out(tmp_path, line):
    tag = tag_of("session", "call")
    (tmp_path / tag).write_text(f"{line}\n")

    assert take_reports(tmp_path, tag) == ()


def test_another_sessions_reports_stay_and_an_earlier_calls_are_told(tmp_path):
    (tmp_path / tag_of("mine", "one")).write_text("d- /a\n")
    (tmp_path / tag_of("other", "one")).write_text("d- /b\n")

    found = take_reports(tmp_path, tag_of("mine", "two"))

    assert [one.path for one in found] == ["/a"]
    assert [path.name for path in tmp_path.iterdir()] == [tag_of("other", "one")]


def test_reports_nobody_asked_for_are_removed_after_a_day(tmp_path):
    import os

    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("d- /a\n")
    new.write_text("d- /b\n")
    os.utime(old, (1, 1))
    forget_old(tmp_path)

    assert list(tmp_path.iterdir()) == [new]


def test_no_folder_is_no_report(tmp_path):
    assert take_reports(tmp_path / "none", "a-b") == ()
