"""doctor says which client answers, and whether a daemon runs."""

import pytest

from snaphook.cli.doctor import way
from snaphook.daemon.control import DaemonStatus

RUNNING = DaemonStatus(pid=7, version="1.0", up_seconds=1, served=3, projects=1, rss_mb=30)


@pytest.mark.parametrize(
    ("called", "daemon", "said"),
    [
        (
            ("/opt/snaphook-hook",),
            RUNNING,
            "Client: native (/opt/snaphook-hook). Daemon: pid 7, version 1.0, 3 calls answered.",
        ),
        (
            ("/opt/snaphook", "hook"),
            None,
            (
                "Client: in Python (no C compiler when it was built). "
                "Daemon: not running; the next call starts it."
            ),
        ),
    ],
)
def test_the_way_of_a_call_is_told(called, daemon, said):
    assert way(called, daemon) == said
