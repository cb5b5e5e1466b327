"""A folder a thousand levels down is found in its project, without asking the disk for every whole path."""

import os
import subprocess
from pathlib import Path

import pytest

from snaphook.config import Environment
from snaphook.config.settings_files import candidates, outer_projects, project_root
from snaphook.shell.ancestors import ancestors_with
from snaphook.shell.repository import bare_root, git_root

LEVELS = 1000


@pytest.fixture(scope="module")
def deep(tmp_path_factory):
    """A folder below a project; made from within, since its path is too long to be made at once."""
    project = tmp_path_factory.mktemp("p")
    (project / ".git").mkdir()
    (project / "snaphook.toml").touch()
    here = os.open(project, os.O_RDONLY)
    for _ in range(LEVELS):
        os.mkdir("a", dir_fd=here)
        below = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    yield project, f"{project}{'/a' * LEVELS}"
    subprocess.run(["rm", "-rf", str(project / "a")], check=True)


def around(folder):
    return Environment.here(Path(folder), {"HOME": "/nobody"})


def counted(monkeypatch):
    """Return the list of whole paths that the kernel was asked about."""
    asked = []
    real = os.lstat

    def lstat(path, *, dir_fd=None):
        if dir_fd is None:
            asked.append(path)
        return real(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "lstat", lstat)
    return asked


def test_its_project_is_found_without_asking_for_every_whole_path(deep, monkeypatch):
    project, folder = deep
    asked = counted(monkeypatch)

    assert project_root(around(folder)) == project
    assert git_root(folder) == str(project)
    assert bare_root(folder) is None
    assert len(asked) < 50


def test_rules_of_its_project_hold_though_it_is_a_project_itself(deep, monkeypatch):
    project, folder = deep
    asked = counted(monkeypatch)
    root = Path(folder)

    assert project in outer_projects(root)
    assert project / "snaphook.toml" in {place.path for place in candidates(around(folder), root)}
    assert len(asked) < 200


def test_a_link_on_the_way_leads_where_the_path_says(tmp_path):
    (tmp_path / "real" / "in").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "real" / "snaphook.toml").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    found = ancestors_with(str(tmp_path / "link" / "in"), (".git", "snaphook.toml"))

    assert found[-2:] == [
        (str(tmp_path), [".git"]),
        (str(tmp_path / "link"), ["snaphook.toml"]),
    ]


def test_what_is_not_there_holds_nothing(tmp_path):
    assert ancestors_with(str(tmp_path / "gone" / "in"), ("never-a-name",)) == []
