"""check, hooks, trust, init, recipes, field: what people type about their settings."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from snaphook.cli.main import main

BROKEN = '{\n  "hooks": {\n    "PreToolUze": []\n  }\n}\n'
HOOK = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "make test"}]}]}}


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


def put(path: Path, content: str | dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_check_names_file_line_pointer_reason_and_fix(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    put(project / ".claude/settings.json", BROKEN)

    assert main(["check"]) == 1
    assert capsys.readouterr().out == (
        ".claude/settings.json:3: hooks.PreToolUze: unknown event 'PreToolUze'. "
        "Did you mean 'PreToolUse'? 'snaphook events' lists all.\n"
        "1 file: 1 error, 0 warnings.\n"
    )


def test_check_as_json_holds_the_same(project: Path, capsys: pytest.CaptureFixture[str]):
    file = put(project / ".claude/settings.json", BROKEN)

    assert main(["check", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "errors": [
            {
                "file": str(file),
                "line": 3,
                "column": 5,
                "pointer": "hooks.PreToolUze",
                "what": "unknown event 'PreToolUze'",
                "fix": "Did you mean 'PreToolUse'? 'snaphook events' lists all.",
                "code": "unknown-event",
            }
        ],
        "warnings": [],
    }


def test_warnings_alone_are_no_failure(project: Path, capsys: pytest.CaptureFixture[str]):
    put(project / ".wave/settings.json", "")

    assert main(["check"]) == 0
    assert "warning: the file is empty" in capsys.readouterr().out


@pytest.mark.parametrize("target", ["nowhere.json", "no/such/folder"])
def test_check_of_what_is_not_there_is_a_wrong_call(
    project: Path, target: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["check", target]) == 2
    assert "no such file or folder" in capsys.readouterr().err


def test_check_of_another_folder_looks_there(project: Path, capsys: pytest.CaptureFixture[str]):
    put(project / "sub/.claude/settings.json", BROKEN)

    assert main(["check"]) == 0
    assert main(["check", "sub"]) == 1


def test_check_with_nothing_to_check_says_how_to_begin(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["check"]) == 0
    assert "snaphook init" in capsys.readouterr().out


def test_hooks_wait_until_the_project_is_trusted_and_again_after_a_change(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    file = put(project / ".claude/settings.json", HOOK)
    assert trusted(capsys) == [False]

    assert main(["trust", "--yes"]) == 0
    assert "make test" in capsys.readouterr().out, "what is approved is shown"
    assert trusted(capsys) == [True]

    put(file, json.dumps(HOOK).replace("make test", "make tests") + "\n")
    assert trusted(capsys) == [False]


def test_trust_can_be_listed_and_taken_back(project: Path, capsys: pytest.CaptureFixture[str]):
    put(project / ".claude/settings.json", HOOK)
    main(["trust", "--yes"])
    capsys.readouterr()

    assert main(["trust", "--list"]) == 0
    assert capsys.readouterr().out == f"{project}\n  .claude/settings.json\n"
    assert main(["trust", "--revoke"]) == 0
    assert trusted(capsys) == [False]


@pytest.mark.parametrize("typed", ["", "n\n", "\n"])
def test_trust_without_a_yes_is_a_no(
    project: Path, typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    put(project / ".claude/settings.json", HOOK)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    assert main(["trust"]) == 1
    assert "not approved" in capsys.readouterr().err


def test_hooks_shows_event_command_place_and_state(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    put(project / "snaphook.toml", '[[hooks.Stop]]\ncommand = "make test"\n')

    assert main(["hooks"]) == 0
    assert capsys.readouterr().out == (
        "Stop\n  make test\n      snaphook, project snaphook.toml:1   not approved: run "
        "'snaphook trust'\n"
    )


def test_hooks_of_a_broken_file_tells_the_problem_not_a_traceback(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    put(project / "snaphook.toml", "[[hooks.Stop]]\ncommand = make test\n")

    assert main(["hooks"]) == 1
    assert "snaphook.toml:2" in capsys.readouterr().err


def test_init_writes_a_file_without_problems_and_only_once(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["init"]) == 0
    written = (project / "snaphook.toml").read_text()
    assert main(["check"]) == 0
    assert "no problem" in capsys.readouterr().out

    put(project / "snaphook.toml", written + "# mine\n")
    assert main(["init"]) == 0
    assert (project / "snaphook.toml").read_text() == written + "# mine\n"


def test_every_commented_setting_of_the_starter_is_correct(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    from snaphook.config.starter import STARTER

    keys = [
        "strategy",
        "stop_block_cap",
        "name",
        "matcher",
        "command",
        "timeout",
        "use",
        "stance",
        "options",
    ]
    code = tuple(f"# {word}" for word in ("[", *(f"{key} = " for key in keys)))
    lines = [line[2:] if line.startswith(code) else line for line in STARTER.splitlines()]
    put(project / "snaphook.toml", "\n".join(lines))
    put(project / "my_package.py", "")

    assert main(["check"]) == 0
    assert "no problem" in capsys.readouterr().out
    assert "providers" in "\n".join(line for line in lines if not line.startswith("#"))


def test_a_recipe_added_to_a_fresh_project_runs_at_once(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    main(["init"])

    assert main(["recipes", "add", "python-lint", "git-context"]) == 0
    assert main(["recipes", "add", "python-lint"]) == 0
    assert "python-lint is already there" in capsys.readouterr().out
    assert trusted(capsys) == [True, True]
    assert "# Ready-made hooks" in (project / "snaphook.toml").read_text(), "comments stay"


def test_adding_a_recipe_approves_nothing_that_a_stranger_wrote(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    put(project / ".claude/settings.json", HOOK)

    assert main(["recipes", "add", "notify-done", "--dialect", "claude"]) == 0
    assert "snaphook trust" in capsys.readouterr().out
    assert trusted(capsys) == [False, False]


@pytest.mark.parametrize("words", [["show", "pyton-lint"], ["add", "pyton-lint"]])
def test_an_unknown_recipe_is_told_with_the_nearest(
    project: Path, words: list[str], capsys: pytest.CaptureFixture[str]
):
    assert main(["recipes", *words]) == 2
    assert "Did you mean 'python-lint'?" in capsys.readouterr().err
    assert not (project / "snaphook.toml").exists()


@pytest.mark.parametrize("kind", ["read-only", "broken", "a folder"])
def test_a_file_that_cannot_take_a_recipe_is_left_as_it_is(
    project: Path, kind: str, capsys: pytest.CaptureFixture[str]
):
    file = project / ".claude/settings.json"
    if kind == "a folder":
        file.mkdir(parents=True)
    else:
        put(file, HOOK if kind == "read-only" else '{"hooks": ')
    if kind == "read-only":
        file.chmod(0o444)
    before = None if file.is_dir() else file.read_bytes()

    assert main(["recipes", "add", "notify-done", "--dialect", "claude"]) == 1
    assert "Traceback" not in capsys.readouterr().err
    assert file.is_dir() or file.read_bytes() == before


def test_a_link_stays_a_link_when_its_file_is_changed(project: Path):
    real = put(project / "shared/settings.json", HOOK)
    link = project / ".claude/settings.json"
    link.parent.mkdir()
    link.symlink_to(real)

    assert main(["recipes", "add", "notify-done", "--dialect", "claude"]) == 0
    assert link.is_symlink()
    assert len(json.loads(real.read_text())["hooks"]["Stop"]) == 2


def trusted(capsys: pytest.CaptureFixture[str]) -> list[bool]:
    capsys.readouterr()
    assert main(["hooks", "--json"]) == 0
    return [hook["trusted"] for hook in json.loads(capsys.readouterr().out)["hooks"]]
