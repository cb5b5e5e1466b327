"""doctor: a dead guard can be told from a quiet one."""

import json
import sys
from pathlib import Path

import pytest

from snaphook.cli.main import main
from snaphook.config.environment import Environment
from snaphook.hosts import host_named
from snaphook.hosts.checkup import HostStatus, examine
from snaphook.hosts.install import Scope


@pytest.fixture
def home(tmp_path, monkeypatch):
    home = tmp_path / "home"
    (tmp_path / "project/.git").mkdir(parents=True)
    home.mkdir()
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", "/bin:/usr/bin")
    monkeypatch.setenv("SNAPHOOK_SOCKET", str(tmp_path / "none.sock"))
    monkeypatch.setenv("SNAPHOOK_NO_DAEMON", "1")
    monkeypatch.chdir(tmp_path / "project")
    return home


def status(name: str) -> HostStatus:
    return examine(host_named(name), Environment.here(), Path.cwd())


@pytest.mark.parametrize("name", ["claude-code", "codex", "cursor", "opencode", "wave"])
def test_a_wired_host_refuses_what_it_should_and_lets_the_rest_pass(name, home):
    assert main(["init", "--yes", "--host", name]) == 0

    found = status(name)

    assert (found.wired, found.missing) == ((Scope.USER,), ())
    assert (found.answers, found.refuses, found.passes) == (True, True, True)
    assert found.healthy


def test_a_client_that_is_gone_is_found_out(home, capsys):
    assert main(["init", "--yes", "--host", "claude-code"]) == 0
    settings = home / ".claude/settings.json"
    settings.write_text(settings.read_text().replace(str(Path(sys.executable).parent), "/gone"))

    assert main(["doctor", "claude-code"]) == 1
    assert "Its hook does not run: /gone/snaphook" in capsys.readouterr().out


def test_a_guard_that_is_switched_off_is_found_out(home, capsys):
    assert main(["init", "--yes", "--host", "claude-code"]) == 0
    settings = home / ".claude/settings.json"
    for name in ("snaphook", "snaphook-hook"):  # whichever of the two was wired
        (home / name).write_text("#!/bin/sh\nexit 0\n")
        (home / name).chmod(0o755)
    settings.write_text(settings.read_text().replace(str(Path(sys.executable).parent), str(home)))

    assert main(["doctor", "claude-code"]) == 1
    assert "was not denied" in capsys.readouterr().out


def test_hooks_that_codex_does_not_trust_are_found_out(home, capsys):
    assert main(["init", "--yes", "--host", "codex"]) == 0
    hooks = home / ".codex/hooks.json"
    hooks.write_text(hooks.read_text().replace('"timeout": 60', '"timeout": 61'))

    assert main(["doctor", "codex"]) == 1
    assert "Codex does not trust these hooks" in capsys.readouterr().out


def test_settings_that_are_broken_are_told_with_their_place(home, capsys):
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text(json.dumps([]))

    assert main(["doctor", "claude-code"]) == 1
    assert ".claude/settings.json: settings: holds []" in capsys.readouterr().out


def test_an_agent_that_is_not_here_is_no_complaint(home, capsys):
    assert main(["doctor"]) == 1
    assert "No agents found" in capsys.readouterr().out
    assert main(["doctor", "--all"]) == 0
    assert "Gemini CLI" in capsys.readouterr().out
