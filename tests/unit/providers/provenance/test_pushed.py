"""Commits that would be pushed: a secret that the session has read is not in them."""

import subprocess

import pytest

from .session import Told

KEY = "zk9Qw3eR7tY1uI5oP2aS4dF6gH8jK0lZ"


def git(told, *words):
    name = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *name, *words], cwd=told.project, check=True, capture_output=True)


@pytest.fixture
def told(tmp_path):
    """A session that has read a key, in a project whose remote has its first commit."""
    told = Told(tmp_path, {"app.py": "print(1)\n"})
    git(told, "init", "-q", "--bare", str(tmp_path / "origin.git"))
    git(told, "remote", "add", "origin", str(tmp_path / "origin.git"))
    git(told, "push", "-q", "origin", "HEAD")
    told.prompt("Clean up the settings and push.")
    told.play({"read": ".env", "text": f"PAYMENT_API_KEY={KEY}\n"})
    return told


def commit(told, file, text, message="Change"):
    (told.project / file).write_text(text)
    git(told, "add", "-A")
    git(told, "commit", "-qm", message)


@pytest.mark.parametrize(
    "command", ["git push", "git push origin HEAD:main", "git -C . push -u origin HEAD"]
)
def test_a_push_of_a_commit_with_the_secret_is_denied(told, command):
    commit(told, "settings.py", f"KEY = '{KEY}'\n")

    said, reason = told.play({"bash": command})

    assert said.value == "deny"
    assert "secret" in reason
    assert ".env" in reason


def test_taking_the_secret_out_in_a_later_commit_does_not_help(told):
    commit(told, "settings.py", f"KEY = '{KEY}'\n")
    commit(told, "settings.py", "KEY = ''\n")

    assert told.play({"bash": "git push"})[0].value == "deny"


def test_a_secret_in_the_message_of_a_commit_counts(told):
    commit(told, "app.py", "print(2)\n", message=f"Rotate {KEY}")

    assert told.play({"bash": "git push"})[0].value == "deny"


def test_other_commits_are_pushed(told):
    commit(told, "app.py", "print(2)\n")

    assert told.play({"bash": "git push"})[0] is None


def test_what_the_remote_has_already_is_not_looked_at(told):
    commit(told, "settings.py", f"KEY = '{KEY}'\n")
    git(told, "push", "-q", "origin", "HEAD")
    commit(told, "app.py", "print(3)\n")

    assert told.play({"bash": "git push"})[0] is None
