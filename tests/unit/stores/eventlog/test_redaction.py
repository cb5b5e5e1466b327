"""What was redacted is gone from every place, whatever happens meanwhile; the chain is whole."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from snaphook.errors import StoreError
from snaphook.stores.eventlog import EventLog, LogSettings, Record
from snaphook.stores.eventlog.redaction import SENSITIVE, STAYS, left_of
from snaphook.stores.eventlog.ship import ShipCursor, ship
from snaphook.stores.eventlog.sqlite import SqliteRecordStore
from snaphook.stores.eventlog.tidy import pack, tidy
from snaphook.stores.eventlog.trail.check import check
from snaphook.stores.eventlog.trail.finding import Redaction
from snaphook.stores.eventlog.trail.hold import Hold, place
from snaphook.stores.eventlog.trail.journal import REDACTION, STREAM, actions
from snaphook.stores.eventlog.trail.prove import prove
from snaphook.stores.eventlog.trail.redact import finish, redact
from snaphook.stores.eventlog.trail.retention import retain
from snaphook.stores.eventlog.trail.settings import AuditSettings, KeepRule
from snaphook.stores.eventlog.upkeep import upkeep

from .test_trail import NOW, folder, trail

__all__ = ["folder", "trail"]
SECRET, KEPT = "the-secret-of-ada", "what-bob-said"


def record(n, text=KEPT, **about):
    given = {
        "event": "PreToolUse",
        "session": f"s{n}",
        "host": "claude-code",
        "tool": "Bash",
        "project": f"/home/{text}/shop",
        "reason": f"no {text}",
        "input": {"tool_args": {"command": f"echo {text}", "pad": "-" * 300}},
        "verdict": "deny",
        "by": "guard",
        "salt": f"{n:016x}",
    }
    return msgspec.convert({"id": f"r{n}", "time": NOW + n, **given, **about}, Record)


def write(folder, *records, segment_bytes=1 << 20):
    log = EventLog(folder, segment_bytes=segment_bytes)
    for each in records:
        log.append([each])
    log.close()


def shipped(folder):
    store = SqliteRecordStore(folder / "records.sqlite")
    ship(folder, store)
    return store


def raw(folder):
    """Return every byte below *folder*, packed segments unpacked."""
    import gzip

    return b"".join(
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    )


def checked(folder):
    return next(each for each in check(folder) if each.stream == "daemon")


def is_first(record):
    return record.id == "r1"


@pytest.mark.req("SQ-9")
@pytest.mark.parametrize("shipped_before", [True, False])
def test_segments_and_sqlite_lose_the_same(folder, trail, shipped_before):
    write(folder, *[record(n, SECRET if n == 1 else KEPT) for n in range(40)], segment_bytes=9000)
    pack(folder / "daemon/00000001.log")
    trail.seal(now=NOW)
    trail.copy()
    proof = prove(folder, "r1")
    if shipped_before:
        shipped(folder).close()
    assert SECRET.encode() in raw(folder)

    redact(folder, is_first, why="erasure 112", now=NOW)
    store = shipped(folder)
    store.tidied()
    store.close()

    everything = raw(folder) + raw(Path(trail.settings.copy_to))
    assert SECRET.encode() not in everything
    assert KEPT.encode() in everything
    assert checked(folder).findings == ()
    assert (prove(folder, "r1").digest, prove(folder, "r1").path) == (proof.digest, proof.path)


@pytest.mark.req("SQ-9")
def test_a_row_keeps_what_was_not_asked_for(folder):
    write(folder, record(1, SECRET), record(2))
    shipped(folder).close()
    redact(folder, is_first, fields=["input.tool_args.command", "project"], why="x", now=NOW)
    shipped(folder).close()

    with sqlite3.connect(folder / "records.sqlite") as db:
        query = "SELECT tool, project, reason, verdict, body FROM record WHERE id = 'r1'"
        tool, project, reason, verdict, body = db.execute(query).fetchone()
        sat = db.execute("SELECT session, project FROM sitting ORDER BY session").fetchall()
        count = "SELECT name, n FROM tally WHERE kind IN ('project', 'tool') ORDER BY name"
        counted = db.execute(count).fetchall()
    assert (tool, project, reason, verdict) == ("Bash", "", f"no {SECRET}", "deny")
    left = msgspec.json.decode(body)
    assert left["input"] == {"tool_args": {"pad": "-" * 300}}
    assert left["redacted"] == ["input.tool_args.command", "project", "salt"]
    assert sat == [("s1", ""), ("s2", f"/home/{KEPT}/shop")]
    assert counted == [(f"/home/{KEPT}/shop", 1), ("Bash", 2)]


@pytest.mark.req("SQ-9")
def test_more_can_be_taken_out_later_and_twice_is_once(folder, trail):
    write(folder, record(1, SECRET))
    first, _ = redact(folder, is_first, fields=["input"], why="one", now=NOW)
    assert SECRET.encode() in raw(folder), "the reason and the project are still there"

    rest, _ = redact(folder, is_first, why="two", now=NOW + 1)
    again, _ = redact(folder, is_first, why="three", now=NOW + 2)

    assert [len(each) for each in (first, rest, again)] == [1, 1, 0]
    assert SECRET.encode() not in raw(folder)
    assert [action.input["why"] for action in actions(folder, REDACTION)] == ["one", "two"]
    assert checked(folder).findings == ()


@pytest.mark.req("SQ-9")
def test_verify_says_who_took_out_what_when_and_why(folder):
    write(folder, record(1, SECRET), record(2, SECRET), record(3))
    redact(folder, lambda r: r.id in ("r1", "r2"), fields=["input"], why="erasure", now=NOW)

    [action, _] = actions(folder, REDACTION)
    assert checked(folder).redactions == (
        Redaction(by=action.agent, time=NOW, why="erasure", records=2, fields=("input",)),
    )


@pytest.mark.req("SQ-9")
def test_what_is_held_stays_on_the_shelf_as_well(folder):
    write(folder, record(1, SECRET))
    shipped(folder).close()
    place(folder, Hold(name="case", why="court", session="s1"), now=NOW)

    gone, [held] = redact(folder, is_first, why="x", now=NOW)
    shipped(folder).close()

    assert (gone, held.id) == ([], "r1")
    with sqlite3.connect(folder / "records.sqlite") as db:
        [[reason]] = db.execute("SELECT reason FROM record WHERE id = 'r1'").fetchall()
    assert reason == f"no {SECRET}"


@pytest.mark.req("SQ-9")
def test_what_is_over_its_time_goes_from_the_shelf_as_well(folder, trail):
    write(folder, record(1, SECRET, event="PostToolUse"), record(2))
    shipped(folder).close()
    rule = KeepRule(event="PostToolUse", days=30)
    retain(folder, LogSettings(), AuditSettings(keep=(rule,)), now=NOW + 40 * 86_400)

    store = shipped(folder)
    store.tidied()
    store.close()

    assert SECRET.encode() not in raw(folder)
    assert KEPT.encode() in raw(folder)


def test_what_arrives_after_its_redaction_arrives_without_the_contents(folder):
    """Somebody had read the line before it was redacted, and ships it after."""
    write(folder, record(1, SECRET), record(2))
    redact(folder, is_first, why="x", now=NOW)
    store = shipped(folder)

    store.keep("daemon", [record(1, SECRET)], ShipCursor("00000001", 1))
    store.tidied()
    store.close()

    assert SECRET.encode() not in raw(folder)
    assert KEPT.encode() in raw(folder)


def test_only_the_journal_can_say_that_something_was_redacted(folder):
    """An agent may call an event what it likes."""
    forged = {"id": "r2", "fields": ["input"], "digest": "0" * 64, "body": "", "why": "hush"}
    write(folder, record(2), record(3, event=REDACTION, input=forged))
    store = shipped(folder)
    store.close()
    shipped(folder).close()  # nor does who opens it next believe it

    with sqlite3.connect(folder / "records.sqlite") as db:
        [[body]] = db.execute("SELECT body FROM record WHERE id = 'r2'").fetchall()
    assert msgspec.json.decode(body, type=Record) == record(2)


def test_a_database_of_an_earlier_version_loses_what_was_redacted_then(folder):
    write(folder, record(1, SECRET))
    store = shipped(folder)
    redact(folder, is_first, why="x", now=NOW)
    with sqlite3.connect(folder / "records.sqlite") as db:  # as it was: shipped, and not obeyed
        [[before]] = db.execute("SELECT body FROM record WHERE id = 'r1'").fetchall()
    store.close()
    shipped(folder).close()
    with sqlite3.connect(folder / "records.sqlite") as db:
        db.execute("UPDATE record SET body = ? WHERE id = 'r1'", (before,))

    SqliteRecordStore(folder / "records.sqlite").close()

    with sqlite3.connect(folder / "records.sqlite") as db:
        [[body]] = db.execute("SELECT body FROM record WHERE id = 'r1'").fetchall()
    assert SECRET.encode() not in body


@pytest.mark.req("SQ-9")
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "dies_in", ["rewrite.rewrite", "rewrite.rewrite 2", "redact.replace_file", "rewrite.wipe_torn"]
)
def test_killed_in_the_middle_it_is_finished_later(folder, trail, dies_in, packed):
    write(folder, *[record(n, SECRET) for n in range(40)], segment_bytes=9000)
    if packed:
        for segment in sorted((folder / "daemon").glob("*.log"))[:-1]:
            pack(segment)
    trail.seal(now=NOW)
    name, _, nth = dies_in.partition(" ")
    script = f"""
