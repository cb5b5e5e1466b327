"""Single keys from a terminal, which is left as it was found, whatever ends us.

bytes  ->  "q", "esc", "up", … or nothing within so many seconds
"""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType

SEQUENCES = {"\x1b": "esc", "\x1b[A": "up", "\x1b[B": "down", "\x04": "end", "": "end"}
"""What arrives as more than a letter; any other sequence is no key of ours."""
LONGEST = 64


@contextlib.contextmanager
def keyboard() -> Iterator[Callable[[float], str]]:
    """Return what waits so many seconds for a key and returns its name, or nothing.

    Ctrl-C, a closed terminal and a signal to end are the key ``end``; a window that changes its size
    ends the wait.
    """
    import termios
    import tty

    terminal = sys.stdin.fileno()
    told: list[str] = []
    near, far = os.pipe()
    os.set_blocking(far, False)

    def hear(number: int, _: FrameType | None) -> None:
        if number != signal.SIGWINCH:
            told.append("end")

    def key(seconds: float) -> str:
        ready, _, _ = select.select([terminal, near], [], [], seconds if not told else 0)
        if near in ready:
            os.read(near, LONGEST)
        if told:
            return told.pop(0)
        if terminal not in ready:
            return ""
        return _named(os.read(terminal, LONGEST).decode(errors="replace"), told)

    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGWINCH)
    handlers = {number: signal.signal(number, hear) for number in signals}
    woken = signal.set_wakeup_fd(far, warn_on_full_buffer=False)
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield key
    finally:
        with contextlib.suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        signal.set_wakeup_fd(woken)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        os.close(near)
        os.close(far)


def _named(typed: str, waiting: list[str]) -> str:
    """Return the first key of *typed* and leave the others, which came at once, in *waiting*."""
    if typed in SEQUENCES:
        return SEQUENCES[typed]
    if typed.startswith("\x1b"):
        return ""  # a key that we have no use for
    waiting += [SEQUENCES.get(each, each) for each in typed[1:]]
    return SEQUENCES.get(typed[0], typed[0])
