"""``snaphook ui`` and ``snaphook top``: started, asked, ended."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from urllib.request import urlopen

import pytest
from tests.unit.web.dashboards import desk_at
from tests.web.sample import records

PROGRAM = [sys.executable, "-m", "snaphook"]


@pytest.fixture
def home(tmp_path):
    dashboard = desk_at(tmp_path, list(records(time.time(), sessions=6)))
    dashboard.close()
    return {**os.environ, **dashboard.around.env, "COLUMNS": "80"}


@pytest.mark.req("SQ-14")
def test_the_dashboard_says_where_it_is_takes_a_free_port_and_ends_when_told(home, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ui = subprocess.Popen(
            [*PROGRAM, "ui", "--port", str(port), "--no-open"],
            env=home,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert ui.stdout is not None
        address = ui.stdout.readline().split()[-1]
        with urlopen(address, timeout=20) as answer:
            status = answer.status
        ui.send_signal(signal.SIGINT)
        _, complaints = ui.communicate(timeout=20)
    assert (status, complaints) == (200, "")
    assert address.startswith("http://127.0.0.1:")
    assert not address.endswith(f":{port}/")


def test_top_prints_one_picture_of_80_columns_where_nobody_watches(home, tmp_path):
    done = subprocess.run(
        [*PROGRAM, "top"], env=home, cwd=tmp_path, capture_output=True, text=True, check=True
    )

    lines = done.stdout.splitlines()
    assert lines[0].startswith("snaphook top")
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24
    assert "events/s" in done.stdout


def test_top_tells_programs_the_same(home, tmp_path):
    done = subprocess.run(
        [*PROGRAM, "top", "--json"], env=home, cwd=tmp_path, capture_output=True, check=True
    )

    told = json.loads(done.stdout)
    assert told["sessions"] >= 1
    assert {"events_per_second", "stopped_last_hour", "pace", "lines"} <= set(told)
