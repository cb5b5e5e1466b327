"""bridges: each shim says what to install, stays thin, and imports its SDK alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from snaphook.bridges.table import SDKS, Sdk
from snaphook.installed import install_command

ROOM = Path(__file__).parents[3] / "src" / "snaphook" / "bridges"


@pytest.mark.parametrize("sdk", SDKS.values(), ids=lambda sdk: sdk.name)
def test_a_missing_sdk_is_told_with_the_line_that_installs_it(sdk: Sdk):
    code = (
        f"import sys; sys.modules[{sdk.package!r}] = None\n"
        "from snaphook.errors import MissingExtra\n"
        f"try: import snaphook.bridges.{sdk.module}\n"
        "except MissingExtra as missing: print(missing.fix)\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert done.stdout == f"Run: {install_command(sdk.extra)}\n", done.stderr


@pytest.mark.parametrize("sdk", SDKS.values(), ids=lambda sdk: sdk.name)
def test_a_shim_is_thin(sdk: Sdk):
    for file in ROOM.glob(f"{sdk.module}*.py"):
        assert len(file.read_text().splitlines()) <= 150, file.name


def test_the_bridge_itself_imports_no_sdk():
    packages = [sdk.package for sdk in SDKS.values()]
    code = f"import snaphook.bridges, sys; print([p for p in {packages} if p in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert done.stdout == "[]\n"
