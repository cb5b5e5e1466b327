"""What the tests saw of the real agents, written down for the docs and for ``doctor``.

facts of a run  ->  held against src/snaphook/hosts/verified.json, or written there

``make observe`` writes; every other run compares. So the docs' matrix says what a test saw, with version
and date, and a host that changes its mind fails a test.
"""

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any

from tests.hosts.conftest import INSTALLED

FILE = Path(__file__).parents[2] / "src/snaphook/hosts/verified.json"
RECORDING = "SNAPHOOK_OBSERVE"


def check(host: str, **facts: Any) -> None:
    """Compare what was seen of *host* with what is written down, or write it down."""
    if not os.environ.get(RECORDING):
        known = json.loads(FILE.read_text()).get(host, {})
        assert facts == {name: known.get(name) for name in facts}, "run: make observe"
        return
    with FILE.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # two workers record at once
        file.seek(0)
        known = json.loads(file.read() or "{}")
        entry = known.get(host, {}) | facts
        entry |= {"version": INSTALLED.VERSIONS[host], "date": time.strftime("%Y-%m-%d")}
        known[host] = dict(sorted(entry.items()))
        file.seek(0)
        file.truncate()
        file.write(json.dumps(dict(sorted(known.items())), indent=1) + "\n")
