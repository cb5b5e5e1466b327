"""A real daemon sees that a host's settings were emptied, puts our hooks back, and records it."""

import sys
import time

import pytest
from tests.faults.nursery import ALLOWED, Nursery

from snaphook.config import Environment
from snaphook.daemon.wired_files import EVENT
from snaphook.hosts import host_named
from snaphook.hosts.install import InstallLedger, Scope, apply, wire
from snaphook.hosts.install.drift import missing
from snaphook.stores.eventlog.read import records

pytestmark = [
    pytest.mark.needs("cc", "native-client"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]


def test_hooks_that_an_agent_empties_are_back_within_seconds():
    nursery = Nursery()
    try:
        around = Environment.here(nursery.project, nursery.env)
        settings = nursery.home / ".claude" / "settings.json"
        host = host_named("claude-code")
        changes = wire(host, scope=Scope.USER, around=around, root=nursery.project)
        apply(changes, InstallLedger(around.shared_dir / "installed"))
        left = settings.read_text()
        nursery.start()
        assert nursery.call(ALLOWED) == "silence"

        settings.write_text("{}\n")

        until = time.monotonic() + 60
        while missing(left, settings.read_text()) and time.monotonic() < until:
            time.sleep(0.1)
        assert missing(left, settings.read_text()) == []
        nursery.close_gently()
        found = [one for one in records(nursery.record) if one.event == EVENT]
        assert [(one.by, one.input["restored"]) for one in found] == [("snaphook", True)]
    finally:
        nursery.close()
