"""Build the sdist and a wheel for every platform, and check them.

native/*.c + src/  ->  dist/snaphook-*.tar.gz, dist/snaphook-*-<platform>.whl

Everything is built twice, in different folders, and must have the same bytes. Wheels for this machine
are installed into fresh environments, one for each Python found, and their native client is asked to
block a call; the Linux client for arm64 is run under qemu where that is installed. What could not be
run here is listed at the end. ``--quick`` builds once and installs for one Python only.
"""

import argparse
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINE = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
CALL = (
    '{"hook_event_name": "PreToolUse", "session_id": "wheel", "cwd": "/", "tool_name": "Bash",'
    ' "tool_input": {"command": "rm -rf /"}}'
)


def targets() -> dict[str, object]:
    """Return the platforms that ``hatch_build.py`` knows."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hatch_build"] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    found: dict[str, object] = module.TARGETS
    return found


def build(into: Path) -> list[Path]:
    """Build everything into *into*: the wheels from the sdist, as a user without git would."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    _hatchling(ROOT, "sdist", into)
    (sdist,) = into.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        (source,) = Path(folder).iterdir()
        for name in targets():
            print(f"  {name}", flush=True)
            _hatchling(source, "wheel", into, SNAPHOOK_TARGET=name)
    return sorted(into.iterdir())


def _hatchling(source: Path, kind: str, into: Path, **env: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)],
        cwd=source,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"build_wheels.py: {kind} {env}: {done.stderr or done.stdout}")


def digests(files: list[Path]) -> dict[str, str]:
    """Return the SHA-256 of each file by its name."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def check_reproducible(built: list[Path]) -> str:
    """Build again elsewhere and compare."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ZIG_GLOBAL_CACHE_DIR"] = f"{folder}/zig"  # or it would hand out the first bytes
        again = digests(build(Path(folder) / "again"))
    del os.environ["ZIG_GLOBAL_CACHE_DIR"]
    first = digests(built)
    different = sorted(name for name in first if first[name] != again.get(name))
    if different:
        raise SystemExit(f"build_wheels.py: not reproducible: {', '.join(different)}")
    return f"{len(first)} files, the same bytes twice"


def check_metadata(built: list[Path]) -> str:
    """Run the checks that package indexes and their users run."""
    wheels = [str(file) for file in built if file.suffix == ".whl"]
    subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)], check=True
    )
    subprocess.run([sys.executable, "-m", "check_wheel_contents", *wheels], check=True)
    return "twine check --strict, check-wheel-contents"


def check_programs(built: list[Path]) -> str:
    """Make sure that every wheel carries its native client."""
    for wheel in (file for file in built if file.suffix == ".whl"):
        name = "snaphook-hook.exe" if "-win_" in wheel.name else "snaphook-hook"
        with zipfile.ZipFile(wheel) as archive:
            inside = [entry for entry in archive.namelist() if entry.endswith(f"scripts/{name}")]
        if not inside:
            raise SystemExit(f"build_wheels.py: {wheel.name} has no {name}")
    return "a native client in every wheel"


def check_installed(wheel: Path, python: str) -> str:
    """Install *wheel* for *python* without a compiler, and have its client block a call."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        venv = Path(folder) / "venv"
        env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "SNAPHOOK_NO_DAEMON": "1"}
        uv = [sys.executable, "-m", "uv", "--quiet"]
        subprocess.run([*uv, "venv", "--python", python, str(venv)], check=True)
        subprocess.run(
            [*uv, "pip", "install", "--python", str(venv / "bin" / "python"), str(wheel)],
            check=True,
        )
        (venv / "bin" / "snaphook-hook").stat()
        version = _run([str(venv / "bin" / "snaphook"), "--version"], env).stdout.strip()
        blocked = _run(
            [str(venv / "bin" / "snaphook-hook"), "claude-code", "PreToolUse"], env, CALL
        )
        if "deny" not in blocked.stdout:
            raise SystemExit(f"build_wheels.py: {wheel.name} on {python}: {blocked}")
    return f"{python}: {version}, installed, its native client blocks"


def check_arm64(wheel: Path) -> str:
    """Run the arm64 client under qemu: without Python beside it, it must refuse."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            (inside,) = (e for e in archive.namelist() if e.endswith("scripts/snaphook-hook"))
            program = Path(archive.extract(inside, folder))
        program.chmod(0o755)
        done = _run(
            ["qemu-aarch64", str(program), "claude-code", "PreToolUse"], {"HOME": folder}, CALL
        )
        if done.returncode != 2:
            raise SystemExit(f"build_wheels.py: arm64 client under qemu: {done}")
    return "arm64 client under qemu: runs, and refuses where nobody can answer"


def _run(
    command: list[str], env: dict[str, str], text: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=env, input=text, capture_output=True, text=True, check=False, timeout=60
    )


def pythons() -> Iterator[tuple[str, str]]:
    """Yield the version and path of each Python that is here: on the path, or kept by pyenv."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in PYTHONS:
        places = [shutil.which(f"python{version}"), *kept.glob(f"{version}.*/bin/python{version}")]
        for place in filter(None, places):
            if (
                _run([str(place), "-c", "pass"], dict(os.environ)).returncode == 0
            ):  # not a bare shim
                yield version, str(place)
                break


def main() -> int:
    """Build, check, and print what was proved."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="build once, install for one Python")
    quick: bool = parser.parse_args().quick
    print(f"building into {DIST.relative_to(ROOT)}/")
    built = build(DIST)
    checks: list[Callable[[], str]] = [
        partial(check_programs, built),
        partial(check_metadata, built),
    ]
    if not quick:
        checks.append(partial(check_reproducible, built))
    here = [wheel for wheel in built if f"manylinux_2_17_{MACHINE}" in wheel.name]
    found = dict(pythons())
    runnable = list(found.values())[: 1 if quick else None] if here else []
    checks += [partial(check_installed, here[0], python) for python in runnable]
    left_out = ["macOS and Windows wheels are built, not run"]
    left_out += [
        f"Python {version} is not installed" for version in PYTHONS if version not in found
    ]
    if shutil.which("qemu-aarch64"):
        (arm64,) = (w for w in built if "manylinux_2_17_aarch64" in w.name)
        checks.append(partial(check_arm64, arm64))
    else:
        left_out.append("qemu-aarch64 is not installed: the arm64 client was not run")
    for check in checks:
        print(f"ok  {check()}", flush=True)
    for file in built:
        print(f"    {file.stat().st_size / 1024:7.0f} KB  {file.name}")
    for reason in left_out:
        print(f"not checked here: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
