"""What ails a workspace is found, named, and mended where nobody has to decide."""

import os
from pathlib import Path

import pytest

from snaphook.errors import StoreError
from snaphook.stores.workspace import FileWorkspace, WorkspaceSettings, layout_at, make_workspace
from snaphook.stores.workspace.doctor import examine, glance, look, mend, restore
from snaphook.stores.workspace.graph import cycles

from .conftest import START, Clock
from .samples import CURRENT


@pytest.fixture
def place(tmp_path: Path, clock: Clock) -> FileWorkspace:
    make_workspace(tmp_path)
    return FileWorkspace(layout_at(tmp_path), WorkspaceSettings(patience_seconds=1), clock=clock)


def queue(place: FileWorkspace, text: str) -> None:
    place.layout.queue.write_text(text)


def whats(place: FileWorkspace) -> list[str]:
    return [finding.what for finding in examine(place)]


def test_a_healthy_workspace_has_no_findings(place: FileWorkspace):
    queue(place, CURRENT)

    assert (examine(place), glance(place), look(place)) == ([], [], [])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param("tasks:\n- {id: A}\n- {id: A}\n", "'A' appears 2 times", id="an id twice"),
        pytest.param(
            "tasks:\n- id: A\n  blockedBy: [B]\n",
            "A waits for 'B', which does not exist",
            id="dangling",
        ),
        pytest.param(
            "tasks:\n- id: A\n  blockedBy: [B]\n- id: B\n  blockedBy: [A]\n",
            "A waits for B waits for A",
            id="a ring",
        ),
        pytest.param("tasks:\n- id: A\n  blockedBy: [A]\n", "A waits for A", id="a ring of one"),
        pytest.param(
            "tasks:\n- id: A\n  status: someday\n",
            "A: status 'someday' is unknown and counts as blocked",
            id="an unknown status",
        ),
        pytest.param(
            "tasks:\n- id: A\n  status: in_progress\n  claimed_by: x\n  claimed_at: '2027-01-13T08:00:00Z'\n",
            "has been in progress for 48 hours ('x')",
            id="stuck",
        ),
        pytest.param(
            "tasks:\n- {id: A, status: claimed, claimed_by: x, lease_until: '2027-01-15T07:00:00Z'}\n",
            "its holder 'x' has sent no heartbeat for too long",
            id="held by the dead",
        ),
        pytest.param("tasks:\n- id: 'A\n", "is not valid YAML", id="broken"),
        pytest.param("", "is not valid YAML (it is empty)", id="empty"),
    ],
)
def test_each_ailment_is_named(place: FileWorkspace, text: str, what: str):
    queue(place, text)

    assert any(what in found for found in whats(place))


def test_what_a_session_start_can_see_costs_no_parse_of_the_whole(
    place: FileWorkspace, clock: Clock
):
    queue(place, CURRENT)
    place.claim("x", "TASK-002")
    clock.forward(121)
    (place.layout.communications / ".queue.lock").touch()
    os.utime(place.layout.communications / ".queue.lock", (START - 7200, START - 7200))
    (place.layout.private / "journal" / "001-cut").mkdir(parents=True)
    place.layout.events.unlink()

    assert [finding.what for finding in glance(place)] == [
        "does not exist",
        "'001-cut' was interrupted",
        "is a lock file that another tool left behind long ago",
        "its holder 'x' has sent no heartbeat for too long",
    ]


def test_what_needs_no_decision_is_mended(place: FileWorkspace, clock: Clock):
    queue(place, CURRENT)
    place.claim("x", "TASK-002")
    clock.forward(121)
    lock = place.layout.communications / ".queue.lock"
    lock.touch()
    os.utime(lock, (START - 7200, START - 7200))
    (place.layout.communications / ".queue.yaml.new").write_text("half")
    place.layout.task_folder("TASK-001").mkdir(parents=True)
    before = len(examine(place))

    done = mend(place)

    assert (before, len(done), examine(place)) == (4, 4, [])
    assert place.layout.task_folder("TASK-001", "completed").is_dir()
    assert mend(place) == []


def test_a_broken_queue_is_restored_from_its_backup_and_kept_beside_it(place: FileWorkspace):
    queue(place, CURRENT)
    place.claim("x", "TASK-002")
    whole = place.layout.queue.read_text()
    place.release(place.claims_of("x")[0])
    queue(place, "tasks: [broken")
    with pytest.raises(StoreError, match="It was not changed"):
        place.claim("x")
    assert place.layout.queue.read_text() == "tasks: [broken"

    restore(place, place.layout.queue)

    assert place.layout.queue.read_text() == whole
    [kept] = place.layout.communications.glob("queue.yaml.broken-*")
    assert kept.read_text() == "tasks: [broken"


def test_backups_are_bounded(place: FileWorkspace):
    queue(place, CURRENT)
    for _ in range(8):
        claim = place.claim("x", "TASK-002")
        assert claim is not None
        place.release(claim)

    assert len(place.backups.versions(place.layout.queue)) == place.settings.backups


@pytest.mark.parametrize(
    ("waits", "rings"),
    [
        pytest.param({"A": ["B"], "B": []}, [], id="a line"),
        pytest.param({"A": ["B"], "B": ["C"], "C": ["B"]}, [["B", "C"]], id="a ring with a tail"),
        pytest.param({"A": ["B", "C"], "B": ["D"], "C": ["D"], "D": []}, [], id="a diamond"),
        pytest.param({str(n): [str(n + 1)] for n in range(5000)}, [], id="a long line"),
    ],
)
def test_rings_are_found(waits: dict[str, list[str]], rings: list[list[str]]):
    assert cycles(waits) == rings
