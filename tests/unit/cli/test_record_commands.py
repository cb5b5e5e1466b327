"""log, stats, audit: the record as people see it."""

import csv
import io
import json
import time

import pytest

from snaphook.cli.log import moment
from snaphook.cli.main import main
from snaphook.errors import UsageError
from snaphook.stores.eventlog import EventLog, Record

REASON = "[blocked]\n\nReason: 'git push -f' takes commits away"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A home without a record yet; where the record would be."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path / ".local/share/snaphook/log"


@pytest.fixture
def recorded(folder):
    """Three calls of two sessions, one of them stopped."""
    log = EventLog(folder)
    for n, verdict in enumerate([None, "deny", "allow"]):
        log.append(
            [
                Record(
                    id=str(n),
                    time=time.time() - 100 + n,
                    event="PreToolUse",
                    session=f"session-{n % 2}",
                    tool="Bash",
                    input={"tool_args": {"command": f"git push -f {n}"}},
                    verdict=verdict,
                    reason=REASON if verdict == "deny" else None,
                    by="guard" if verdict else "",
                )
            ]
        )
    log.close()
    return folder


def test_the_log_shows_what_happened_and_why(recorded, capsys):
    assert main(["log"]) == 0

    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in (shown[0], shown[1], shown[3])] == ["0", "1", "2"]
    assert shown[2].strip() == "guard: 'git push -f' takes commits away"


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--verdict", "deny"], ["1"]),
        (["--session", "session-0"], ["0", "2"]),
        (["--limit", "1"], ["2"]),
        (["--since", "1m"], []),
        (["--since", "2001-01-01", "--limit", "0"], ["0", "1", "2"]),
        (["--event", "Stop"], []),
        (["--tool", "Bash"], ["0", "1", "2"]),
    ],
)
def test_the_log_can_be_narrowed_down(recorded, capsys, options, ids):
    assert main(["log", "--json", *options]) == 0

    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == ids


@pytest.mark.parametrize("words", [["log"], ["stats"], ["audit", "verify"]])
def test_nothing_recorded_teaches_how_something_would_be(folder, capsys, words):
    assert main(words) == 0
    assert "'snaphook init' to install the hooks" in capsys.readouterr().out


def test_nothing_that_fits_says_so(recorded, capsys):
    assert main(["log", "--session", "nobody"]) == 0
    assert "No matching events" in capsys.readouterr().out


def test_stats_count_in_json_and_in_a_table(recorded, capsys):
    assert main(["stats", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["records"], found["sessions"]) == (3, 2)
    assert found["verdicts"] == {"silent": 1, "deny": 1, "allow": 1}

    assert main(["stats"]) == 0
    assert "3 events in 2 sessions" in capsys.readouterr().out


def test_audit_tells_intact_from_complete_from_touched(recorded, capsys):
    assert main(["audit", "verify"]) == 0
    assert "daemon: 3 records, intact." in capsys.readouterr().out

    assert main(["audit", "checkpoint"]) == 0
    (recorded.parent / "elsewhere").write_text(capsys.readouterr().out)
    assert main(["audit", "verify"]) == 0
    assert "Complete up to checkpoint 1" in capsys.readouterr().out

    [segment] = (recorded / "daemon").glob("*.log")
    segment.write_bytes(segment.read_bytes().replace(b"git push -f 1", b"git push -n 1"))
    assert main(["audit", "verify", "--against", str(recorded.parent / "elsewhere")]) == 1
    shown = capsys.readouterr().out
    assert f"{segment}:3 was changed" in shown


def test_checkpoints_that_are_none_are_told_in_words(recorded, capsys):
    (recorded / "x").write_text("hello")

    assert main(["audit", "verify", "--against", str(recorded / "x")]) == 3
    assert "contains no checkpoints" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_the_record_can_be_taken_elsewhere(recorded, capfdbinary, form):
    assert main(["audit", "export", "--format", form]) == 0

    out = capfdbinary.readouterr().out.decode()
    if form == "jsonl":
        assert [json.loads(line)["id"] for line in out.splitlines()] == ["0", "1", "2"]
    else:
        assert out.startswith("id,time,event,session")
        assert out.count("PreToolUse") == 3


@pytest.mark.parametrize(
    ("text", "when"),
    [("", 0.0), ("10s", 990.0), ("1.5m", 910.0), ("1970-01-01T00:00:05+00:00", 5.0)],
)
def test_a_moment_is_so_long_ago_or_a_date(text, when):
    assert moment(text, 1000.0) == when


def test_a_moment_that_is_none_is_told_in_words():
    with pytest.raises(UsageError, match="invalid time 'yesterday'"):
        moment("yesterday", 0.0)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＠"])
def test_a_spreadsheet_computes_nothing_of_the_exported_record(folder, capfdbinary, start):
    log = EventLog(folder)
    formula = f"{start}HYPERLINK(A1)"
    log.append([Record(id="0", time=1.0, event="PreToolUse", session=formula, tool=formula)])
    log.close()

    assert main(["audit", "export", "--format", "csv"]) == 0

    rows = list(csv.DictReader(io.StringIO(capfdbinary.readouterr().out.decode(), newline="")))
    assert {rows[0]["session"], rows[0]["tool"]} == {f"'{formula}"}
