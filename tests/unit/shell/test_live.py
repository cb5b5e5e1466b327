"""The real machine answers the guard's questions, and never raises."""

import os

import pytest

from snaphook.shell import repository
from snaphook.shell.live import LiveWorld


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "config").write_text("[alias]\n\tnuke = !rm -rf .\n[core]\n\tbare = false\n")
    (root / ".gitignore").write_text("# made\n/out\n*.gen\ncache/\n!keep.gen\n")
    (root / "src").mkdir()
    return root


def test_the_project_is_found_from_below(project):
    assert LiveWorld(str(project / "src")).project == str(project)


@pytest.mark.parametrize(
    ("name", "ignored"),
    [
        ("out", True),
        ("out/x", True),
        ("src/out", False),
        ("src/a.gen", True),
        ("a/cache/b", True),
        ("src", False),
    ],
)
def test_plain_patterns_of_gitignore_are_known(project, name, ignored):
    assert LiveWorld(str(project)).ignored(f"{project}/{name}") is ignored


def test_an_alias_is_read_from_the_repository(project):
    world = LiveWorld(str(project))

    assert world.git_config("alias.nuke", str(project / "src")) == "!rm -rf ."
    assert world.git_config("alias.none", str(project)) is None


def test_a_linked_worktree_is_known_by_its_file(project, tmp_path):
    linked = tmp_path / "linked"
    linked.mkdir()
    own = project / ".git/worktrees/linked"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (linked / ".git").write_text(f"gitdir: {own}\n")
    world = LiveWorld(str(linked))

    assert world.linked_worktree(str(linked / "deep"))
    assert not world.linked_worktree(str(project))


def test_links_kinds_names_and_texts_are_told(project):
    (project / "link").symlink_to("/etc")
    (project / "file").write_text("hello")
    world = LiveWorld(str(project))

    assert world.real(f"{project}/link/x") == os.path.realpath("/etc/x")
    assert world.kind(f"{project}/file") == "file"
    assert world.kind(f"{project}/src") == "dir"
    assert world.kind(f"{project}/none") is None
    assert "file" in (world.names(str(project)) or [])
    assert world.text(f"{project}/file", 10) == "hello"
    assert world.text(f"{project}/file", 3) is None


@pytest.mark.parametrize(
    ("given", "cwd"), [("/a/b/", "/a/b"), ("/a/../b", "/b"), ("", "/"), ("~/x", "/home/me/x")]
)
def test_the_current_directory_is_made_absolute(given, cwd, monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")

    assert LiveWorld(given).cwd == cwd


@pytest.mark.parametrize("path", ["/no/such/place", "bad\0name", "", "/etc/shadow/x"])
def test_what_cannot_be_told_is_none(path):
    world = LiveWorld("/")

    assert world.names(path) is None
    assert world.text(path, 10) is None
    assert world.kind(path) is None
    assert isinstance(world.real(path), str)


def test_a_repository_that_is_made_later_is_seen(tmp_path, monkeypatch):
    now = 100.0
    monkeypatch.setattr(repository, "monotonic", lambda: now)
    before = LiveWorld(str(tmp_path / "deep")).project
    (tmp_path / ".git").mkdir()
    now = 101.0

    assert before == str(tmp_path / "deep")
    assert LiveWorld(str(tmp_path / "deep")).project == str(tmp_path)
