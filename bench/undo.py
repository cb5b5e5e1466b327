"""The safety net: what a snapshot costs before a command may destroy something."""

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.table import row, section
from snaphook.stores.snapshots import Risk, SnapshotStore

FILES = 10_000


def main() -> None:
    section("Undo: a repository of 10,000 files, ten of them changed")
    with tempfile.TemporaryDirectory() as name:
        root, shelf = Path(name) / "project", SnapshotStore(Path(name) / "undo")
        _make(root)
        git = median(_seconds(lambda: _run(root, "git status --porcelain")) for _ in range(9))
        took = [_seconds(lambda: shelf.keep(root, Risk())) for _ in range(15)]
        kept = shelf.find("1", root)
        _run(root, "git reset --hard -q")
        back = _seconds(lambda: shelf.undo(kept))
    row("a snapshot, median of 15", median(took) * 1000, "ms", 100)
    row("… over one 'git status' of the same tree", median(took) / git, "x")
    row("an undo", back * 1000, "ms")


def _make(root: Path) -> None:
    for number in range(FILES):
        path = root / f"part{number % 100}" / f"file{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"number = {number}\n" * 20)
    who = "git -c user.name=Ada -c user.email=ada@example.com"
    _run(root, f"git init -q && git add -A && {who} commit -qm one && git status -s")
    for number in range(10):
        (root / f"part{number}" / f"file{number}.py").write_text("changed = True\n")


def _run(root: Path, line: str) -> None:
    subprocess.run(["bash", "-c", line], cwd=root, check=True, capture_output=True)


def _seconds(run: Callable[[], object]) -> float:
    started = perf_counter()
    run()
    return perf_counter() - started
