"""Nothing stops working silently: a lapsed approval, an unusable provider, a missing tool are reported."""

import json
import shutil
from pathlib import Path

import pytest

from snaphook.cli.main import main
from snaphook.config.gather import calls_snaphook
from snaphook.installed import install_command

HOOK = '[[hooks.PreToolUse]]\ncommand = "echo checked >&2"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(root)
    return root


def ran(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the command hooks that a call runs."""
    capsys.readouterr()
    main(["fire", "PreToolUse", "--tool", "Bash", "--input", '{"command": "ls"}', "--json"])
    return [run["hook"] for run in json.loads(capsys.readouterr().out)["hooks"]]


def approved(project: Path, text: str) -> Path:
    file = project / "snaphook.toml"
    file.write_text(text)
    assert main(["trust", "--yes"]) == 0
    return file


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("# a comment\n", id="a comment"),
        pytest.param('[guard.rules]\n"git.add-all" = "deny"\n', id="a stricter rule"),
        pytest.param('[[guard.test]]\ncommand = "ls"\nverdict = "allow"\n', id="a test"),
        pytest.param("stop_block_cap = 9\n", id="a plain value"),
    ],
)
def test_a_change_without_a_command_needs_no_new_approval(project, capsys, change):
    file = approved(project, HOOK)
    file.write_text(change + HOOK)

    assert ran(capsys)
    assert main(["check"]) == 0
    assert "approve" not in capsys.readouterr().out


def test_a_hooks_timeout_needs_no_new_approval_and_its_command_does(project, capsys):
    file = approved(project, HOOK)

    file.write_text(f"{HOOK}timeout = 30\n")
    assert ran(capsys)

    file.write_text(HOOK.replace("echo checked", "echo other"))
    assert not ran(capsys)


def test_a_relaxed_rule_is_ignored_and_reported_while_the_hooks_run(project, capsys):
    file = approved(project, HOOK)
    file.write_text('[guard.rules]\n"delete.everything" = "off"\n' + HOOK)

    assert ran(capsys)
    assert main(["check"]) == 0
    assert "guard.rules" in (said := capsys.readouterr().out)
    assert "is ignored. Review and approve it again: snaphook trust" in said
    main(["explain", "rm -rf /", "--json"])
    assert json.loads(capsys.readouterr().out)["verdict"] == "deny"


@pytest.mark.parametrize("command", ["check", "log", "doctor"])
def test_a_lapsed_approval_is_reported(project, capsys, command):
    file = approved(project, HOOK)
    file.write_text(HOOK.replace("checked", "changed"))
    capsys.readouterr()

    main([command])

    said = "".join(capsys.readouterr())
    assert "changed since it was approved, so its hooks do not run" in " ".join(said.split())
    assert "snaphook trust" in said


def test_check_finds_a_provider_that_cannot_be_created(project, capsys):
    (project / "mine.py").write_text(
        "class Mine:\n    def __init__(self, *, limit): ...\n"
        "    async def on_stop(self, event, context): ...\n"
    )
    approved(project, '[providers.mine]\nuse = "mine:Mine"\noptions = {limti = 3}\n')
    capsys.readouterr()

    assert main(["check"]) == 1
    said = capsys.readouterr().out
    assert "provider 'mine'" in said
    assert "limti" in said


@pytest.mark.parametrize(
    "command",
    [
        "'/home/me/.venv/bin/snaphook-hook' claude-code PreToolUse",
        "/usr/bin/snaphook-hook claude-code PreToolUse",
        "snaphook hook claude-code Stop",
        "/opt/python3.12 -m snaphook hook claude-code Stop",
        '"/a b/snaphook-hook" claude-code Stop',
    ],
)
def test_our_own_entry_is_recognised(command):
    assert calls_snaphook(command)


@pytest.mark.parametrize(
    "command", ["snaphook gates", "f=$(snaphook field file)", "make test", "my-snaphook-hook x"]
)
def test_a_hook_that_uses_snaphook_is_not_our_own_entry(command):
    assert not calls_snaphook(command)


def test_what_init_wrote_is_neither_listed_nor_run(project, capsys):
    assert main(["init", "--host", "claude-code", "--yes"]) == 0
    capsys.readouterr()

    assert main(["hooks", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hooks"] == []
    assert ran(capsys) == []


def test_a_recipe_whose_tool_is_missing_says_so(project, capsys, monkeypatch):
    real = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, **_: None if name == "mypy" else real(name))

    main(["recipes", "add", "python-types"])

    assert "mypy is not installed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("marker", "starts"),
    [
        ("uv-receipt.toml", "uv tool install"),
        ("pipx_metadata.json", "pipx install"),
        ("", "pip install"),
    ],
)
def test_the_install_line_is_that_of_the_tool_that_installed_us(tmp_path, marker, starts):
    if marker:
        (tmp_path / marker).touch()

    line = install_command("web", prefix=tmp_path)

    assert line.startswith(starts)
    assert "[web]'" in line


def test_the_doctor_prints_json(project, capsys):
    main(["init", "--host", "claude-code", "--yes"])
    capsys.readouterr()

    main(["doctor", "--json", "claude-code"])

    told = json.loads(capsys.readouterr().out)
    assert [one["host"] for one in told["hosts"]] == ["claude-code"]
    assert told["lapsed"] == []


def test_a_wrong_port_is_a_clear_error(capsys):
    assert main(["ui", "--port", "99999"]) == 2
    assert "99999 is not in the range 0<=x<=65535" in capsys.readouterr().err


def test_an_error_names_the_program_once(project, capsys):
    main(["guard", "rules", "nope"])

    assert capsys.readouterr().err.startswith("snaphook guard rules: unknown rule 'nope'")
