"""The package is what its metadata says."""

from importlib.metadata import version
from pathlib import Path

import snaphook


def test_the_version_is_told_in_one_place():
    assert version("snaphook") == snaphook.__version__


def test_the_package_ships_its_types():
    assert (Path(snaphook.__file__).parent / "py.typed").exists()
