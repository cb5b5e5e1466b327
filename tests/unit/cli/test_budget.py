"""budget status, report, set: as people see it, and as programs do."""

import json

import pytest

from snaphook.canon import Usage
from snaphook.cli.main import main
from snaphook.stores.budget import Charge, Payer, open_meter


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "SNAPHOOK_TENANT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    return tmp_path


@pytest.fixture
def spent(home):
    """Half a dollar in one session of this project."""
    meter = open_meter("sqlite", home / ".local/share/snaphook")
    payer = Payer(session="s1", tree="s1", project=str((home / "repo").resolve()))
    charge = Charge(
        id="a",
        model="claude-sonnet-5",
        usage=Usage(input_tokens=4_000, output_tokens=49_200),
        micro_dollars=500_000,
    )
    meter.spend(payer, [charge])
    meter.close()


@pytest.mark.parametrize("words", [["status"], ["report"]])
def test_nothing_spent_teaches_how_something_would_be_seen(home, capsys, words):
    assert main(["budget", *words]) == 0
    assert "'snaphook budget set day 20'" in capsys.readouterr().out


@pytest.mark.req("SQ-10")
def test_a_limit_that_is_set_holds_and_leaves_the_file_as_it_was(home, spent, capsys):
    file = home / ".config/snaphook/snaphook.toml"
    file.parent.mkdir(parents=True)
    file.write_text("# mine\n[guard]\nbulk_files = 3 # few\n")

    assert main(["budget", "set", "day", "2"]) == 0
    assert main(["budget", "set", "project", "0.4", "--per", "month"]) == 0
    assert main(["budget", "set", "session", "9000", "--tokens"]) == 0
    assert file.read_text().startswith("# mine\n[guard]\nbulk_files = 3 # few\n")
    assert main(["check"]) == 0
    capsys.readouterr()

    assert main(["budget", "status"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "project-month: $0.5000, 125 % of $0.4000",
        "day: $0.5000, 25 % of $2.0000",
        "each session: up to 9,000 tokens",
        "project: $0.5000, no limit",
        "month: $0.5000, no limit",
    ]


def test_programs_read_the_same_as_json(home, spent, capsys):
    main(["budget", "set", "day", "2", "--json"])
    assert json.loads(capsys.readouterr().out)["dollars"] == 2.0
    main(["budget", "status", "--json"])
    status = json.loads(capsys.readouterr().out)
    assert status["accounts"]["day"] == {"micro_dollars": 500000, "tokens": 53200, "held": 0}
    assert [line["percent"] for line in status["limits"]] == [25.0]
    main(["budget", "report", "--json"])
    assert json.loads(capsys.readouterr().out)["models"][0]["answers"] == 1


@pytest.mark.req("SQ-10")
def test_the_report_is_of_the_latest_session_or_the_one_named_or_of_days(home, spent, capsys):
    told = [
        "Session s1: $0.5000, 53,200 tokens",
        "  claude-sonnet-5: $0.5000 for 1 answer, 4,000 tokens read, 49,200 written",
    ]
    for words in ([], ["s1"]):
        assert main(["budget", "report", *words]) == 0
        assert capsys.readouterr().out.splitlines() == told
    assert main(["budget", "report", "--days", "7"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "$0.5000 in 7 days, 53,200 tokens",
        "  claude-sonnet-5: $0.5000",
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["report", "nope"], "no spending recorded for session 'nope'"),
        (["set", "day", "--", "-3"], "invalid amount -3.0"),
        (["set", "day", "nan"], "invalid amount nan"),
        (["set", "day", "3", "--per", "day"], "--per does not apply to 'day'"),
    ],
)
def test_words_that_make_no_sense_are_refused_with_what_would(home, capsys, words, told):
    assert main(["budget", *words]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.req("SQ-10")
def test_check_finds_a_bad_prices_file_and_steps_out_of_order(home, capsys):
    (home / "prices.toml").write_text("[m]\ninput = 'x'\noutput = 1\n")
    file = home / ".config/snaphook/snaphook.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[budget]\nwarn_at = 80\nprices = "~/prices.toml"\n[budget.day]\ndolars = 3\n')

    assert main(["check"]) == 1
    told = capsys.readouterr().out
    assert "m.input: invalid price 'x'" in told
    assert "80 comes after cheaper_at (70.0)" in told
    assert "dolars" in told
