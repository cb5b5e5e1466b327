"""The front of the command line."""

import subprocess
import sys

import pytest

from snaphook import __version__
from snaphook.cli.main import main
from snaphook.cli.table import COMMANDS, EXIT_BUG, EXIT_MACHINE, EXIT_PROBLEM, EXIT_USAGE, load
from snaphook.errors import ConfigError, StoreError, UsageError


def test_the_version_is_told(capsys):
    assert main(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


def test_help_lists_every_command_without_importing_one():
    script = (
        "import sys; from snaphook.cli.main import main; main(['--help']);"
        "from snaphook.cli.table import COMMANDS;"
        "print([m for m, _ in COMMANDS.values() if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.stderr.strip() == "[]"
    assert all(name in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", ["check", "hooks", "fire", "trust", "init"])
def test_a_folder_that_was_deleted_under_us_is_told(name, tmp_path, monkeypatch, capsys):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert main([name]) == EXIT_MACHINE
    assert capsys.readouterr().err.startswith("snaphook: the current directory: was deleted.")
    assert not gone.exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name, capsys):
    command = load(name)

    assert command.help, f"{name} has no docstring"
    assert main([name, "--help"]) == 0
    assert "Usage: snaphook" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        pytest.param(["evnts"], "unknown command 'evnts'. Did you mean 'events'?", id="misspelt"),
        pytest.param(
            ["zzz"], "unknown command 'zzz'. 'snaphook --help' lists them all.", id="unknown"
        ),
        pytest.param(["events", "--nope"], "No such option '--nope'", id="unknown option"),
        pytest.param(["events", "Stopp"], "Did you mean 'Stop'?", id="unknown event"),
    ],
)
def test_a_wrong_call_is_told_in_words_and_exits_2(args, says, capsys):
    assert main(args) == EXIT_USAGE
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ConfigError(where="a.toml:3", what="wrong", fix="Fix it."), EXIT_PROBLEM),
        (UsageError(where="x", what="wrong", fix="Fix it."), EXIT_USAGE),
        (StoreError(where="x", what="wrong", fix="Fix it."), 3),
        (OSError(28, "No space left on device"), EXIT_MACHINE),
        (ZeroDivisionError("1/0"), EXIT_BUG),
        (KeyboardInterrupt(), 130),
    ],
    ids=lambda value: getattr(value, "__class__", type(value)).__name__,
)
def test_an_error_becomes_words_and_an_exit_status_never_a_traceback(
    error, status, monkeypatch, capsys
):
    def fails(_):
        raise error

    monkeypatch.delenv("SNAPHOOK_DEBUG", raising=False)
    monkeypatch.setattr("snaphook.cli.main._through_click", fails)

    assert main(["events"]) == status
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("words", ["events", "events --json", "recipes list"])
def test_a_reader_that_goes_away_is_no_error(words):
    away = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m snaphook {words} | true; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
    )

    assert (away.returncode, away.stderr) == (0, "")


def test_the_module_runs_like_the_command():
    done = subprocess.run([sys.executable, "-m", "snaphook", "zzz"], capture_output=True, text=True)

    assert done.returncode == EXIT_USAGE


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(shell, capsys):
    assert main(["completion", shell]) == 0
    assert "_SNAPHOOK_COMPLETE" in capsys.readouterr().out


@pytest.mark.parametrize(
    "error",
    [
        UsageError(where="x", what="y", fix="z"),
        ModuleNotFoundError("tree_sitter"),
        KeyboardInterrupt(),
        MemoryError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_hook_that_cannot_answer_fails_closed(error, monkeypatch, capsys):
    class Broken:
        @staticmethod
        def main(args):
            raise error

    monkeypatch.delenv("SNAPHOOK_DEBUG", raising=False)
    monkeypatch.setattr("snaphook.cli.main.import_module", lambda _: Broken)

    assert main(["hook", "claude-code"]) == 2
    assert capsys.readouterr().err.startswith("snaphook hook: ")
