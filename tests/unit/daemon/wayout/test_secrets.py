"""Passphrases and codes: kept well, guessed seldom."""

import os
import subprocess
import sys

import pytest

from snaphook.daemon.wayout.secrets import (
    CODE_GUESSES,
    CODE_SECONDS,
    FIRST_WAIT,
    FREE_GUESSES,
    Codes,
    Guesses,
    hashed,
    load,
    store,
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_passphrase_is_kept_hashed_for_its_owner_alone(tmp_path):
    path = tmp_path / "snaphook" / "passphrase"
    store(path, hashed("correct horse"))

    found = load(path)

    assert found is not None
    assert [found.hashed.fits(said) for said in ("correct horse", "Correct horse")] == [True, False]
    assert path.stat().st_mode & 0o777 == 0o600
    assert b"horse" not in path.read_bytes()
    assert load(tmp_path / "none") is None


def test_a_link_is_not_a_passphrase(tmp_path):
    store(tmp_path / "real", hashed("correct horse"))
    (tmp_path / "link").symlink_to(tmp_path / "real")

    with pytest.raises(OSError, match="symbolic"):
        load(tmp_path / "link")


def test_wrong_guesses_cost_a_wait_that_doubles():
    clock = Clock()
    guesses = Guesses(clock)
    waits = []
    for _ in range(FREE_GUESSES + 2):
        guesses.wrong()
        waits.append(guesses.wait)

    assert waits == [0.0] * (FREE_GUESSES - 1) + [FIRST_WAIT, FIRST_WAIT * 2, FIRST_WAIT * 4]
    clock.now = FIRST_WAIT * 4
    assert guesses.wait == 0.0


def test_a_code_counts_once_for_its_own_stop():
    codes = Codes(Clock())
    code = codes.make(1)
    other = codes.make(2)

    assert not codes.take(2, code)
    assert codes.take(1, code.lower().replace("-", ""))
    assert not codes.take(1, code)
    assert codes.take(2, other)


def test_a_code_is_gone_after_a_while_or_a_few_wrong_guesses():
    clock = Clock()
    codes = Codes(clock)
    late, guessed = codes.make(1), codes.make(2)

    for _ in range(CODE_GUESSES):
        assert not codes.take(2, "AAAA-AAA1")
    assert not codes.take(2, guessed)
    clock.now = CODE_SECONDS
    assert not codes.take(1, late)


_CLOSED = """
import contextlib, ctypes, os
from snaphook.daemon.wayout.closed import keep_to_oneself

libc = ctypes.CDLL(None, use_errno=True)
if os.getuid() == 0:  # root may look at everything: be somebody else
    with contextlib.suppress(PermissionError):
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)

def looked_at(closed):
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        libc.prctl(4, 1, 0, 0, 0)
        if closed:
            keep_to_oneself()
        os.write(ready[1], b"!")
        os.read(go[0], 1)
        os._exit(0)
    os.read(ready[0], 1)
    seen = []
    with contextlib.suppress(PermissionError):
        open(f"/proc/{child}/mem", "rb").close()
        seen.append("read")
    if libc.ptrace(16, child, 0, 0) == 0:
        seen.append("attached")
        os.waitpid(child, 0)
        libc.ptrace(17, child, 0, 0)
    os.write(go[1], b"!")
    os.waitpid(child, 0)
    return "+".join(seen) or "nothing"

print(looked_at(False), looked_at(True))
"""


@pytest.mark.req("BB-PT-8")
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_process_of_the_same_user_looks_into_the_daemons_memory(give_up):
    done = subprocess.run(
        [sys.executable, "-c", _CLOSED], capture_output=True, text=True, check=True, env=os.environ
    )

    before, after = done.stdout.split()
    if before == "nothing":
        give_up("this system lets no process look at another: there is nothing to prove")
    assert after == "nothing"
