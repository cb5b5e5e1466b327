"""Build the native client with the package, where there is a compiler.

native/client.c  ->  bin/snaphook-hook

Without one the package is pure Python, and ``snaphook hook`` does the same work more slowly;
``snaphook doctor`` says which of the two is in use.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the client into the wheel's scripts."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled client to *build_data*; leave it alone where nothing compiles."""
        if self.target_name != "wheel" or os.environ.get("SNAPHOOK_PURE"):
            return
        client = compile_client(Path(self.root))
        if client is None:
            self.app.display_warning("no C compiler: snaphook hook will run in Python")
            return
        build_data["shared_scripts"][str(client)] = "snaphook-hook"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform()}"


def compile_client(root: Path) -> Path | None:
    """Return the client compiled from *root*, static where the system lets it be; or nothing."""
    compiler = (
        os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    )
    if compiler is None:
        return None
    package = (root / "src" / "snaphook" / "__init__.py").read_text(encoding="utf-8")
    told = re.search(r'^__version__ = "(.+)"$', package, re.MULTILINE)
    assert told is not None
    target = root / "build" / "snaphook-hook"
    target.parent.mkdir(exist_ok=True)
    words = ["-std=c11", "-O2", "-Wall", f'-DSNAPHOOK_VERSION="{told[1]}"']
    words += [str(root / "native" / "client.c"), "-o", str(target)]
    for static in (["-static"], []):
        if sys.platform == "darwin" and static:
            continue
        done = subprocess.run(
            [*compiler.split(), *static, *words], capture_output=True, check=False
        )
        if done.returncode == 0:
            return target
    return None


def _platform() -> str:
    from packaging.tags import sys_tags

    return next(tag.platform for tag in sys_tags())
