"""Whatever is typed, the guard answers: it never raises, never fails inside, never hangs.

`make fuzz` runs a million inputs: SNAPHOOK_FUZZ=1000000. A failure names its seed, and
`next(inputs(SEED, 1))` brings the input back.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

import pytest
from tests.corpus.guard_world import world
from tests.fuzz.generate import inputs
from tests.thorough import thorough

from snaphook.providers.guard.examine import examine

INPUTS = int(os.environ.get("SNAPHOOK_FUZZ", thorough(20_000, 6_000)))
SLICES = 8
PATIENCE = 20
"""Seconds after which one input counts as a hang; generous, since machines are slow at times."""


class HangError(BaseException):
    """One input took longer than anyone would wait. Not an Exception: the guard must not catch it."""


@contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Break off whatever runs longer than *seconds*."""

    def ring(number: int, frame: FrameType | None) -> NoReturn:
        raise HangError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", range(SLICES))
def test_every_input_is_answered(part):
    failed = []
    each = INPUTS // SLICES
    for seed, command in inputs(part * each, each):
        try:
            with patience(PATIENCE):
                rule = examine(command, world()).rule
        except HangError:
            rule = "hang"
        if rule in ("failure", "hang"):
            failed.append(f"  seed {seed}: {rule}: {command!r}")

    assert failed == [], "\n".join(["", *failed[:20]])