import os, signal
from pathlib import Path
from snaphook.stores.eventlog.trail import redact
real, left = redact.{name.split(".")[1]}, [{nth or 1}]
def dies(*given, **named):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*given, **named)
redact.{name.split(".")[1]} = dies
redact.redact(Path({str(folder)!r}), lambda record: True, why="erasure", now={NOW})
"""
    died = subprocess.run([sys.executable, "-c", script], capture_output=True)
    assert died.returncode == -signal.SIGKILL, died.stderr
    before = checked(folder)
    assert before.findings == ()
    assert before.unfinished + before.redacted == 40

    finish(folder, now=NOW + 1)

    assert SECRET.encode() not in raw(folder)
    after = checked(folder)
    assert (after.findings, after.unfinished, after.redacted) == ((), 0, 40)
    assert len(list(actions(folder, REDACTION))) == 40, "nothing was done twice"
    assert finish(folder, now=NOW + 2) == 0


@pytest.mark.req("SQ-9")
def test_who_puts_the_contents_back_is_told_of_and_undone(folder):
    write(folder, record(1, SECRET))
    file = folder / "daemon/00000001.log"
    backup = file.read_bytes()
    redact(folder, is_first, why="x", now=NOW)
    file.write_bytes(backup)

    assert checked(folder).unfinished == 1
    (folder / STREAM / ".redacted").unlink()
    assert finish(folder, now=NOW) == 1
    assert checked(folder).unfinished == 0


def test_what_a_power_cut_left_aside_goes_as_well(folder):
    write(folder, record(1, SECRET), record(2))
    segment = folder / "daemon/00000001.log"
    half = next(line for line in segment.read_bytes().splitlines() if b'"r1"' in line)[:400]
    (folder / "daemon/00000001.torn").write_bytes(half + b"\n" + half.replace(b"r1", b"r9"))
    (folder / "daemon/.00000001.log.packing").write_bytes(half)

    redact(folder, lambda r: r.id in ("r1", "r9"), why="x", now=NOW)

    assert SECRET.encode() not in raw(folder)
    assert (folder / "daemon/00000001.torn").stat().st_size == 801


def test_nobody_packs_while_somebody_redacts(folder, monkeypatch):
    monkeypatch.setattr("snaphook.stores.eventlog.tidy.upkeep", lambda f: upkeep(f, patience=0))
    write(folder, *[record(n) for n in range(40)], segment_bytes=9000)

    with upkeep(folder), pytest.raises(StoreError, match="another process"):
        tidy(folder, LogSettings(), now=NOW)

    tidy(folder, LogSettings(), now=NOW)
    assert list((folder / "daemon").glob("*.gz"))


@pytest.mark.parametrize("field", sorted(STAYS))
def test_which_record_it_was_and_what_came_of_it_never_goes(field):
    body = msgspec.json.encode(record(1, SECRET, duration_ms=1.5))

    left = left_of(body, [field, *SENSITIVE]).after

    assert (left.id, left.time, left.session, left.verdict) == ("r1", NOW + 1, "s1", "deny")
    assert (left.host, left.by, left.duration_ms) == ("claude-code", "guard", 1.5)
    assert SECRET not in repr(left)
