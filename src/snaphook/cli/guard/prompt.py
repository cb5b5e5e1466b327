"""Ask a person for a secret at the terminal itself.

prompt  ->  /dev/tty, without echo  ->  what they typed

What helps against other processes of the same user is done here: nobody reads our memory, attaches to
us or opens the terminal while it waits; what was typed before the prompt is thrown away.
"""

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from snaphook.errors import TrustError
from snaphook.process.private import make_private, tracer
from snaphook.stores.overrides.override import OFFER_SECONDS

INJECTING = ("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "PYTHONPATH", "PYTHONHOME")
"""Variables that load other people's code into this process."""
LONGEST = 4096
_WHERE = "snaphook allow"


def read_secret(prompt: str) -> str:
    """Return what a person types at the terminal; a pipe does not take its place."""
    make_private()
    _refuse_listeners()
    with _terminal() as terminal:
        os.write(terminal, prompt.encode())
        try:
            _wait_for_answer(terminal)
            typed = os.read(terminal, LONGEST)
        finally:
            os.write(terminal, b"\n")
    return typed.rstrip(b"\r\n").decode(errors="surrogateescape")


def _wait_for_answer(terminal: int) -> None:
    # No longer than the daemon keeps the offer: a later answer would be refused, and a prompt in a
    # terminal that nobody looks at would wait for ever.
    if not select.select([terminal], [], [], OFFER_SECONDS)[0]:
        raise TrustError(
            where=_WHERE,
            what=f"nothing was typed within {OFFER_SECONDS:g} s",
            fix="Nothing was changed. Start again.",
        )


def _refuse_listeners() -> None:
    """Stop where code that is not ours could read what is typed."""
    if pid := tracer():
        raise TrustError(
            where=_WHERE,
            what=f"process {pid} traces this one and could read what you type",
            fix="Run it in a terminal that nothing traces.",
        )
    if name := next((one for one in INJECTING if os.environ.get(one)), ""):
        raise TrustError(
            where=_WHERE,
            what=f"{name} is set: code that it loads could read what you type",
            fix=f"Run: env -u {name} snaphook allow …",
        )


@contextmanager
def _terminal() -> Iterator[int]:
    """Open the terminal for us alone, without echo; leave it as it was."""
    import fcntl
    import termios

    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError:
        raise TrustError(
            where=_WHERE,
            what="there is no terminal to type the passphrase at",
            fix="Run it in your own terminal.",
        ) from None
    before = termios.tcgetattr(terminal)
    quiet = [*before[:3], before[3] & ~termios.ECHO | termios.ICANON, *before[4:]]
    try:
        with suppress(OSError):  # from here on nobody else opens it; who has it open keeps it
            fcntl.ioctl(terminal, termios.TIOCEXCL)
        # TCSAFLUSH throws away what was typed, or pushed with TIOCSTI, before the prompt.
        termios.tcsetattr(terminal, termios.TCSAFLUSH, quiet)
        yield terminal
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
        with suppress(OSError):
            fcntl.ioctl(terminal, termios.TIOCNXCL)
        os.close(terminal)
        sys.stdout.flush()
