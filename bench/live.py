"""The live feed at 500 events a second: everything arrives, soon, and the server has time left.

a process that records  ->  segments  ->  snaphook ui  ->  a client and a browser that follow the feed
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct
from tests.web.chromium import missing, program
from tests.web.sample import records, write_record

from bench.table import row, section

if TYPE_CHECKING:
    from playwright.sync_api import Page

RATE = 500
SECONDS = 20
BEHIND = 30.0
"""Seconds after which what has not arrived is taken for lost."""
WRITES = """
import sys, time
from pathlib import Path
from snaphook.stores.eventlog import EventLog, Record, RecordedAnswer

folder, rate, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
log = EventLog(folder, stream="daemon")
began, number = time.time(), 0
while number < rate * seconds:
    due = min(int((time.time() - began) * rate), int(rate * seconds))
    log.append([
        Record(id=f"live-{n:08}", time=time.time(), event="PreToolUse", session=f"live-{n % 40}",
               host="claude-code", agent="main", project="/home/ada/shop-api", tool="Bash",
               input={"tool_args": {"command": f"pytest -q tests/test_{n}.py"}},
               verdict="deny" if n % 50 == 0 else None, reason="because" if n % 50 == 0 else None,
               answers=(RecordedAnswer(by="guard", duration_ms=0.2),), duration_ms=0.9)
        for n in range(number, due)
    ])
    number = due
    time.sleep(0.02)
log.close()
"""


class Followed(Struct):
    """What a client of the feed was told, and how long after it was recorded."""

    lags: list[float] = []
    count: int = 0
    skipped: int = 0

    def hear(self, event: dict[str, object]) -> None:
        """Take note of one event of the stream."""
        now = time.time()
        moments = re.findall(
            r'data-id="live-\d+".*?datetime="([^"]+)"', str(event["rows"]), re.DOTALL
        )
        self.lags += [now - _epoch(moment) for moment in moments]
        self.count += int(str(event["count"]))
        self.skipped += int(str(event["skipped"]))


def main() -> None:
    """Record at RATE while a client follows, and tell what arrived when."""
    section(f"live feed ({RATE} events/s for {SECONDS} s, 'snaphook ui' over SQLite)")
    with tempfile.TemporaryDirectory(prefix="sh-bench-") as name:
        env = {**os.environ, "HOME": name, "XDG_RUNTIME_DIR": name, "SNAPHOOK_NO_DAEMON": "1"}
        env.pop("XDG_DATA_HOME", None)
        folder = Path(name) / ".local/share/snaphook/log"
        write_record(folder, list(records(time.time(), sessions=40)))
        ui = subprocess.Popen(
            [sys.executable, "-m", "snaphook", "ui", "--port", "0", "--no-open"],
            env=env,
            cwd=name,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert ui.stdout is not None
        try:
            _measure(ui.pid, ui.stdout.readline().split()[-1], folder)
        finally:
            ui.terminate()
            ui.wait(10)


def _measure(pid: int, address: str, folder: Path) -> None:
    heard = Followed()
    wanted = RATE * SECONDS
    following = Thread(target=_follow, args=(address, heard, wanted), daemon=True)
    following.start()
    with _screen(address) as screen:
        time.sleep(2)  # the page is open and its first copy made
        idle = screen.busy() if screen else 0.0
        busy, began = cpu(pid), time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", WRITES, str(folder), str(RATE), str(SECONDS)], check=True
        )
        took = time.perf_counter() - began
        following.join(BEHIND)
        used = cpu(pid) - busy
        seen = screen.seen(wanted) if screen else {}
        busy_page = 100 * (screen.busy() - idle) / took if screen else 0.0
    *_, p99 = hundredths = quantiles(heard.lags, n=100)
    row("recorded", wanted / took, "/s")
    row("told of, of all that was recorded", 100 * heard.count / wanted, "%", 100, floor=True)
    row("rows delivered; the rest is a number on the page", len(heard.lags), "")
    row("lag from the record to the client, p50", hundredths[49] * 1e3, "ms", 1000)
    row("lag from the record to the client, p99", p99 * 1e3, "ms", 2000)
    if used:
        row("processor of the dashboard, of one core", 100 * used / took, "%", 60)
    if seen:
        row("Chromium: told of, of all that was recorded", seen["told"], "%", 100, floor=True)
        row("Chromium: rows on the page at the end", seen["rows"], "", 300)
        row("Chromium: time in which the page is busy, of all", busy_page, "%", 60)
        row("Chromium: memory of the page's scripts at the end", seen["heap"], "MB", 64)


class Screen:
    """The feed in a real browser."""

    def __init__(self, page: "Page") -> None:
        self._page = page
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("Performance.enable")

    def busy(self) -> float:
        """Return the seconds in which the page's own thread could not have answered a key."""
        told = self._devtools.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in told if one["name"] == "TaskDuration"))

    def seen(self, wanted: int) -> dict[str, float]:
        """Return what the page was told, and how large it is."""
        self._page.wait_for_timeout(1000)
        told: dict[str, float] = self._page.evaluate(
            "({ told: Number(document.getElementById('feed').dataset.heard),"
            " rows: document.querySelectorAll('.row').length,"
            " heap: performance.memory.usedJSHeapSize / 1e6 })"
        )
        return {**told, "told": 100 * told["told"] / wanted}


@contextmanager
def _screen(address: str) -> Iterator[Screen | None]:
    """Open the feed, where there is a browser."""
    if missing():
        print(f"(no browser: {missing()})")
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{address}feed")
        page.wait_for_selector("#feed-state[data-state=live]")
        yield Screen(page)
        chromium.close()


def _follow(address: str, heard: Followed, wanted: int) -> None:
    """Read the stream as a browser does, until everything was told."""
    parts = urlsplit(address)
    line = HTTPConnection(str(parts.hostname), parts.port, timeout=BEHIND)
    line.request("GET", "/feed/stream")
    answer = line.getresponse()
    while heard.count < wanted and (said := answer.readline()):
        if said.startswith(b"data: {") and said.strip() != b"data: {}":
            heard.hear(json.loads(said[6:]))


def cpu(pid: int) -> float:
    """Return the processor seconds of *pid*; nothing where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _epoch(moment: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(moment).timestamp()
