"""What a stopped call would cost, counted on a real disk and in real repositories."""

import asyncio
import os
import subprocess
import time
from pathlib import Path

import pytest

from snaphook.canon import HookContext, PreToolUse
from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.provider import GuardProvider
from snaphook.providers.guard.stake import stake
from snaphook.shell.live import LiveWorld


def git(root: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(root), *words],
        check=True,
        capture_output=True,
    )


@pytest.fixture
def root(tmp_path) -> Path:
    root: Path = tmp_path / "app"
    (root / "src" / "deep").mkdir(parents=True)
    git(tmp_path, "init", "-q", "-b", "main", str(root))
    for at in range(5):
        (root / "src" / f"{at}.py").write_text("x" * 1000)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    for at in range(2):
        (root / "src" / "deep" / f"{at}.txt").write_text("y" * 100)
    return root


def told(root: Path, command: str, seconds: float = 10) -> tuple[str, ...]:
    world = LiveWorld(str(root), project=str(root))
    return stake(examine(command, world), str(root), seconds=seconds)


def test_files_are_counted_with_their_size_and_what_git_does_not_have(root):
    assert told(root, "rm -rf src") == ("deletes 7 files (5.2 KB), 2 of them not in git",)
    assert told(root, "rm -rf src src/*.py src/deep") == told(root, "rm -rf src")


def test_a_glob_counts_what_it_matches(root):
    assert told(root, "rm src/*.py") == ("deletes 5 files (5.0 KB)",)
    assert told(root, "rm src/deep/*") == ("deletes 2 files (200 bytes), 2 of them not in git",)


def test_outside_git_nothing_is_said_about_git(tmp_path):
    (tmp_path / "a.txt").write_text("abc")

    assert told(tmp_path, f"rm {tmp_path}/a.txt") == ("deletes 1 file (3 bytes)",)


def test_when_the_time_is_over_it_says_at_least(root):
    for at in range(300):
        (root / "src" / f"more-{at}").write_text("")
    (said,) = told(root, "rm -rf src", seconds=0)

    assert said.startswith(("deletes at least ", "deletes files; there was no time"))


def test_a_missing_path_and_one_only_the_run_knows_cost_nothing_known(root):
    assert told(root, "rm -rf nothing-here") == ()
    assert told(root, 'rm -rf "$UNKNOWN_FOLDER"') == ()


def test_an_overwritten_file_is_named_with_its_age(root):
    (root / ".env").write_text("A=1")
    old = time.time() - 3 * 86_400
    os.utime(root / "src" / "0.py", (old, old))

    assert told(root, "echo x > .env") == ("overwrites .env (modified today)",)
    assert told(root, "echo x > src/0.py") == ("overwrites src/0.py (modified 3 days ago)",)


def test_commits_that_exist_nowhere_else_are_counted(root):
    for at in range(3):
        git(root, "commit", "-q", "--allow-empty", "-m", str(at))

    assert told(root, "git reset --hard HEAD~3") == ("drops 3 commits that exist nowhere else",)
    git(root, "branch", "kept")
    assert told(root, "git reset --hard HEAD~3") == ()
    git(root, "checkout", "-q", "-b", "topic")
    git(root, "commit", "-q", "--allow-empty", "-m", "mine")
    git(root, "checkout", "-q", "main")
    assert told(root, "git branch -D topic") == ("drops 1 commit that exists nowhere else",)


def test_changes_that_git_would_discard_are_counted(root):
    (root / "src" / "0.py").write_text("changed")

    assert told(root, "git checkout -- .") == ("discards changes to up to 1 file",)
    assert told(root, "git reset --hard") == ("discards changes to up to 1 file",)
    assert told(root, "git clean -fd") == ("deletes up to 2 files not in git",)
    assert told(root, "git status") == ()


def test_the_message_tells_it_and_a_call_that_runs_is_not_counted(root):
    at = HookContext(session_id="s", cwd=str(root), team_root=str(root))

    def said(command: str) -> str | None:
        event = PreToolUse(context=at, tool_name="Bash", tool_args={"command": command})
        output = asyncio.run(GuardProvider().on_pre_tool_use(event, at))
        return output.reason if output else None

    reason = said("rm -rf .")
    assert reason is not None
    assert "\nAffected: it deletes " in reason
    assert said("ls") is None
