"""Every host has its page, its samples and its place in the list."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from snaphook.hosts import HOSTS, Host, host_named
from snaphook.hosts.table import WITHOUT_SETTINGS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_has_a_page_with_something_worth_knowing(name):
    page = (ROOT / f"docs/how-to/hosts/{name}.md").read_text(encoding="utf-8")

    assert page.startswith(f"# {host_named(name).TITLE}\n")
    assert "## Worth knowing\n\n- " in page


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_is_named_after_itself_and_placed_where_init_expects_it(name):
    host = host_named(name)

    assert name == host.NAME
    assert (host.PLACEMENT is None) is (name in WITHOUT_SETTINGS)


@pytest.mark.parametrize("name", HOSTS)
def test_only_events_the_host_has_are_wired(name):
    placement = host_named(name).PLACEMENT

    assert placement is None or {w.event for w in placement.wired} <= set(host_named(name).CAN)


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_has_everything_that_a_host_must_have(name):
    host = host_named(name)

    for member in (*Host.__annotations__, "decode", "encode"):
        assert hasattr(host, member), member
    for method in ("decode", "encode"):
        wanted = list(inspect.signature(getattr(Host, method)).parameters)[1:]
        assert list(inspect.signature(getattr(host, method)).parameters) == wanted


def test_an_installed_package_brings_a_host_of_its_own(tmp_path):
    """One file and one entry point; the hook answers in that host's words."""
    (tmp_path / "acme_host.py").write_text(
        "from snaphook.hosts.droid import *\n"
        "from snaphook.hosts.droid import decode, encode\n"
        "NAME, TITLE = 'acme', 'Acme Agent'\n"
    )
    info = tmp_path / "acme_host-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-host\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[snaphook.hosts]\nacme = acme_host\n")
    call = {"tool_name": "Execute", "tool_input": {"command": "rm -rf /"}}
    wire = json.dumps({"hook_event_name": "PreToolUse", "session_id": "s", **call}).encode()

    done = subprocess.run(
        [sys.executable, "-m", "snaphook", "hook", "acme", "PreToolUse"],
        input=wire,
        capture_output=True,
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "PYTHONPATH": str(tmp_path),
            "SNAPHOOK_NO_DAEMON": "1",
        },
    )

    assert b"deny" in done.stdout or done.returncode == 2, done.stderr
