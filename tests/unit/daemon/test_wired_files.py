"""Hooks that disappear from a host's settings are put back, or reported."""

import json
import os
from pathlib import Path
from time import monotonic

import pytest

from snaphook.config import Environment
from snaphook.daemon.wired_files import AT_WORK, RemovedHooks, WiredFiles
from snaphook.hosts import HOSTS, host_named
from snaphook.hosts.install import InstallLedger, Scope, apply, settings_file, wire
from snaphook.hosts.install.drift import missing, repaired

COMMAND = ("/usr/bin/snaphook", "hook")


class Watched:
    """One host wired in a home of its own, and the daemon's look at it."""

    def __init__(self, home: Path, host: str = "claude-code", *, restores: bool = True) -> None:
        self.around = Environment.here(home, {"HOME": str(home), "PATH": os.environ["PATH"]})
        named = host_named(host)
        assert named.PLACEMENT is not None
        self.path = settings_file(named.PLACEMENT, Scope.USER, self.around, home)
        changes = wire(named, scope=Scope.USER, around=self.around, root=home, command=COMMAND)
        if self.path not in [
            change.path for change in changes
        ]:  # a folder with a file for each hook
            self.path = changes[0].path
        apply(changes, InstallLedger(self.around.shared_dir / "installed"))
        self.left = self.path.read_text()
        self.reports: list[RemovedHooks] = []
        self.called = monotonic()
        self.files = WiredFiles(
            self.around, self.reports.append, last_call=lambda: self.called, restores=restores
        )
        self.files.look()

    def changed(self, text: str | None) -> RemovedHooks | None:
        """Return what is reported once the file holds *text*, or is gone."""
        if text is None:
            self.path.unlink()
        else:
            self.path.write_text(text)
        self.files.look()
        return self.reports.pop() if self.reports else None


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


WIRED = sorted(name for name in HOSTS if host_named(name).PLACEMENT is not None)


@pytest.mark.parametrize("host", WIRED)
@pytest.mark.parametrize("text", [None, "", "{}\n"], ids=["deleted", "emptied", "no hooks"])
def test_every_hosts_hooks_are_put_back_while_an_agent_works(home, host, text):
    watched = Watched(home, host)

    found = watched.changed(text)

    assert found is not None
    assert found.restored
    assert missing(watched.left, watched.path.read_text()) == []
    assert str(watched.path) in found.text


def test_what_else_a_person_changed_stays(home):
    watched = Watched(home)
    settings = json.loads(watched.left)
    settings["model"] = "opus"
    del settings["hooks"]["PreToolUse"]

    found = watched.changed(json.dumps(settings))

    now = json.loads(watched.path.read_text())
    assert found is not None
    assert found.what == ("the hook for PreToolUse was removed or changed",)
    assert now["model"] == "opus"
    assert now["hooks"]["PreToolUse"]


@pytest.mark.parametrize(
    "weaken",
    [
        pytest.param(lambda s: s.update(disableAllHooks=True), id="switched off"),
        pytest.param(lambda s: s["hooks"]["PreToolUse"][0].update(matcher="None"), id="narrowed"),
        pytest.param(
            lambda s: s["hooks"]["PreToolUse"][0]["hooks"][0].update(timeout=0.001), id="timed out"
        ),
        pytest.param(
            lambda s: s["hooks"]["PreToolUse"][0]["hooks"][0].update(command="true"), id="replaced"
        ),
    ],
)
def test_weakened_hooks_are_put_back(home, weaken):
    watched = Watched(home)
    settings = json.loads(watched.left)
    weaken(settings)

    found = watched.changed(json.dumps(settings))

    assert found is not None
    assert found.restored
    assert missing(watched.left, watched.path.read_text()) == []


def test_a_change_that_leaves_the_hooks_alone_is_nobodys_business(home):
    watched = Watched(home)
    settings = {"permissions": {"allow": ["Bash(ls)"]}, **json.loads(watched.left)}

    assert watched.changed(json.dumps(settings, indent=4)) is None


def test_without_an_agent_at_work_it_is_reported_once_and_left_alone(home):
    watched = Watched(home)
    watched.called = monotonic() - AT_WORK - 1

    found = watched.changed("{}\n")

    assert found is not None
    assert not found.restored
    assert "snaphook init" in found.text
    assert watched.path.read_text() == "{}\n"
    assert watched.changed("{ }\n") is None


def test_hooks_that_were_gone_when_the_daemon_came_are_reported_only(home):
    watched = Watched(home)
    watched.path.write_text("{}\n")
    reports: list[RemovedHooks] = []

    WiredFiles(watched.around, reports.append, last_call=monotonic).look()

    assert [one.restored for one in reports] == [False]


def test_the_settings_may_forbid_it(home):
    found = Watched(home, restores=False).changed("{}\n")

    assert found is not None
    assert not found.restored


def test_after_uninstall_nobody_puts_anything_back(home):
    watched = Watched(home)
    InstallLedger(watched.around.shared_dir / "installed").forget(watched.path)

    assert watched.changed("{}\n") is None


def test_a_ledger_that_cannot_be_read_stops_nothing(home):
    watched = Watched(home)
    (watched.around.shared_dir / "installed" / "x.json").write_text("{")

    watched.files.look()


def test_repairing_needs_hooks_of_ours():
    assert repaired("{}", '{"a": 1}') is None
