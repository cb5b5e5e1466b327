"""A record that was removed, rolled back or replaced shows, whoever seals it afterwards."""

import logging
import shutil

import pytest
from tests.unit.stores.eventlog.test_trail import (  # noqa: F401 - fixtures
    NOW,
    checked,
    folder,
    names,
    sealed,
    trail,
    write,
)

from snaphook.stores.eventlog import EventLog, Record
from snaphook.stores.eventlog.log import HARMED
from snaphook.stores.eventlog.read import RecordQuery, records
from snaphook.stores.eventlog.trail.check import check
from snaphook.stores.eventlog.trail.finding import Attack


def resealed(trail):  # noqa: F811
    trail.seal(now=NOW + 100)
    trail.copy()


@pytest.mark.parametrize("elsewhere", [True, False], ids=["second place", "journal alone"])
def test_a_stream_that_was_removed_and_sealed_again_is_found(sealed, folder, elsewhere):  # noqa: F811
    shutil.rmtree(folder / "daemon")
    write(folder, range(100, 103))
    resealed(sealed)

    found = checked(sealed, elsewhere=elsewhere)

    assert Attack.RESTARTED in names(found)


def test_all_streams_with_the_journal_removed_show_against_the_second_place(sealed, folder):  # noqa: F811
    shutil.rmtree(folder)
    write(folder, range(100, 103))
    resealed(sealed)

    found = check(folder, sealed.elsewhere(), keys=sealed.keys())

    assert all(Attack.RESTARTED in [one.attack for one in each.findings] for each in found)
    assert not any(each.complete_to and each.elsewhere and not each.findings for each in found)


def test_a_record_put_back_to_an_older_state_is_found(sealed, folder, tmp_path):  # noqa: F811
    shutil.copytree(folder, tmp_path / "older")
    write(folder, range(10, 20))
    resealed(sealed)
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "older", folder)
    assert names(checked(sealed)), "before anything is sealed again"

    write(folder, range(20, 40))
    sealed.seal(now=NOW + 200)
    sealed.copy()

    assert Attack.RESTARTED in names(checked(sealed))


def test_the_same_checkpoint_copied_twice_is_no_attack(sealed, folder):  # noqa: F811
    for mark in folder.glob("*/.seals-taken-*"):
        mark.unlink()
    sealed.copy()

    assert names(checked(sealed)) == []


def record(n, verdict=None):
    return Record(id=f"r{n}", time=NOW + n, event="PreToolUse", session="s", verdict=verdict)


def remove(segment, tmp_path):
    segment.unlink()


def remove_folder(segment, tmp_path):
    shutil.rmtree(segment.parent)


def move_away(segment, tmp_path):
    segment.rename(tmp_path / "moved")


def put_another(segment, tmp_path):
    (tmp_path / "other").write_bytes(segment.read_bytes()[:200])
    (tmp_path / "other").replace(segment)


@pytest.mark.parametrize("harm", [remove, remove_folder, move_away, put_another])
def test_a_segment_taken_from_under_the_writer_is_restored_and_told(harm, tmp_path, caplog):
    log = EventLog(tmp_path / "log")
    log.append([record(n, "deny") for n in range(3)])
    [segment] = (tmp_path / "log/daemon").glob("*.log")
    harm(segment, tmp_path)
    with caplog.at_level(logging.WARNING):
        log.append([record(3, "deny")])
        log.append([record(4, "deny")])
    log.close()

    kept = list(records(tmp_path / "log", RecordQuery()))
    assert [one.id for one in kept if one.event != HARMED] == ["r0", "r1", "r2", "r3", "r4"]
    assert len([one for one in kept if one.event == HARMED]) == 1
    assert "snaphook audit verify" in caplog.text
    assert all(each.intact for each in check(tmp_path / "log"))


def test_a_segment_shortened_under_the_writer_is_told_and_does_not_verify(tmp_path, caplog):
    log = EventLog(tmp_path / "log")
    log.append([record(n, "deny") for n in range(3)])
    [segment] = (tmp_path / "log/daemon").glob("*.log")
    with segment.open("r+b") as file:
        file.truncate(200)
    log.append([record(3, "deny")])
    log.append([record(4, "deny")])
    log.close()

    assert caplog.text.count("the file was shortened") == 1
    assert not all(each.intact for each in check(tmp_path / "log"))
