"""Whether a real repository holds unsaved work is asked of git, with nothing of its own run."""

import subprocess

import pytest

from snaphook.providers.guard.live import LiveWorld

pytestmark = pytest.mark.req("BB-PT-3")


@pytest.fixture
def repository(tmp_path):
    def git(*words):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True)

    git("init", "-q")
    git("config", "user.email", "ada@example.com")
    git("config", "user.name", "Ada")
    (tmp_path / "a.txt").write_text("one\n")
    git("add", "a.txt")
    git("commit", "-qm", "one")
    return tmp_path


def test_a_fresh_commit_leaves_nothing_unsaved(repository):
    assert LiveWorld(str(repository)).clean(str(repository)) is True


def test_a_changed_file_is_unsaved_work(repository):
    (repository / "a.txt").write_text("two\n")

    assert LiveWorld(str(repository)).clean(str(repository)) is False


def test_a_repository_cannot_make_the_guard_run_its_programs(repository):
    marker = repository / "ran"
    hook = repository / "monitor.sh"
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    subprocess.run(
        ["git", "-C", str(repository), "config", "core.fsmonitor", str(hook)], check=True
    )

    LiveWorld(str(repository)).clean(str(repository))

    assert not marker.exists()


def test_outside_a_repository_nothing_is_known(tmp_path):
    assert LiveWorld(str(tmp_path)).clean(str(tmp_path)) is None
