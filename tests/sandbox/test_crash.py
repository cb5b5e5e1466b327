"""Whoever is killed while confining or applying leaves nothing half done, mounted or running."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from tests.until import until

from snaphook.sandbox.apply import apply, recover
from snaphook.sandbox.overlay import Change, Kind

STEPS = ["noted", "staged", "staged", "committed", "moved", "moved", "moved", "moved"]
"""What an application of the changes below goes through, in order."""


@pytest.fixture
def project(tmp_path):
    """Return a project, and changes to it that lie beside it."""
    project, upper = tmp_path / "project", tmp_path / "upper"
    project.mkdir()
    upper.mkdir()
    (project / "old").write_text("old")
    (project / "gone").write_text("gone")
    (upper / "old").write_text("new")
    (upper / "made").write_text("made")
    (upper / "folder").mkdir()
    return project, (
        Change(path=f"{project}/folder", change=Kind.CREATED, upper=f"{upper}/folder", folder=True),
        Change(path=f"{project}/old", change=Kind.MODIFIED, upper=f"{upper}/old"),
        Change(path=f"{project}/folder/made", change=Kind.CREATED, upper=f"{upper}/made"),
        Change(path=f"{project}/gone", change=Kind.DELETED),
    )


def seen(project: Path) -> dict[str, str]:
    return {
        str(path.relative_to(project)): path.read_text() if path.is_file() else ""
        for path in project.rglob("*")
    }


OLD = {"old": "old", "gone": "gone"}
NEW = {"old": "new", "folder": "", "folder/made": "made"}


@pytest.mark.parametrize("at", range(len(STEPS)), ids=[f"{n} {one}" for n, one in enumerate(STEPS)])
def test_killed_while_applying_the_project_is_old_or_new(project, tmp_path, at):
    where, changes = project
    journals = tmp_path / "journals"
    count = [0]

    def killed(_name: str) -> None:
        if count[0] == at:
            os.kill(os.getpid(), signal.SIGKILL)
        count[0] += 1

    pid = os.fork()
    if not pid:  # the whole of us dies as well, so that nobody is left who would finish
        os.setpgid(0, 0)
        try:
            apply(changes, journals, step=killed)
        finally:
            os._exit(1)
    os.waitpid(pid, 0)
    recover(journals)

    assert seen(where) == (NEW if STEPS.index("committed") <= at else OLD)
    assert not list(journals.glob("*.json"))


def test_what_two_recover_is_recovered_once(project, tmp_path):
    where, changes = project
    journals = tmp_path / "journals"
    apply(changes, journals)

    assert recover(journals) == []
    assert seen(where) == NEW


STAGES = [
    "openat", "unshare", "open_tree", "mount_setattr", "move_mount",
    "clone", "landlock_restrict_self", "capset", "seccomp", "execve",
]  # fmt: skip
"""System calls that mark the stages of the helper; killed at the first of each kind."""


@pytest.mark.needs("strace")
@pytest.mark.parametrize("stage", STAGES)
def test_the_helper_killed_at_any_stage_leaves_nothing(new_box, stage):
    box = new_box()
    _, prefix = box.confiner().policy(box.world(), tag="s-c")
    box.own()
    mounts = Path("/proc/self/mountinfo").read_text()
    before = box.state()
    when = 2 if stage == "execve" else 1  # the first is the helper itself
    # strace stops it there and kills it: the command must not have run, and nobody may wait for it
    done = subprocess.run(
        ["strace", "-f", "-qq", "-o", "/dev/null", f"--inject={stage}:signal=KILL:when={when}",
         *prefix.words, "sh", "-c", "echo ran > ran; echo ran"],
        cwd=box.project, env=box.env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert done.returncode != 0
    assert "ran" not in done.stdout
    assert not (box.project / "ran").exists()
    assert box.state() == before
    assert Path("/proc/self/mountinfo").read_text() == mounts
    until(lambda: not left(prefix.policy))


def left(policy: str) -> list[str]:
    """Return the processes that were started with *policy* and still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if (
                policy.encode() in path.read_bytes().split(b"\0")
                and b"pytest" not in path.read_bytes()
            ):
                found.append(path.parent.name)
        except OSError:
            continue
    return found
