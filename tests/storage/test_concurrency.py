"""No store loses what it acknowledged: several processes and connections, kills, a slow disk, a full one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.storage.stores import STORES
from tests.thorough import only_thoroughly, thorough

ROOT = Path(__file__).parents[2]
DISK = "2m"


def run(*command):
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def noted(folder, end):
    return {
        line
        for path in folder.with_name(f"{folder.name}.notes").glob(f"*.{end}")
        for line in path.read_text().splitlines()
    }


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", STORES)
def test_a_crowd_of_which_some_are_killed_loses_nothing(name, tmp_path):
    folder = tmp_path / "store"

    done = run(
        sys.executable, "-m", "tests.storage.crowd", "crowd", name, folder, str(thorough(5, 2))
    )

    assert done.returncode == 0, done.stderr
    acknowledged, tried = noted(folder, "done"), noted(folder, "tried") | {"first-0-0"}
    assert acknowledged
    store = STORES[name](folder)
    kept = store.kept()
    if not store.counts:
        assert acknowledged <= kept
        assert kept <= tried
    elif kept:
        assert len(acknowledged) + 1 <= len(kept) <= len(tried)
    assert store.problems() == []
    store.close()


SYNCS = "fsync,fdatasync"
DELAY_US = 4000


@pytest.mark.needs("strace")
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    "name",
    [
        "outbox",
        *(
            pytest.param(each, marks=only_thoroughly)
            for each in ("budget", "memory", "record database", "workspace", "event log")
        ),
    ],
)
def test_a_disk_whose_syncs_are_slow_loses_nothing(name, tmp_path):
    """Delayed in the kernel, below SQLite: between its writes, where another process gets in."""
    folder = tmp_path / "store"
    slow = f"inject={SYNCS}:delay_enter={DELAY_US}"
    strace = (
        "strace",
        "-f",
        "-qq",
        "-o",
        str(tmp_path / "trace"),
        "-e",
        f"trace={SYNCS}",
        "-e",
        slow,
    )

    done = run(
        *strace,
        *(sys.executable, "-m", "tests.storage.crowd", "crowd", name, folder, str(thorough(10, 2))),
    )

    assert done.returncode == 0, done.stderr
    assert "DELAYED" in (tmp_path / "trace").read_text(errors="replace")
    acknowledged, tried = noted(folder, "done"), noted(folder, "tried") | {"first-0-0"}
    store = STORES[name](folder)
    kept = store.kept()
    if not store.counts:
        assert acknowledged <= kept <= tried
    assert acknowledged
    assert store.problems() == []
    store.close()


def can_mount():
    if not shutil.which("unshare"):
        return False
    return run("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt").returncode == 0


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", STORES)
def test_on_a_full_disk_a_store_fails_loses_nothing_and_recovers(name, tmp_path):
    if not can_mount():
        pytest.skip("no mount namespace of one's own here")
    script = f'mount -t tmpfs -o size={DISK} none "$1" && exec "$2" -m tests.storage.crowd fill "$3" "$1"'

    done = run("unshare", "-rm", "sh", "-c", script, "sh", str(tmp_path), sys.executable, name)

    assert done.returncode == 0, done.stderr
