"""init and uninstall: shown first, made once, taken back whole."""

import io
import json

import pytest

from snaphook.cli.main import main
from snaphook.cli.table import EXIT_USAGE

MINE = '{\n  "model": "opus" // mine\n}\n'


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home in which Claude Code and Gemini CLI were used, and an empty project."""
    home = tmp_path / "home"
    (home / ".gemini").mkdir(parents=True)
    (home / ".gemini/settings.json").write_text(MINE)
    (home / ".claude").mkdir()
    (tmp_path / "project/.git").mkdir(parents=True)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir(tmp_path / "project")
    return home


def test_init_wires_what_it_finds_and_uninstall_puts_it_back(home, capsys):
    assert main(["init", "--yes"]) == 0
    told = capsys.readouterr().out
    assert "Found Claude Code" in told
    assert "Found Gemini CLI" in told
    assert "// mine" in (home / ".gemini/settings.json").read_text()
    hooks = json.loads((home / ".claude/settings.json").read_text())["hooks"]
    assert "hook claude-code PreToolUse" in hooks["PreToolUse"][0]["hooks"][0]["command"]

    assert main(["init", "--yes"]) == 0
    assert capsys.readouterr().out.count("is up to date") == 2

    assert main(["uninstall", "--yes"]) == 0
    assert (home / ".gemini/settings.json").read_text() == MINE
    assert not (home / ".claude/settings.json").exists()
    assert main(["uninstall", "--yes"]) == 0
    assert "No Snaphook hooks" in capsys.readouterr().out


def test_a_dry_run_shows_every_line_and_writes_none(home, capsys):
    assert main(["init", "--dry-run", "--host", "gemini-cli"]) == 0

    assert '+    "BeforeTool": [' in capsys.readouterr().out
    assert (home / ".gemini/settings.json").read_text() == MINE


def test_where_nobody_can_be_asked_nothing_is_wired(home, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))

    assert main(["init", "--host", "claude-code"]) == EXIT_USAGE
    assert "no terminal to ask for confirmation. Run it with --yes" in capsys.readouterr().err
    assert not (home / ".claude/settings.json").exists()


def test_one_bad_file_stops_only_itself(home, capsys):
    (home / ".gemini/settings.json").write_text("{")

    assert main(["init", "--yes"]) == 1

    assert ".gemini/settings.json: settings: not JSON: line 1" in capsys.readouterr().out
    assert (home / ".gemini/settings.json").read_text() == "{"
    assert "PreToolUse" in (home / ".claude/settings.json").read_text()


def test_a_host_that_runs_anothers_hooks_is_wired_once(home, capsys):
    (home / ".cursor").mkdir()

    assert main(["init", "--yes"]) == 0

    assert "It also runs the hooks of Claude Code" in capsys.readouterr().out
    assert not (home / ".cursor/hooks.json").exists()
    assert main(["init", "--yes", "--host", "cursor"]) == 0
    assert (home / ".cursor/hooks.json").exists()


def test_two_hosts_in_one_file_go_one_after_the_other(home):
    file = home / ".copilot/hooks/snaphook.json"
    assert main(["init", "--yes", "--host", "copilot-cli", "--host", "vscode"]) == 0
    assert "hook vscode Stop" in file.read_text()
    file.write_text(file.read_text() + "\n")  # touched, so the bytes cannot simply be put back

    assert main(["uninstall", "--yes"]) == 0

    assert not file.exists()


def test_no_agent_here_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir(tmp_path)

    assert main(["init"]) == 1
    assert "No agents found" in capsys.readouterr().out


def test_a_projects_file_names_the_program_alone(home, tmp_path):
    assert main(["init", "--yes", "--scope", "project", "--host", "claude-code"]) == 0

    written = (tmp_path / "project/.claude/settings.json").read_text()
    assert '"snaphook hook claude-code Stop"' in written


def test_init_sets_the_level_of_automatic_approval(home, tmp_path, capsys):
    assert main(["init", "--host", "gemini-cli", "--approve", "project", "--yes"]) == 0

    told = capsys.readouterr().out
    assert "Automatic approval: project: so do writes, builds, tests" in told
    settings = (home / ".config/snaphook/snaphook.toml").read_text()
    assert 'level = "project"' in settings
    assert str(tmp_path / "project") in settings
    policy = home / ".gemini/policies/snaphook.toml"
    mark = policy.read_text().partition("snaphook-approved-")[2][:32]
    assert mark in (home / ".gemini/settings.json").read_text()
    assert main(["explain", "ls"]) == 0
    assert "approved automatically (read-only), because every effect" in capsys.readouterr().out
    assert main(["explain", "git push"]) == 0
    assert "not approved automatically: git push is not known" in capsys.readouterr().out

    assert main(["init", "--host", "gemini-cli", "--yes"]) == 0
    assert mark in policy.read_text()
    assert main(["uninstall", "--yes"]) == 0
    assert not policy.exists()


def test_init_asks_about_nothing_that_is_not_wanted(home, capsys):
    assert main(["init", "--host", "gemini-cli", "--yes"]) == 0

    assert not (home / ".gemini/policies/snaphook.toml").exists()
    assert not (home / ".config/snaphook/snaphook.toml").exists()


def test_uninstall_leaves_nothing_that_init_made(home, tmp_path, capsys):
    made = ("codex", "cline", "droid")
    assert main(["init", "--yes", *(word for name in made for word in ("--host", name))]) == 0
    assert (tmp_path / "project/snaphook.toml").exists()

    assert main(["uninstall", "--yes"]) == 0

    told = capsys.readouterr().out
    assert not any((home / folder).exists() for folder in (".codex", ".cline", ".factory"))
    assert not (tmp_path / "project/snaphook.toml").exists()
    assert "it held only what 'init' wrote" in told


def test_uninstall_keeps_settings_that_somebody_wrote(home, tmp_path, capsys):
    assert main(["init", "--yes", "--host", "claude-code"]) == 0
    settings = tmp_path / "project/snaphook.toml"
    settings.write_text('[guard]\nmode = "audit"\n')
    (home / ".claude/mine").touch()

    assert main(["uninstall", "--yes"]) == 0

    assert settings.exists()
    assert (home / ".claude/mine").exists()
    assert "stays" in capsys.readouterr().out


def test_a_file_of_two_scopes_is_listed_once(home, tmp_path, capsys):
    (home / ".codex").mkdir()
    (home / ".codex/config.toml").write_text('model = "x"\n')
    for scope in ("user", "project"):
        assert main(["init", "--yes", "--host", "codex", "--scope", scope]) == 0
    capsys.readouterr()

    assert main(["uninstall", "--yes"]) == 0

    assert capsys.readouterr().out.count(".codex/config.toml") == 1
    assert (home / ".codex/config.toml").read_text() == 'model = "x"\n'


def test_in_wave_no_hook_has_a_matcher(home):
    """Wave's ``*`` matches no tool whose name has a ``/``; without a matcher a hook hears of every tool."""
    assert main(["init", "--yes", "--host", "wave"]) == 0

    hooks = json.loads((home / ".wave/settings.json").read_text())["hooks"]
    assert {"PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"} <= hooks.keys()
    assert [entry for entries in hooks.values() for entry in entries if "matcher" in entry] == []
    assert hooks["PreToolUse"][0]["hooks"][0]["command"].endswith("wave PreToolUse")
