"""Whether a real repository holds unsaved work is asked of git, with nothing of its own run."""

import os
import subprocess
from pathlib import Path

import pytest

from snaphook.providers.guard import GuardAnswer, GuardSettings, examine
from snaphook.shell.live import LiveWorld
from snaphook.shell.repository import Repository, Unsaved

NO_TEMP = GuardSettings(temp_dirs=())
"""The tests' folders are temporary ones; here they are to count as any other."""


def git(where, *words):
    quiet = ["-c", "protocol.file.allow=always", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(where), *quiet, *words], check=True, capture_output=True)


def made(root):
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.email", "ada@example.com")
    git(root, "config", "user.name", "Ada")
    (root / "a.txt").write_text("one\n")
    (root / "src").mkdir()
    (root / "src/b.txt").write_text("one\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    return root


def unsaved(where, **options):
    return LiveWorld(str(where)).unsaved(Repository(cwd=str(where)), **options)


def answer(command, cwd, project=None, env=None):
    around = {"HOME": str(Path(cwd).parent), "PATH": os.environ["PATH"], **(env or {})}
    world = LiveWorld(str(cwd), project=str(project or ""), env=around)
    return examine(command, world, settings=NO_TEMP).answer


@pytest.fixture
def repository(tmp_path):
    return made(tmp_path / "project")


@pytest.fixture
def linked(repository):
    git(repository, "worktree", "add", "-q", "-b", "topic", "../linked")
    return repository.parent / "linked"


@pytest.fixture
def with_submodule(repository):
    made(repository.parent / "library")
    git(repository, "submodule", "add", "-q", "../library", "lib")
    git(repository, "commit", "-qm", "lib")
    return repository


@pytest.mark.req("BB-PT-3")
def test_a_fresh_commit_leaves_nothing_unsaved(repository):
    assert unsaved(repository) == Unsaved()


@pytest.mark.req("BB-PT-3")
def test_changed_untracked_and_ignored_files_are_told_apart(repository):
    (repository / ".gitignore").write_text("*.log\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "ignore")
    (repository / "x.log").write_text("x")
    assert unsaved(repository, ignored=True) == Unsaved(ignored=True)

    (repository / "new.txt").write_text("x")
    assert unsaved(repository) == Unsaved(untracked=True)

    (repository / "a.txt").write_text("two\n")
    assert unsaved(repository) == Unsaved(tracked=True, untracked=True)
    assert unsaved(repository, paths=("src",)) == Unsaved()


def test_a_repository_cannot_make_the_guard_run_its_programs(repository):
    marker = repository / "ran"
    hook = repository / "monitor.sh"
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(hook))

    unsaved(repository)

    assert not marker.exists()


def test_outside_a_repository_nothing_is_known(tmp_path):
    assert unsaved(tmp_path) is None


DISCARDS = [
    "git reset --hard",
    "git checkout -- .",
    "git checkout .",
    "git checkout -f",
    "git restore .",
    "git restore a.txt",
    "git checkout a.txt",
    "git checkout HEAD a.txt",
    "git checkout HEAD -- a.txt",
    "git stash -q; git stash drop",
    "git read-tree --reset -u HEAD",
    "git checkout-index -f a.txt",
    "git switch --discard-changes main",
    "git rm -f a.txt",
]


@pytest.mark.parametrize("command", DISCARDS)
@pytest.mark.parametrize("place", ["repository", "linked"])
def test_changes_are_kept_in_every_work_tree(command, place, request):
    root = request.getfixturevalue(place)
    (root / "a.txt").write_text("two\n")

    assert answer(command, root) >= GuardAnswer.ASK


@pytest.mark.parametrize("command", [one for one in DISCARDS if "stash" not in one])
@pytest.mark.parametrize("place", ["repository", "linked"])
def test_where_nothing_is_unsaved_nobody_is_asked(command, place, request):
    root = request.getfixturevalue(place)

    assert answer(command, root) is GuardAnswer.ALLOW


@pytest.mark.parametrize("place", ["repository", "linked"])
def test_only_the_paths_named_are_at_stake(place, request):
    root = request.getfixturevalue(place)
    (root / "a.txt").write_text("two\n")

    assert answer("git checkout -- src", root) is GuardAnswer.ALLOW
    assert answer("git restore src/b.txt", root) is GuardAnswer.ALLOW
    assert answer("git checkout src/b.txt a.txt", root) is GuardAnswer.ASK


@pytest.mark.parametrize("place", ["repository", "linked"])
def test_clean_asks_only_about_what_is_untracked(place, request):
    root = request.getfixturevalue(place)
    (root / "a.txt").write_text("two\n")
    assert answer("git clean -fd", root) is GuardAnswer.ALLOW

    (root / "notes.md").write_text("mine\n")
    assert answer("git clean -fd", root) is GuardAnswer.ASK
    assert answer("git clean -fd src", root) is GuardAnswer.ALLOW


def test_cleaning_with_x_counts_what_is_ignored(repository):
    (repository / ".git/info/exclude").write_text(".env\n")
    (repository / ".env").write_text("KEY=1\n")

    assert answer("git clean -fd", repository) is GuardAnswer.ALLOW
    assert answer("git clean -fdx", repository) is GuardAnswer.ASK
    assert answer("git clean -fX", repository) is GuardAnswer.ASK


def test_staging_first_puts_untracked_files_at_stake(repository):
    (repository / "notes.md").write_text("mine\n")

    assert answer("git reset --hard", repository) is GuardAnswer.ALLOW
    assert answer("git add -A && git reset --hard", repository) >= GuardAnswer.ASK


def test_a_reset_to_another_commit_is_asked_about_in_a_clean_tree(repository):
    assert answer("git reset --hard HEAD~1", repository) is GuardAnswer.ASK
    assert answer("git reset --hard HEAD", repository) is GuardAnswer.ALLOW


def test_dropping_a_stash_is_no_backup(repository):
    (repository / "a.txt").write_text("two\n")

    assert answer("git stash drop; git reset --hard", repository) is GuardAnswer.DENY


@pytest.mark.parametrize(
    "command",
    [
        "git -C ../linked reset --hard",
        "cd ../linked && git checkout -- .",
        "git worktree remove --force ../linked",
        "git --git-dir=../linked/.git --work-tree=../linked reset --hard",
        "GIT_DIR=$PWD/.git/worktrees/linked GIT_WORK_TREE=../linked git checkout -- .",
        "export GIT_WORK_TREE=../linked GIT_DIR=../linked/.git; git restore .",
    ],
)
def test_another_work_tree_is_found_by_whatever_names_it(command, repository, linked):
    assert answer(command, repository, repository) is GuardAnswer.ALLOW
    (linked / "a.txt").write_text("two\n")

    assert answer(command, repository, repository) >= GuardAnswer.ASK


def test_a_linked_worktree_among_temporary_files_is_work_all_the_same(repository, linked):
    (linked / "a.txt").write_text("two\n")
    around = {"HOME": "/home/me", "PATH": os.environ["PATH"]}
    world = LiveWorld(str(repository), project=str(repository), env=around)
    settings = GuardSettings(temp_dirs=(str(repository.parent),))

    assert (
        examine("git -C ../linked reset --hard", world, settings=settings).answer >= GuardAnswer.ASK
    )


@pytest.mark.parametrize(
    "command",
    [
        "git -C lib reset --hard",
        "cd lib && git checkout -- .",
        "git submodule deinit -f lib",
        "git submodule deinit --all --force",
        "git submodule update --force",
        "git submodule foreach 'git reset --hard'",
        "git submodule foreach --recursive git checkout -- .",
    ],
)
def test_work_in_a_submodule_is_kept(command, with_submodule):
    (with_submodule / "lib/a.txt").write_text("two\n")

    assert answer(command, with_submodule) >= GuardAnswer.ASK


def test_a_submodule_is_no_linked_worktree(with_submodule, linked):
    world = LiveWorld(str(with_submodule))

    assert not world.linked_worktree(str(with_submodule / "lib"))
    assert world.linked_worktree(str(linked / "src"))


def test_a_sparse_checkout_keeps_its_changes(repository):
    git(repository, "sparse-checkout", "set", "src")
    assert answer("git reset --hard", repository) is GuardAnswer.ALLOW

    (repository / "src/b.txt").write_text("two\n")
    assert answer("git reset --hard", repository) >= GuardAnswer.ASK
    assert answer("git checkout --ignore-skip-worktree-bits -- .", repository) is GuardAnswer.ASK


def test_aliases_of_the_shared_settings_count_in_a_linked_worktree(repository, linked):
    git(repository, "config", "alias.undo", "reset --hard")
    (linked / "a.txt").write_text("two\n")

    assert answer("git undo", linked) is GuardAnswer.DENY


def test_a_bare_repository_has_history_and_no_work_tree(repository):
    bare = repository.parent / "app.git"
    git(repository, "clone", "-q", "--bare", ".", str(bare))
    git(bare, "config", "alias.gone", "branch -D")

    assert answer("git branch -D main", bare) is GuardAnswer.ASK
    assert answer("git gone main", bare) is GuardAnswer.ASK
    assert answer("git log --oneline", bare) is GuardAnswer.ALLOW
    assert answer("rm -rf objects", bare) is GuardAnswer.DENY
    assert answer("rm -rf ../app.git/refs", repository) is GuardAnswer.DENY
    assert answer("rm -rf .", bare) is GuardAnswer.DENY
