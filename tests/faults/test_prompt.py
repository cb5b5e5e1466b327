"""A prompt for a passphrase that nobody answers ends, and leaves the terminal as it was."""

import os
import pty
import sys

import pytest

_PROMPT = """
import termios
from snaphook.cli.guard import prompt
from snaphook.errors import TrustError
prompt.OFFER_SECONDS = 0.2
before = termios.tcgetattr(0)
try:
    print("typed", prompt.read_secret("Passphrase: "))
except TrustError as problem:
    print(problem)
print("as it was", termios.tcgetattr(0) == before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of POSIX")
@pytest.mark.timeout(60)
def test_a_prompt_that_nobody_answers_ends():
    pid, end = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-I", "-c", _PROMPT])

    seen = b""
    while b"as it was" not in seen:  # ends with the test's own limit if the prompt waits forever
        seen += os.read(end, 65536)
    os.waitpid(pid, 0)
    os.close(end)

    assert b"nothing was typed within 0.2 s" in seen
    assert b"as it was True" in seen
