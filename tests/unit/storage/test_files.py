"""Files are the old ones or the new ones, whole, and their owner's alone."""

import errno
import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from snaphook.storage import files, lock
from snaphook.storage.appending import AppendOnly
from snaphook.storage.folders import make_private
from snaphook.storage.logs import append_text


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def synced(monkeypatch):
    """Return what was synced, in order: folders by name, files as such."""
    seen = []
    real = os.fsync

    def fsync(fd):
        seen.append("folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "file")
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    return seen


def test_a_replaced_file_is_synced_before_the_rename_and_its_folder_after(tmp_path, synced):
    files.replace(tmp_path / "a", b"old")
    files.replace(tmp_path / "a", b"new")

    assert synced == ["file", "folder"] * 2
    assert (tmp_path / "a").read_bytes() == b"new"
    assert mode(tmp_path / "a") == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_replace_that_fails_leaves_the_old_file_and_no_draft(tmp_path, monkeypatch):
    files.replace(tmp_path / "a", b"old")

    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.replace(tmp_path / "a", b"new")

    assert (tmp_path / "a").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_of_two_who_create_a_file_the_first_wins(tmp_path):
    assert files.create(tmp_path / "a", b"first")
    assert not files.create(tmp_path / "a", b"second")
    assert (tmp_path / "a").read_bytes() == b"first"


def test_a_line_after_a_torn_one_stands_alone(tmp_path):
    (tmp_path / "log").write_bytes(b"whole\ntor")

    files.append_line(tmp_path / "log", b"next")

    assert (tmp_path / "log").read_bytes() == b"whole\ntor\nnext\n"


@pytest.fixture
def halfway(monkeypatch):
    """Have the line "first" stop after two bytes, as at the end of a page, until told to go on or fail."""
    stopped, go, fails = threading.Event(), threading.Event(), threading.Event()
    real = files.write_all

    def write_all(fd, raw):
        if raw != b"first\n":
            return real(fd, raw)
        real(fd, raw[:2])
        stopped.set()
        assert go.wait(20)
        if fails.is_set():
            raise OSError(errno.ENOSPC, "full")
        return real(fd, raw[2:])

    monkeypatch.setattr(files, "write_all", write_all)
    return stopped, go, fails


@pytest.mark.parametrize(
    ("cut_short", "expected"),
    [
        pytest.param(False, b"first\nsecond\n", id="finished"),
        pytest.param(True, b"fi\nsecond\n", id="cut short"),
    ],
)
def test_a_line_that_is_being_written_is_not_taken_for_a_torn_one(
    cut_short, expected, tmp_path, halfway
):
    stopped, go, fails = halfway
    log = tmp_path / "log"
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(files.append_line, log, b"first")
        assert stopped.wait(20)
        second = pool.submit(files.append_line, log, b"second")
        with pytest.raises(TimeoutError):
            second.result(0.2)
        if cut_short:
            fails.set()
        go.set()
        second.result(20)
        assert isinstance(first.exception(20), OSError) is cut_short

    assert log.read_bytes() == expected


def test_a_writer_that_never_goes_on_does_not_stop_the_others(tmp_path, halfway, monkeypatch):
    stopped, go, _ = halfway
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    log = tmp_path / "log"
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(files.append_line, log, b"first")
        assert stopped.wait(20)
        files.append_line(log, b"second")
        kept = log.read_bytes()
        go.set()
        first.result(20)

    assert kept == b"fi\nsecond\n"


def test_a_file_system_without_locks_takes_lines_all_the_same(tmp_path, monkeypatch):
    def refuse(fd, *, shared):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(lock, "_seize", refuse)

    files.append_line(tmp_path / "log", b"line")

    assert (tmp_path / "log").read_bytes() == b"line\n"


def test_missing_folders_are_made_private_all_the_way(tmp_path):
    before = os.umask(0o022)
    try:
        make_private(tmp_path / "a" / "b")
    finally:
        os.umask(before)

    assert [mode(tmp_path / "a"), mode(tmp_path / "a" / "b")] == [0o700, 0o700]


def test_a_file_that_is_had_alone_is_had_by_nobody_else(tmp_path):
    first = AppendOnly(tmp_path / "log", alone=True)

    with pytest.raises(BlockingIOError):
        AppendOnly(tmp_path / "log", alone=True)
    first.close()
    AppendOnly(tmp_path / "log", alone=True).close()


def test_nothing_is_lost_that_is_appended_while_the_file_is_rewritten(tmp_path):
    path = tmp_path / "lines"
    over = threading.Event()

    def rewriting():
        while not over.is_set():
            files.rewrite(path, bytes)

    with ThreadPoolExecutor(5) as pool:
        rewriter = pool.submit(rewriting)
        written = [f"{number}".encode() for number in range(800)]
        list(pool.map(lambda line: files.append_line(path, line), written))
        over.set()
        rewriter.result()

    assert sorted(path.read_bytes().split()) == sorted(written)


def test_a_file_that_another_process_appends_to_is_not_rewritten(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "PATIENCE", 0.01)
    path = tmp_path / "lines"
    files.append_line(path, b"one")
    fd = os.open(path, os.O_RDWR)
    with lock.locked_open_file(fd, patience=0):
        assert not files.rewrite(path, lambda _: b"")
    os.close(fd)

    assert not files.rewrite(tmp_path / "gone", bytes)
    assert path.read_bytes() == b"one\n"


def test_a_text_log_is_rotated_between_two_writes_and_loses_none(tmp_path):
    log = tmp_path / "new" / "hooks.log"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: append_text(log, f"{n:04}\n", most=3000), range(1000)))

    kept = (log.with_suffix(".old").read_text() + log.read_text()).split()
    assert kept == sorted(set(kept), key=kept.index)
    assert set(kept) == {f"{n:04}" for n in range(1000)}
    assert mode(log) == mode(log.with_suffix(".old")) == 0o600
