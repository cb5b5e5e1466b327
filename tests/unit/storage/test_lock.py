"""A lock is held until it is released or its holder is dead, whoever forks meanwhile."""

import os
import signal
import warnings

import pytest

from snaphook.storage.lock import holder, is_held, take


def taken(path, **how):
    held = take(path, **how)
    assert held is not None
    return held


def forked(do):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        try:
            do()
        finally:
            os._exit(0)
    return pid


def test_one_at_a_time_and_many_shared(tmp_path):
    path = tmp_path / "lock"
    with taken(path) as alone:
        assert alone.is_in_place
        assert is_held(path)
        assert take(path) is None
        assert take(path, shared=True) is None
    first, second = take(path, shared=True), take(path, shared=True)
    assert first is not None
    assert second is not None
    assert take(path) is None
    first.release()
    second.release()
    assert not is_held(path)


def test_who_holds_it_can_be_asked(tmp_path):
    with taken(tmp_path / "lock", signed=True):
        assert (holder(tmp_path / "lock") or {})["pid"] == os.getpid()


def test_a_killed_holder_leaves_no_lock(tmp_path):
    read, write = os.pipe()

    def hold():
        held = take(tmp_path / "lock")
        os.write(write, b"held" if held else b"none")
        signal.pause()

    pid = forked(hold)
    assert os.read(read, 4) == b"held"
    assert is_held(tmp_path / "lock")
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)

    assert not is_held(tmp_path / "lock")


def test_a_forked_child_neither_frees_the_lock_nor_keeps_it(tmp_path):
    held = take(tmp_path / "lock")
    assert held is not None
    os.waitpid(forked(held.release), 0)
    assert is_held(tmp_path / "lock")

    child = forked(signal.pause)
    held.release()
    assert not is_held(tmp_path / "lock")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_a_lock_file_that_was_replaced_is_not_in_place(tmp_path):
    with taken(tmp_path / "lock") as held:
        (tmp_path / "lock").unlink()
        assert not held.is_in_place
        (tmp_path / "lock").touch()
        assert not held.is_in_place


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_the_lock_file_has_the_permissions_asked_for(tmp_path, mode):
    before = os.umask(0o022)
    try:
        taken(tmp_path / "lock", mode=mode).release()
    finally:
        os.umask(before)
    assert (tmp_path / "lock").stat().st_mode & 0o777 == mode
