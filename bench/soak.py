"""Whether memory stays flat over a million requests: some minutes, so only where it is asked for.

make bench ONLY=soak        SNAPHOOK_BENCH_REQUESTS=100000 for a shorter one
"""

import os

from bench.load import crowd, daemon
from bench.table import row, section

REQUESTS = int(os.environ.get("SNAPHOOK_BENCH_REQUESTS", "1000000"))
STEPS = 10
WARM = 20_000
"""Requests before memory is looked at first: until caches are full and threads are there."""


def main() -> None:
    """Ask, and look at the daemon's memory ten times on the way."""
    section(f"soak ({REQUESTS} requests)")
    with daemon() as asked:
        crowd(asked, WARM)
        before = asked.resident
        row("memory after warming up", before, "MB")
        for step in range(1, STEPS + 1):
            done = WARM + REQUESTS // STEPS * (step - 1)
            crowd(asked, REQUESTS // STEPS, done)
            grown = (asked.resident / before - 1) * 100
            row(f"grown after {REQUESTS * step // STEPS}", grown, "%", 5)
