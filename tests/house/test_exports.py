"""What hook authors import is a short, pinned list."""

import subprocess
import sys

import pytest

import snaphook


@pytest.mark.parametrize("name", snaphook.__all__)
def test_every_exported_name_is_there(name):
    assert getattr(snaphook, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nope'"):
        _ = snaphook.Nope


def test_importing_the_package_imports_none_of_its_rooms():
    script = "import sys, snaphook; print([m for m in sys.modules if m.startswith('snaphook.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.stdout.strip() == "[]"
