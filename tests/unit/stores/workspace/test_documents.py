"""Task documents, run folders and the small files, in the shapes they are found in."""

from pathlib import Path

import pytest

from snaphook.stores.workspace import (
    AgentRecord,
    FileWorkspace,
    Heartbeat,
    PlannerLoop,
    all_runs,
    layout_at,
    make_workspace,
    read_document,
    start_run,
    with_status,
)
from snaphook.stores.workspace.documents import agents_from, loop_from
from snaphook.stores.workspace.layout import COMMUNICATIONS
from snaphook.stores.workspace.runs import is_filled
from snaphook.stores.workspace.settings import WorkspaceSettings
from snaphook.stores.workspace.task_document import Criterion, TaskDocument

DOCUMENT = """\
---
task_id: TASK-007
title: Mend the gate
linked_goal: IG-001
linked_plan: PLAN-2
status: pending
priority: high
---
# TASK-007: Mend the gate

**Status:** pending

## Objective

It closes.

```sh
## not a heading
```

---

## Acceptance Criteria

### Must
- [x] It opens
- [ ] It closes

## Approach
With oil.
"""


@pytest.mark.req("BB-SS-2")
def test_a_task_document_is_understood():
    found = read_document(DOCUMENT)

    assert found == TaskDocument(
        id="TASK-007",
        title="Mend the gate",
        status="pending",
        priority="HIGH",
        goal="IG-001",
        plan="PLAN-2",
        objective="It closes.\n\n```sh\n## not a heading\n```",
        approach="With oil.",
        criteria=(Criterion("It opens", True), Criterion("It closes", False)),
        sections=found.sections,
        front=found.front,
    )
    assert found.sections["approach"] == "With oil."


def test_a_document_without_front_matter_is_understood_from_its_text():
    head = "# TASK-ARCH-028: Placeholders\n\n**Status:** completed\n**Priority:** MEDIUM\n"
    text = f"{head}\n## Success Criteria\n- [x] Done\n"
    found = read_document(text, where="task.md")

    assert (found.id, found.title, found.status, found.priority) == (
        "TASK-ARCH-028",
        "Placeholders",
        "completed",
        "MEDIUM",
    )
    assert found.criteria == (Criterion("Done", True),)
    assert found.problems == ("task.md: has no objective",)


def test_a_status_is_changed_wherever_it_is_stated_and_nothing_else_is():
    assert with_status(DOCUMENT, "completed") == DOCUMENT.replace(
        "status: pending", "status: completed"
    ).replace("**Status:** pending", "**Status:** completed")


def test_a_run_folder_has_everything_and_is_found_again(tmp_path: Path):
    layout = layout_at(tmp_path)
    run = start_run(
        layout, run_id="run-1", agent_type="executor", now=0.0, task_id="A", project="p"
    )
    (layout.runs / "planner" / "run-0002").mkdir(parents=True)
    (layout.runs / "run-20260206-082556-TASK-1").mkdir()
    (run.folder / "THOUGHTS.md").write_text("# Thoughts\n\nIt works.\n")

    assert sorted((r.id, r.agent_type, r.state) for r in all_runs(layout)) == [
        ("run-0002", "planner", ""),
        ("run-1", "executor", "active"),
        ("run-20260206-082556-TASK-1", "unknown", ""),
    ]
    assert (run.written, run.missing) == (
        ("THOUGHTS.md",),
        ("RESULTS.md", "DECISIONS.md", "LEARNINGS.md"),
    )


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        pytest.param("# Only a heading\n", False, id="a heading"),
        pytest.param("# T\n\nFILL_ME\n", False, id="a placeholder"),
        pytest.param("# T\n\n`FILL_ME` is the marker\n", True, id="a placeholder in code"),
        pytest.param("# T\n<!-- RALF_TEMPLATE: UNFILLED -->\n", False, id="the template's mark"),
        pytest.param("# T\n\nWords.\n", True, id="words"),
    ],
)
def test_a_template_is_not_a_document(tmp_path: Path, text: str, filled: bool):
    (tmp_path / "x.md").write_text(text)

    assert is_filled(tmp_path / "x.md") is filled


def test_agents_are_read_from_either_shape_and_written_back_in_it(tmp_path: Path):
    make_workspace(tmp_path)
    place = FileWorkspace(layout_at(tmp_path))
    place.layout.agents.write_text(
        "# flat\nplanner_status: active\nplanner_last_start: '2026-01-01T00:00:00Z'\n"
    )
    place.set_agent(
        AgentRecord(id="x", type="executor", status="idle", stopped_at="2026-01-02T00:00:00Z")
    )

    assert place.layout.agents.read_text() == (
        "# flat\nplanner_status: active\nplanner_last_start: '2026-01-01T00:00:00Z'\n"
        "executor_status: idle\nexecutor_last_stop: '2026-01-02T00:00:00Z'\n"
    )
    assert set(place.agents()) == {"planner", "executor"}
    assert agents_from({"agents": {"a": "active"}}) == {"a": AgentRecord(id="a", status="active")}


def test_a_sign_of_life_keeps_the_comments_around_it(tmp_path: Path):
    make_workspace(tmp_path)
    place = FileWorkspace(layout_at(tmp_path))
    place.layout.heartbeat.write_text(
        "# who is alive\nheartbeats:\n  planner:  # the first\n    status: on # air\n"
    )
    place.beat("executor", Heartbeat(status="no"))

    text = place.layout.heartbeat.read_text()
    assert all(comment in text for comment in ("# who is alive", "# the first", "# air"))
    assert place.heartbeats()["executor"].status == "no"
    assert "status: on # air" in text


@pytest.mark.req("BB-SS-2")
def test_loop_metadata_is_understood():
    held = {
        "loop": {"number": 3},
        "state": {"queue_depth": 2},
        "next_steps": ["a"],
        "blockers": [{"description": "b"}],
    }

    assert loop_from(held) == PlannerLoop(
        number=3, state={"queue_depth": 2}, next_steps=("a",), blockers=("b",)
    )
    assert loop_from("nonsense") == PlannerLoop()


@pytest.mark.parametrize("below", COMMUNICATIONS, ids=str)
def test_a_queue_is_found_wherever_it_is_kept(tmp_path: Path, below: Path):
    (tmp_path / below).mkdir(parents=True, exist_ok=True)
    (tmp_path / below / "queue.yaml").write_text("tasks: []\n")

    assert layout_at(tmp_path).queue == tmp_path.resolve() / below / "queue.yaml"


@pytest.mark.parametrize(
    ("table", "find_errors"),
    [
        pytest.param({}, [], id="nothing said"),
        pytest.param({"store": "postgresql://x"}, [], id="an address"),
        pytest.param(
            {"store": "mysql://x"}, ["'mysql://x' is not the address of a database"], id="another"
        ),
        pytest.param(
            {"lease_seconds": 20},
            ["30 is not less than lease_seconds = 20"],
            id="too short a lease",
        ),
    ],
)
def test_what_cannot_work_is_found_when_settings_are_checked(
    table: dict[str, object], find_errors: list[str]
):
    assert [what for _, what, _ in WorkspaceSettings.find_errors(table)] == find_errors
