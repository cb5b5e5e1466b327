"""The record: appended, chained, found out when touched."""

import os
import signal
import subprocess
import sys

import pytest

from snaphook.errors import StoreError
from snaphook.stores.eventlog import Bad, ChainReport, Durability, EventLog, Record, verify


def record(number, verdict=None):
    return Record(
        id=f"{number:026}", time=float(number), event="PreToolUse", session="s", verdict=verdict
    )


def written(folder, count=5, **options):
    log = EventLog(folder, **options)
    for number in range(count):
        log.append([record(number)])
    log.close()
    return sorted((folder / log.stream).glob("*.log"))


def edit(path, change):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(change(lines)))


def test_what_was_appended_verifies(tmp_path):
    written(tmp_path)
    [report] = verify(tmp_path)

    assert report == ChainReport(stream="daemon", records=5, head=report.head)


def test_a_log_goes_on_where_it_stopped(tmp_path):
    written(tmp_path, 3)
    written(tmp_path, 2)

    assert [(r.records, r.bad) for r in verify(tmp_path)] == [(5, None)]


def test_a_full_segment_is_followed_by_another_in_one_chain(tmp_path):
    segments = written(tmp_path, 50, segment_bytes=2000)

    assert len(segments) > 3
    assert [(r.records, r.bad) for r in verify(tmp_path)] == [(50, None)]


@pytest.mark.parametrize(
    ("change", "line", "what"),
    [
        pytest.param(
            lambda ls: [*ls[:2], ls[2].replace(b"PreToolUse", b"PostToolUse"), *ls[3:]],
            3,
            "was changed",
            id="edited",
        ),
        pytest.param(
            lambda ls: [*ls[:2], *ls[3:]], 3, "does not follow the line before it", id="deleted"
        ),
        pytest.param(
            lambda ls: [*ls[:2], ls[3], ls[2], *ls[4:]],
            3,
            "does not follow the line before it",
            id="reordered",
        ),
        pytest.param(
            lambda ls: [*ls[:2], ls[1], *ls[2:]],
            3,
            "does not follow the line before it",
            id="inserted",
        ),
        pytest.param(
            lambda ls: [*ls[:2], b"hello\n", *ls[2:]], 3, "is not a line of the record", id="noise"
        ),
    ],
)
def test_a_touched_record_is_found_and_named(change, line, what, tmp_path):
    [segment] = written(tmp_path)
    edit(segment, change)
    [report] = verify(tmp_path)

    assert report.bad == Bad(file=str(segment), line=line, what=what)


def test_a_body_redacted_in_the_open_keeps_the_chain(tmp_path):
    [segment] = written(tmp_path)
    edit(segment, lambda ls: [*ls[:2], ls[2][:130] + b'{"redacted":"gdpr"}\n', *ls[3:]])

    assert [(r.records, r.redacted, r.bad) for r in verify(tmp_path)] == [(5, 1, None)]


@pytest.mark.parametrize("torn", [b"half a li", b"half\n", b"a" * 64 + b" " + b"b" * 64 + b" {}\n"])
def test_a_torn_tail_is_cut_and_kept_aside_and_the_chain_goes_on(torn, tmp_path):
    [segment] = written(tmp_path, 3)
    with segment.open("ab") as file:
        file.write(torn)
    written(tmp_path, 2)

    assert [(r.records, r.bad) for r in verify(tmp_path)] == [(5, None)]
    assert segment.with_suffix(".torn").read_bytes() == torn


def test_a_stream_has_one_writer_at_a_time(tmp_path):
    first = EventLog(tmp_path)
    script = (
        "import sys, pathlib; from snaphook.stores.eventlog import EventLog;"
        "from snaphook.errors import StoreError\n"
        "try: EventLog(pathlib.Path(sys.argv[1]), patience=0.05)\n"
        "except StoreError as e: print(e)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True
    )
    first.close()

    assert "another process is writing this stream" in done.stdout


def test_a_stop_is_on_disk_before_append_returns(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(fd))
    log = EventLog(tmp_path, durability=Durability.NONE)
    synced.clear()

    log.append([record(1)])
    assert synced == []
    log.append([record(2, verdict="deny")])
    assert len(synced) == 1
    log.close()


def test_a_writer_killed_in_mid_append_leaves_a_record_that_verifies(tmp_path):
    script = (
        "import sys, pathlib, itertools; from snaphook.stores.eventlog import EventLog, Record\n"
        "log = EventLog(pathlib.Path(sys.argv[1]))\n"
        "for n in itertools.count():\n"
        "    log.append([Record(id=str(n), time=0.0, event='Stop', session='s', verdict='block')])\n"
        "    print(n, flush=True)"
    )
    promised = 0
    for _ in range(5):
        writer = subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        for _ in range(20):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        promised += 20 + len(writer.stdout.readlines())
        writer.stdout.close()
    written(tmp_path, 0)
    [report] = verify(tmp_path)

    assert report.bad is None
    assert report.records >= promised


def test_a_folder_that_cannot_be_written_is_told_in_words(tmp_path):
    (tmp_path / "daemon").write_text("a file where the folder should be")

    with pytest.raises(StoreError, match="cannot be written"):
        EventLog(tmp_path)
