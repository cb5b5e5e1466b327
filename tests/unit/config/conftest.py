"""A home, a project and an administrator's folder, all below one temporary folder."""

from pathlib import Path

import pytest

from snaphook.config import Environment


@pytest.fixture
def around(tmp_path: Path) -> Environment:
    for folder in ("home", "project/.git", "etc"):
        (tmp_path / folder).mkdir(parents=True)
    return Environment(
        cwd=tmp_path / "project", home=tmp_path / "home", env={}, managed=tmp_path / "etc"
    )
