"""Files as they are found at a bad moment: a clear report, and never an overwrite."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from snaphook.errors import SnaphookError, StoreError
from snaphook.storage import files
from snaphook.stores.workspace import (
    AgentRecord,
    EventEntry,
    FileWorkspace,
    SkillOutcome,
    SkillUse,
    Task,
    WorkspaceSettings,
    layout_at,
    make_workspace,
    new_run_id,
    runs,
    start_run,
)

SETTINGS = WorkspaceSettings(max_mb=1, patience_seconds=0.2)


@pytest.fixture
def place(tmp_path: Path) -> FileWorkspace:
    make_workspace(tmp_path)
    return FileWorkspace(layout_at(tmp_path), SETTINGS)


DEEDS: dict[str, tuple[str, Callable[[FileWorkspace], object]]] = {
    "claim": ("queue", lambda place: place.claim("x")),
    "add": ("queue", lambda place: place.add(Task(id="N"))),
    "sweep": ("queue", lambda place: place.sweep()),
    "beat": ("heartbeat", lambda place: place.beat("x")),
    "agent": ("agents", lambda place: place.set_agent(AgentRecord(id="x"))),
    "skill": (
        "skills",
        lambda place: place.record_skill(SkillUse(task_id="A", outcome=SkillOutcome.SUCCESS)),
    ),
    "log": ("events", lambda place: place.log(EventEntry(type="x"))),
}
STATES: dict[str, bytes] = {
    "corrupt": b"tasks: [broken\nheartbeats: {",
    "truncated": b"tasks:\n- id: 'TASK-0",
    "binary": b"\x00\xff\xfe\x80" * 20,
    "conflicted": b"<<<<<<< ours\n- a: 1\n=======\n- b: 2\n>>>>>>> theirs\n",
    "huge": b"tasks:\n- id: A\n  x: '" + b"y" * (1 << 21) + b"\n",
}


@pytest.mark.req("BB-F")
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("deed", DEEDS)
def test_what_cannot_be_read_is_reported_and_left_as_it_is(
    place: FileWorkspace, deed: str, state: str
):
    name, act = DEEDS[deed]
    path: Path = getattr(place.layout, name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(STATES[state])

    with pytest.raises(StoreError) as caught:
        act(place)

    assert path.read_bytes() == STATES[state]
    assert str(path) in caught.value.where
    assert caught.value.fix


@pytest.mark.req("BB-SS-5")
def test_a_snapshot_tells_all_that_is_wrong_at_once_and_never_raises(place: FileWorkspace):
    place.layout.queue.write_bytes(STATES["corrupt"])
    place.layout.events.unlink()
    place.layout.heartbeat.write_bytes(STATES["binary"])

    seen = place.snapshot("x")

    assert [Path(problem.split(":")[0]).name for problem in seen.problems] == [
        "queue.yaml",
        "events.yaml",
        "heartbeat.yaml",
    ]
    assert (seen.counts.total, seen.claimed, seen.entries) == (0, None, ())


def test_a_snapshot_says_of_a_huge_queue_that_nobody_reads_it(place: FileWorkspace):
    place.layout.queue.write_bytes(STATES["huge"])

    assert "is 2 MB; up to 1 MB are read" in place.snapshot("x").problems[0]


def test_a_huge_log_is_appended_to_and_read_from_its_end(place: FileWorkspace):
    with place.layout.events.open("w") as file:
        for _ in range(20):
            file.write("- {type: old, notes: '" + "x" * (1 << 17) + "'}\n")
    place.log(EventEntry(type="new"))

    assert [entry.type for entry in place.entries(2)] == ["old", "new"]


@pytest.mark.parametrize("deed", ["claim", "add", "beat", "agent"])
def test_read_only_is_reported_and_nothing_changes(
    place: FileWorkspace, monkeypatch: pytest.MonkeyPatch, deed: str
):
    name, act = DEEDS[deed]
    path: Path = getattr(place.layout, name)
    place.layout.queue.write_text("tasks:\n- id: A\n")
    before = path.read_text()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anything

    with pytest.raises(StoreError, match=r"is read-only.*Nothing was changed"):
        act(place)
    assert path.read_text() == before
    assert [child.name for child in path.parent.iterdir() if child.name.endswith(".new")] == []


def test_a_full_disk_leaves_no_half_made_run(place: FileWorkspace, monkeypatch: pytest.MonkeyPatch):
    real = files.write_new

    def full(path: Path, raw: bytes, **kwargs: Any) -> None:
        if path.name == "DECISIONS.md":
            raise OSError(28, "No space left on device", str(path))
        real(path, raw, **kwargs)

    monkeypatch.setattr(runs, "write_new", full)
    with pytest.raises(StoreError, match="No space left"):
        start_run(place.layout, run_id=new_run_id(0.0), agent_type="executor", now=0.0)

    assert not any((place.layout.runs / "executor" / "active").iterdir())


def test_a_lock_that_is_held_too_long_names_its_holder(place: FileWorkspace):
    other = FileWorkspace(place.layout, SETTINGS)
    with other.locked(), pytest.raises(SnaphookError, match=f"process {os.getpid()} on"):
        place.claim("x")


def test_a_link_stays_a_link(place: FileWorkspace, tmp_path: Path):
    real = tmp_path / "elsewhere.yaml"
    place.layout.queue.rename(real)
    place.layout.queue.symlink_to(real)
    place.add(Task(id="A"))

    assert place.layout.queue.is_symlink()
    assert "id: A" in real.read_text()


def test_a_bomb_of_aliases_is_defused(place: FileWorkspace):
    bomb = "a: &a [x]\n" + "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n"
        for a, b in zip("abcdefghi", "bcdefghij", strict=True)
    )
    place.layout.heartbeat.write_text(f"{bomb}heartbeats: {{x: {{last_seen: *j, status: *j}}}}\n")
    place.layout.queue.write_text(f"{bomb}tasks:\n- id: A\n  title: *j\n")

    seen = place.snapshot("x")
    assert (seen.counts.total, seen.heartbeats["x"].last_seen) == (0, "")
    assert "alias" in seen.problems[0]
