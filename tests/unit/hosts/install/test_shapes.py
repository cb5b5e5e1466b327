"""How each host's settings hold our hooks, where a real program was seen to ignore another form."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from snaphook.config.environment import Environment
from snaphook.errors import ConfigError
from snaphook.hosts import host_named
from snaphook.hosts.checkup import examine
from snaphook.hosts.install import InstallLedger, Scope, apply, revert, unwire, wire


@pytest.fixture
def around(tmp_path: Path) -> Environment:
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    return Environment(cwd=project, home=home, env={}, managed=tmp_path / "etc")


def events(host: str) -> set[str]:
    placement = host_named(host).PLACEMENT
    assert placement is not None
    return {entry.event for entry in placement.wired}


def wired(host: str, around: Environment, command=("snaphook", "hook")) -> InstallLedger:
    ledger = InstallLedger(around.home / "ledger")
    changes = wire(
        host_named(host), scope=Scope.USER, around=around, root=around.cwd, command=command
    )
    apply(changes, ledger)
    return ledger


def test_droid_is_given_events_at_the_top_and_loses_what_we_once_put_below_hooks(around):
    file = around.home / ".factory/hooks.json"
    file.parent.mkdir()
    mine = {"hooks": [{"type": "command", "command": "mine"}]}
    old = {"hooks": [{"type": "command", "command": "snaphook hook droid PreToolUse"}]}
    file.write_text(json.dumps({"hooks": {"PreToolUse": [old]}, "Stop": [mine]}))

    wired("droid", around)

    there = json.loads(file.read_text())
    assert "hooks" not in there
    assert there["Stop"][0] == mine
    assert set(there) == events("droid")
    assert there["PreToolUse"][0]["hooks"][0]["command"] == "snaphook hook droid PreToolUse"


def test_cline_gets_programs_named_after_their_events_and_gives_them_back(around):
    ledger = wired("cline", around)
    folder = around.home / ".cline/hooks"
    yours = folder / "PreToolUse"
    yours.write_text("#!/bin/sh\n")

    scripts = sorted(folder.glob("*.sh"))
    assert {path.stem for path in scripts} == events("cline")
    assert all(os.access(path, os.X_OK) for path in scripts)
    cline = host_named("cline")
    revert(unwire(cline, scope=Scope.USER, around=around, root=around.cwd, ledger=ledger), ledger)
    assert list(folder.iterdir()) == [yours]


@pytest.mark.parametrize("program", ["false", "true", "/nowhere/snaphook"])
def test_cline_hears_a_refusal_when_our_program_fails_or_says_nothing(program, around):
    wired("cline", around, command=(program,))

    ran = subprocess.run(
        [around.home / ".cline/hooks/PreToolUse.sh"], input=b"{}", capture_output=True, check=True
    )

    assert json.loads(ran.stdout)["cancel"] is True


def test_a_hook_of_somebody_else_in_our_place_stays(around):
    file = around.home / ".cline/hooks/PreToolUse.sh"
    file.parent.mkdir(parents=True)
    file.write_text("#!/bin/sh\necho mine\n")

    with pytest.raises(ConfigError, match="did not write"):
        wired("cline", around)

    assert file.read_text() == "#!/bin/sh\necho mine\n"


def test_kilo_gets_opencodes_plugin_under_its_own_name(around):
    wired("kilo", around)

    plugin = (around.home / ".config/kilo/plugin/snaphook.js").read_text()
    assert 'const HOST = "kilo"' in plugin
    status = examine(host_named("kilo"), around, around.cwd)
    assert (status.wired, status.missing) == ((Scope.USER,), ())


def test_wave_is_given_no_matcher_since_a_star_leaves_out_names_with_a_slash(around):
    wired("wave", around)

    hooks = json.loads((around.home / ".wave/settings.json").read_text())["hooks"]
    assert [group for groups in hooks.values() for group in groups if "matcher" in group] == []
