"""``outbox`` and ``dead-letters``: what waits, what failed, and what to do about it."""

import json

import pytest

from snaphook.cli.main import main
from snaphook.stores.outbox import GiveUp, Outbox, workers
from snaphook.wiring import job_handlers


@pytest.fixture
def outbox(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(workers, "_spawn", lambda around: None)
    box = Outbox(tmp_path / ".local/share/snaphook", cwd="/project")
    yield box
    box.close()


@pytest.fixture
def done(monkeypatch):
    """Have every job of kind 'mail' done, and deliveries given up."""
    mails = []

    def handler(kind):
        if kind == "deliver":
            raise GiveUp("no such address")
        return lambda job, around: mails.append(job.payload)

    monkeypatch.setattr(job_handlers, "handler", handler)
    return mails


def said(capsys, *args):
    status = main(list(args))
    return status, capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["outbox"], "No background jobs."),
        (["outbox", "list"], "No background jobs."),
        (["dead-letters"], "No failed jobs."),
        (["dead-letters", "retry", "--all"], "No failed jobs."),
        (["dead-letters", "drop", "--all"], "No failed jobs."),
    ],
)
def test_an_empty_outbox_says_so(outbox, capsys, command, words):
    status, out = said(capsys, *command)

    assert (status, out.splitlines()[0]) == (0, words)


def test_an_empty_list_is_no_json(outbox, capsys):
    assert said(capsys, "outbox", "list", "--json") == (0, "")


@pytest.mark.req("BB-ST-1")
def test_what_is_due_is_done_and_what_failed_is_told_retried_and_dropped(outbox, done, capsys):
    outbox.put("mail", {"to": "ann"})
    lost = outbox.put("deliver", {"to": "bob"})
    other = outbox.put("deliver", {"to": "cy"})

    assert said(capsys, "outbox", "run") == (0, "3 tried. 0 waiting, 2 failed.\n")
    assert done == [{"to": "ann"}]

    _, listed = said(capsys, "dead-letters", "list", "--json")
    assert [json.loads(line)["id"] for line in listed.splitlines()] == [other, lost]
    _, shown = said(capsys, "dead-letters", "show", lost, "--json")
    assert json.loads(shown)["error"] == "no such address"
    assert said(capsys, "dead-letters", "retry", lost) == (0, "1 wait again.\n")
    assert said(capsys, "dead-letters", "drop", other) == (0, "1 dropped.\n")
    _, lines = said(capsys, "outbox", "list", "--state", "waiting")
    assert lost in lines
    assert other not in said(capsys, "outbox")[1]


def test_a_job_is_shown_whole(outbox, capsys):
    made = outbox.put("mail", {"to": "ann"}, key="k")

    _, out = said(capsys, "outbox", "show", made[:15])

    assert "kind      mail" in out
    assert '"to": "ann"' in out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["outbox", "show", "zzz"],
            "zzz: no such job. 'snaphook outbox list' shows what there is.",
        ),
        (["dead-letters", "show", "0"], "0: no such job."),
        (["dead-letters", "retry"], "expects job ids or --all, not both."),
        (["dead-letters", "drop", "a", "--all"], "expects job ids or --all, not both."),
        (["outbox", "show", "0"], "0: 2 jobs have ids that start with this. Give a longer prefix."),
    ],
)
def test_a_job_that_is_not_named_rightly_is_asked_for_again(outbox, capsys, words, problem):
    outbox.put("mail", {})
    outbox.put("mail", {})

    assert main(words) == 2
    assert problem in capsys.readouterr().err
