"""``import``: what other tools' files become holds up in 'check', and nothing is dropped silently."""

import json
import tomllib
from pathlib import Path

import pytest

from snaphook.cli.main import main

CLAUDE = {
    "hooks": {
        "PreToolUse": [
            {
                "matcher": "Bash",
                "hooks": [
                    {"type": "command", "command": "echo checked >&2", "timeout": 5},
                    {"type": "command", "command": "/usr/bin/snaphook-hook claude-code PreToolUse"},
                    {"type": "prompt", "prompt": "ok?"},
                ],
            },
            {"matcher": "mcp__.*", "hooks": [{"type": "command", "command": "true"}]},
        ]
    }
}
NET = {
    "version": 1,
    "rules": [
        {"name": "block-git-add-all", "command": "git", "subcommand": "add",
         "block_args": ["-A", "--all", "."], "reason": "Add files by name."}
    ],
}  # fmt: skip
LEFTHOOK = """
pre-commit:
  parallel: true
  commands:
    lint:
      glob: "*.py"
      run: echo lint {staged_files}
commit-msg:
  jobs:
    - name: message
      run: commitlint
"""
PRE_COMMIT = "repos:\n  - repo: local\n    hooks:\n      - id: ruff\n      - id: mypy\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "p/.git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path / "p")
    return tmp_path / "p"


@pytest.mark.parametrize(
    ("name", "text", "events", "rules"),
    [
        ("settings.json", json.dumps(CLAUDE), ["PreToolUse"], 0),
        (".safety-net.json", json.dumps(NET), [], 2),
        ("lefthook.yml", LEFTHOOK, ["Stop"], 0),
        (".pre-commit-config.yaml", PRE_COMMIT, ["Stop"], 0),
    ],
)
def test_a_file_becomes_settings_that_check_accepts(project, capsys, name, text, events, rules):
    (project / name).write_text(text)

    assert main(["import", name, "--write"]) == 0
    made = tomllib.loads((project / "snaphook.toml").read_text())
    assert list(made.get("hooks", {})) == events
    assert len(made.get("guard", {}).get("rule", [])) == rules
    assert main(["check", "snaphook.toml"]) == 0, capsys.readouterr().out


def test_what_has_no_counterpart_is_listed_and_our_own_entry_is_left_out(project, capsys):
    (project / "settings.json").write_text(json.dumps(CLAUDE))

    assert main(["import", "settings.json"]) == 0
    printed = capsys.readouterr().out
    assert "# Not imported: PreToolUse: a hook of type 'prompt'" in printed
    commands = [one["command"] for one in tomllib.loads(printed)["hooks"]["PreToolUse"]]
    assert commands == ["echo checked >&2", "true"]


def test_an_imported_rule_blocks(project, capsys):
    (project / ".safety-net.json").write_text(json.dumps(NET))
    main(["import", ".safety-net.json", "--write"])
    main(["trust", "--yes"])
    capsys.readouterr()

    for command in ("git add -A", "git add ."):
        main(["explain", command, "--json"])
        assert json.loads(capsys.readouterr().out)["verdict"] == "deny", command


@pytest.mark.parametrize("name", ["unknown.txt", "settings.json"])
def test_a_file_that_cannot_be_read_is_a_clear_error(project, capsys, name):
    (project / name).write_text("{")

    assert main(["import", name]) == 2
    said = capsys.readouterr().err
    assert "--from" in said or "cannot be read" in said
