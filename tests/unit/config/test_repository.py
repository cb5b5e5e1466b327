"""A repository has one name, wherever it was cloned."""

import subprocess

import pytest

from snaphook.config.repository import _identified, repository_of


@pytest.fixture(autouse=True)
def fresh():
    _identified.cache_clear()


def git(folder, *words):
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "one"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    git(folder, "commit", "-q", "--allow-empty", "-m", "second")
    return folder


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/Owner/name.git",
        "https://user:token@GitHub.com/Owner/name",
        "git@github.com:Owner/name.git",
        "ssh://git@github.com:22/Owner/name/",
    ],
)
def test_every_way_to_spell_a_remote_is_one_repository(repository, url):
    git(repository, "remote", "add", "origin", url)

    assert repository_of(repository) == "github.com/Owner/name"


def test_a_worktree_and_a_folder_below_belong_to_it(repository, tmp_path):
    git(repository, "remote", "add", "origin", "git@example.com:a/b.git")
    git(repository, "worktree", "add", "-q", str(tmp_path / "two"))
    (repository / "packages" / "web").mkdir(parents=True)

    assert repository_of(tmp_path / "two") == "example.com/a/b"
    assert repository_of(repository / "packages" / "web") == "example.com/a/b#packages/web"


def test_without_a_remote_the_first_commit_names_it_and_clones_follow(repository, tmp_path):
    first = git(repository, "rev-list", "--max-parents=0", "HEAD")
    git(tmp_path, "clone", "-q", str(repository), "clone")

    assert repository_of(repository) == f"root:{first}"
    assert repository_of(tmp_path / "clone") == f"root:{first}"


def test_a_folder_without_a_repository_is_itself(tmp_path):
    assert repository_of(tmp_path) == str(tmp_path)
