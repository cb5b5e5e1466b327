"""Build the native programs with the package.

native/*.c  +  a compiler  ->  bin/snaphook-hook, bin/snaphook-sandbox

The compiler is the machine's own, or ``ziglang`` from PyPI, which the build asks for where the
machine has none. ``SNAPHOOK_TARGET`` cross-compiles for another platform (``make wheels`` does so
for every one of ``TARGETS``), ``SNAPHOOK_PURE`` leaves the programs out. Without them the package is
pure Python and does the same work more slowly; ``snaphook doctor`` says which of the two is in use.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ZIG = "ziglang>=0.15,<0.18"

SLOW = """\
snaphook: built without its native client, because no C compiler works here. Each hook call then
starts Python, which takes about 15 times as long. Install a wheel instead of the source, or install
a C compiler and run: pip install --force-reinstall --no-binary snaphook snaphook
"""


@dataclass(frozen=True, kw_only=True)
class Target:
    """A platform that wheels are built for."""

    triple: str
    """What the cross compiler calls it."""

    tags: str
    """The platform tags of its wheel. A static Linux program runs on every libc."""

    @property
    def system(self) -> str:
        """``linux``, ``macos`` or ``windows``."""
        return re.split(r"[-.]", self.triple)[1]


# manylinux 2.17 is the oldest that pip still installs for; macOS 11 is the first on arm64.
TARGETS = {
    "linux-x86_64": Target(
        triple="x86_64-linux-musl",
        tags="manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ),
    "linux-aarch64": Target(
        triple="aarch64-linux-musl",
        tags="manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ),
    "macos-arm64": Target(triple="aarch64-macos.11.0", tags="macosx_11_0_arm64"),
    "macos-x86_64": Target(triple="x86_64-macos.10.15", tags="macosx_10_15_x86_64"),
    "windows-x64": Target(triple="x86_64-windows-gnu", tags="win_amd64"),
    "windows-arm64": Target(triple="aarch64-windows-gnu", tags="win_arm64"),
}

HERE = {"linux": "linux", "darwin": "macos", "win32": "windows"}.get(sys.platform, "")

# Program, system -> source. A system that is not listed does without that program.
PROGRAMS = {
    ("snaphook-hook", "linux"): "client.c",
    ("snaphook-hook", "macos"): "client.c",
    ("snaphook-hook", "windows"): "client_windows.c",
    ("snaphook-sandbox", "linux"): "sandbox.c",
    ("snaphook-sandbox", "macos"): "sandbox.c",
}

# Programs that bring the few library functions they need, and so start in half the time again.
# Where that does not compile (another processor, another libc), the system's library serves.
FREESTANDING = {
    "snaphook-sandbox": (
        "native/sandbox_libc.c",
        "-nostdlib",
        "-fno-stack-protector",
        "-fno-builtin",
        "-U_FORTIFY_SOURCE",
    )
}


class NativeBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the programs into the wheel's scripts."""

    def dependencies(self) -> list[str]:
        """Ask for a compiler where the machine has none."""
        wanted = self.target_name == "wheel" and not os.environ.get("SNAPHOOK_PURE")
        return [ZIG] if wanted and (_target() or _own_compiler() is None) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled programs to *build_data*; leave it alone where nothing compiles."""
        if self.target_name != "wheel" or os.environ.get("SNAPHOOK_PURE"):
            return
        target = _target()
        built = compile_programs(Path(self.root), target)
        if not built and target:
            raise SystemExit(f"hatch_build.py: nothing compiles for {target.triple}.")
        if not built:
            _say_that_it_is_slow()
            return
        for program in built:
            build_data["shared_scripts"][str(program)] = program.name
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{target.tags if target else _platform()}"


def compile_programs(root: Path, target: Target | None = None) -> list[Path]:
    """Return the programs compiled from *root* for *target*, or for this machine; or nothing."""
    compiler = _cross_compiler(target) if target else _own_compiler() or _zig()
    if compiler is None:
        return []
    folder = root / "build" / (target.triple if target else "here")
    folder.mkdir(parents=True, exist_ok=True)
    system = target.system if target else HERE
    sources = {name: source for (name, on), source in PROGRAMS.items() if on == system}
    suffix = ".exe" if system == "windows" else ""
    version = f'-DSNAPHOOK_VERSION="{_version(root)}"'
    built = []
    for name, source in sources.items():
        words = ["-std=c11", "-O2", "-Wall", version, f"native/{source}"]
        made = _compile(compiler, words, folder / f"{name}{suffix}", system=system, root=root)
        if made is None:
            return []
        built.append(made)
    return built


def _compile(
    compiler: Sequence[str], words: Iterable[str], program: Path, *, system: str, root: Path
) -> Path | None:
    """Compile; static where the system lets it be, and stripped, so that no path of ours is in it."""
    libraries = ["-lshell32", "-ladvapi32"] if system == "windows" else []
    # macOS has no static libc; elsewhere a static program starts in half the time.
    ways: list[list[str]] = [["-static"], []] if system == "linux" else [[]]
    if system == "linux" and program.name in FREESTANDING:
        ways.insert(0, ["-static", *FREESTANDING[program.name]])
    for static in ways:
        done = subprocess.run(
            [*compiler, *static, *words, "-s", *libraries, "-o", str(program)],
            capture_output=True,
            check=False,
            cwd=root,
        )
        if done.returncode == 0:
            program.with_suffix(".pdb").unlink(missing_ok=True)
            return program
        sys.stderr.write(done.stderr.decode(errors="replace"))
    return None


def _target() -> Target | None:
    name = os.environ.get("SNAPHOOK_TARGET")
    if name and name not in TARGETS:
        raise SystemExit(
            f"SNAPHOOK_TARGET: unknown platform {name!r}. Use one of: {', '.join(TARGETS)}."
        )
    return TARGETS[name] if name else None


def _own_compiler() -> list[str] | None:
    if given := os.environ.get("CC"):
        return given.split()
    found = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    return [found] if found else None


def _zig() -> list[str] | None:
    """Return zig's C compiler, from the package of that name."""
    try:
        import ziglang  # noqa: F401 - run as a module below
    except ImportError:
        return None
    return [sys.executable, "-m", "ziglang", "cc"]


def _cross_compiler(target: Target) -> list[str] | None:
    zig = _zig()
    return [*zig, "-target", target.triple] if zig else None


def _version(root: Path) -> str:
    package = (root / "src" / "snaphook" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', package, re.MULTILINE)
    assert found is not None
    return found[1]


def _platform() -> str:
    from packaging.tags import sys_tags

    return next(tag.platform for tag in sys_tags())


def _say_that_it_is_slow() -> None:
    """Say so on the terminal too: installers keep a build's output to themselves."""
    sys.stderr.write(SLOW)
    try:
        with Path("/dev/tty").open("w", encoding="utf-8") as terminal:
            terminal.write(SLOW)
    except OSError:
        return
