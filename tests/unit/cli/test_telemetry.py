"""telemetry: which hooks fired, in which agent, when last."""

import json
import time

import pytest

from snaphook.cli.main import main
from snaphook.hosts.checkup import SESSION
from snaphook.stores.eventlog import EventLog, Record


@pytest.fixture
def home(tmp_path, monkeypatch):
    (tmp_path / "project/.git").mkdir(parents=True)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def happened(home, *records):
    log = EventLog(home / ".local/share/snaphook/log")
    log.append([Record(id=str(n), **about) for n, about in enumerate(records)])
    log.close()


def event(name, *, session="s", ago=60.0, **about):
    given = {"event": name, "session": session, "host": "claude-code", "time": time.time() - ago}
    return {**given, **about}


@pytest.mark.req("SQ-7")
def test_an_event_that_is_wired_and_never_came_is_told_from_one_that_came(home, capsys):
    assert main(["init", "--yes", "--host", "claude-code"]) == 0
    happened(
        home,
        event("PreToolUse"),
        event("PreToolUse", verdict="deny", ago=10),
        event("Stop", session=SESSION),
    )
    capsys.readouterr()

    assert main(["telemetry", "fired", "--json"]) == 1
    rows = {row["event"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}

    came = rows["PreToolUse"]
    assert (came["count"], came["stopped"], came["wired"], came["dead"]) == (2, 1, True, False)
    assert rows["Stop"]["dead"], "the doctor's own try does not count"


@pytest.mark.req("SQ-7")
def test_the_table_names_what_never_came(home, capsys):
    assert main(["init", "--yes", "--host", "claude-code"]) == 0
    happened(home, event("PreToolUse", ago=7_300))
    capsys.readouterr()

    assert main(["telemetry", "fired"]) == 1

    told = capsys.readouterr().out
    assert "2 h ago" in told
    assert "Installed but never received: claude-code" in told


def test_what_was_long_ago_does_not_count(home, capsys):
    happened(home, event("PreToolUse", ago=40 * 86_400))

    assert main(["telemetry", "fired", "--json"]) == 0

    assert capsys.readouterr().out == ""


def test_metrics_are_printed_from_the_record_and_nothing_is_changed(home, capsys):
    happened(home, event("PreToolUse", tool="Bash"))

    assert main(["telemetry", "metrics"]) == 0

    said = capsys.readouterr().out
    assert (
        'snaphook_events_total{snaphook_event="PreToolUse",snaphook_host="claude-code"} 1' in said
    )
    assert not (home / ".local/share/snaphook/telemetry").exists()


def test_exporting_without_a_collector_says_what_to_set(home, capsys, monkeypatch):
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)

    assert main(["telemetry", "export"]) != 0

    assert "no collector configured" in capsys.readouterr().err


def test_the_dashboard_is_printed(capsys):
    assert main(["telemetry", "grafana"]) == 0

    assert json.loads(capsys.readouterr().out)["uid"] == "snaphook"
