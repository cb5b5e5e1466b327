"""Keeping the record: checkpoints miss a cut tail, old segments are packed and go."""

import os

import pytest

from snaphook.errors import StoreError
from snaphook.stores.eventlog import EventLog, LogSettings, Record, verify
from snaphook.stores.eventlog.audit import look
from snaphook.stores.eventlog.checkpoint import Checkpoint, checkpoints, note
from snaphook.stores.eventlog.read import Follower, RecordQuery, latest, records
from snaphook.stores.eventlog.segment import segments
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.sqlite import SqliteRecordStore
from snaphook.stores.eventlog.tidy import DAY, pack, tidy

NOW = 1_000_000_000.0


def write(folder, start, stop, *, stream="daemon", **options):
    log = EventLog(folder, stream=stream, **options)
    for n in range(start, stop):
        log.append([Record(id=f"{n:08}", time=float(n), event="Stop", session=f"s{n % 2}")])
    log.close()


def ids(found):
    return [int(record.id) for record in found]


def test_a_tail_that_was_cut_is_missed_by_the_checkpoint(tmp_path):
    write(tmp_path, 0, 10)
    stream = tmp_path / "daemon"
    point = look(stream, NOW)
    assert point is not None
    note(stream, point)
    assert [(r.checkpoints, r.complete_at, r.bad) for r in verify(tmp_path)] == [(1, NOW, None)]

    [segment] = segments(stream)
    segment.write_bytes(b"".join(segment.read_bytes().splitlines(keepends=True)[:-2]))

    [report] = verify(tmp_path)
    assert report.bad is not None
    assert "it was truncated" in report.bad.what


def test_a_record_written_anew_does_not_fit_a_checkpoint_kept_elsewhere(tmp_path):
    write(tmp_path / "old", 0, 5)
    point = look(tmp_path / "old" / "daemon", NOW)
    assert point is not None
    write(tmp_path / "new", 100, 105)

    [report] = verify(tmp_path / "new", {"daemon": [point]})
    assert report.bad is not None
    assert "checkpoint" in report.bad.what


def test_a_stream_that_is_gone_is_missed(tmp_path):
    gone = Checkpoint(segment="00000001", size=10, head="0" * 64, time=NOW)

    [report] = verify(tmp_path, {"daemon": [gone]})
    assert report.bad is not None
    assert "is missing" in report.bad.what


def test_closed_segments_are_packed_and_everything_still_reads_them(tmp_path):
    write(tmp_path / "log", 0, 60, segment_bytes=2000)
    tidy(tmp_path / "log", LogSettings(), now=NOW)

    names = [path.suffix for path in segments(tmp_path / "log" / "daemon")]
    assert set(names[:-1]) == {".gz"}
    assert names[-1] == ".log"
    assert [(r.records, r.bad) for r in verify(tmp_path / "log")] == [(60, None)]
    assert ids(records(tmp_path / "log")) == list(range(60))
    store = SqliteRecordStore(tmp_path / "db.sqlite")
    assert ship(tmp_path / "log", store) == 60
    store.close()


def test_what_is_too_old_goes_and_the_rest_still_verifies(tmp_path):
    write(tmp_path, 0, 60, segment_bytes=2000)
    stream = tmp_path / "daemon"
    for path in segments(stream)[:3]:
        os.utime(path, (NOW - 100 * DAY, NOW - 100 * DAY))
    left = len(segments(stream)) - 3
    for path in segments(stream)[3:]:
        os.utime(path, (NOW, NOW))

    tidy(tmp_path, LogSettings(keep_days=90), now=NOW)

    assert len(segments(stream)) == left
    [report] = verify(tmp_path)
    assert report.bad is None
    assert checkpoints(stream)[0].retired
    write(tmp_path, 60, 65)
    assert verify(tmp_path)[0].bad is None


def test_a_stream_never_takes_more_room_than_it_may(tmp_path):
    log = EventLog(tmp_path, segment_bytes=300_000)
    for n in range(20):
        noise = {"x": os.urandom(100_000).hex()}
        log.append([Record(id=str(n), time=0.0, event="Stop", session="s", input=noise)])
    log.close()

    tidy(tmp_path, LogSettings(max_mb=2), now=NOW)

    held = sum(path.stat().st_size for path in segments(tmp_path / "daemon"))
    assert held <= 2 << 20
    assert verify(tmp_path)[0].bad is None


def test_a_stream_whose_segments_are_all_packed_or_gone_goes_on_in_one_chain(tmp_path):
    write(tmp_path, 0, 30, segment_bytes=1500)
    stream = tmp_path / "daemon"
    pack(segments(stream)[-1])
    write(tmp_path, 30, 40)

    assert [(r.records, r.bad) for r in verify(tmp_path)] == [(40, None)]


def test_a_disk_that_is_full_leaves_whole_lines_only(tmp_path, monkeypatch):
    write(tmp_path, 0, 3)
    log = EventLog(tmp_path)
    real = os.write

    def full(fd, chunk):
        real(fd, bytes(chunk[:20]))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StoreError, match="No space left on device"):
        log.append([Record(id="x", time=0.0, event="Stop", session="s")])
    monkeypatch.undo()
    log.append([Record(id="00000009", time=9.0, event="Stop", session="s")])
    log.close()

    assert [(r.records, r.bad) for r in verify(tmp_path)] == [(4, None)]


def test_a_line_longer_than_the_first_look_is_found_when_going_on(tmp_path):
    log = EventLog(tmp_path)
    for n in range(3):
        body = {"x": "y" * 200_000}
        log.append([Record(id=str(n), time=0.0, event="Stop", session="s", input=body)])
    log.close()
    write(tmp_path, 3, 4)

    assert [(r.records, r.bad) for r in verify(tmp_path)] == [(4, None)]


def test_several_daemons_have_streams_of_their_own(tmp_path):
    first, second = EventLog.own(tmp_path), EventLog.own(tmp_path)
    assert (first.stream, second.stream) == ("daemon", "daemon-2")
    first.close()
    third = EventLog.own(tmp_path)
    assert third.stream == "daemon"
    second.close()
    third.close()


def test_streams_are_read_together_in_the_order_of_time(tmp_path):
    write(tmp_path, 0, 10)
    write(tmp_path, 5, 12, stream="direct")

    everything = list(records(tmp_path))
    assert [record.time for record in everything] == sorted(record.time for record in everything)
    assert ids(records(tmp_path, RecordQuery(session="s1", since=6))) == [7, 7, 9, 9, 11]
    assert ids(latest(everything, 2)) == [10, 11]


def test_a_follower_sees_what_comes_and_nothing_before(tmp_path):
    write(tmp_path, 0, 3)
    following = Follower(tmp_path)
    write(tmp_path, 3, 5, segment_bytes=600)
    write(tmp_path, 5, 6, stream="direct")

    assert ids(following.more()) == [3, 4, 5]
    assert following.more() == []


def test_a_clock_that_goes_backwards_breaks_nothing(tmp_path):
    log = EventLog(tmp_path)
    for time in (100.0, 50.0, 75.0):
        log.append([Record(id=str(time), time=time, event="Stop", session="s")])
    log.close()

    assert verify(tmp_path)[0].bad is None
    assert len(list(records(tmp_path))) == 3
