"""The queue in its three shapes, changed without a line too many."""

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from snaphook.errors import StoreError
from snaphook.stores.workspace import queue as room
from snaphook.stores.workspace.listing import read_items
from snaphook.stores.workspace.queue import Queue, read_queue, with_new, with_task
from snaphook.stores.workspace.task import Task, TaskStatus, count, ready

from .samples import CURRENT, FLOW, OLDER, SHAPES, SINGLE

WHERE = Path("queue.yaml")


def queue(text: str) -> Queue:
    return read_queue(text, where=WHERE)


def changed_lines(before: str, after: str) -> list[str]:
    compared = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in compared if line[0] in "+-"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            CURRENT,
            [
                ("TASK-001", TaskStatus.COMPLETED),
                ("TASK-002", TaskStatus.PENDING),
                ("TASK-003", TaskStatus.PENDING),
            ],
            id="tasks and id",
        ),
        pytest.param(
            OLDER,
            [("TASK-001", TaskStatus.PENDING), ("TASK-002", TaskStatus.BLOCKED)],
            id="queue and task_id",
        ),
        pytest.param(SINGLE, [("TASK-007", TaskStatus.PENDING)], id="one task at a time"),
        pytest.param(
            FLOW,
            [("TASK-001", TaskStatus.PENDING), ("TASK-002", TaskStatus.PENDING)],
            id="flow style",
        ),
        pytest.param("tasks: []\n", [], id="an empty list"),
        pytest.param("tasks:\n", [], id="a list nobody has begun"),
        pytest.param("next_task: null\nstatus: waiting\n", [], id="nothing chosen yet"),
        pytest.param(
            "tasks:\n  - id: 012\n", [("012", TaskStatus.PENDING)], id="an id is no number"
        ),
        pytest.param(
            "tasks:\r\n- id: A\r\n  status: done\r\n", [("A", TaskStatus.COMPLETED)], id="CRLF"
        ),
        pytest.param("---\ntasks:\n- id: A\n", [("A", TaskStatus.PENDING)], id="a document marker"),
        pytest.param("\ufefftasks: []\n", [], id="a byte order mark"),
    ],
)
def test_every_shape_is_read(text: str, expected: list[tuple[str, TaskStatus]]):
    assert [(task.id, task.status) for task in queue(text).tasks] == expected


def test_everything_a_task_says_is_understood():
    assert queue(CURRENT).tasks[1] == Task(
        id="TASK-002",
        type="process",
        priority="CRITICAL",
        title="Use it: everywhere",
        blocked_by=("TASK-001",),
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_a_change_keeps_the_shape_and_every_comment(shape: str):
    before = queue(SHAPES[shape])
    position = before.position("TASK-007" if shape == "single" else "TASK-002") or 0
    after = with_task(
        before, position, {"status": "in_progress", "claimed_by": "executor-1", "claim_token": 1}
    )

    again = queue(after.text)
    assert again.rows == after.rows
    task = again.tasks[position]
    assert (task.status, task.claimed_by, task.token) == (TaskStatus.IN_PROGRESS, "executor-1", 1)
    comments = [line.partition("#")[2] for line in SHAPES[shape].splitlines() if "#" in line]
    assert all(comment in after.text for comment in comments)


def test_only_the_lines_of_the_changed_fields_differ():
    after = with_task(queue(CURRENT), 1, {"status": "in_progress", "claimed_by": "executor-1"})

    assert changed_lines(CURRENT, after.text) == [
        "-   status: pending  # pending | in_progress | completed",
        "+   status: in_progress  # pending | in_progress | completed",
        "+   claimed_by: executor-1",
    ]


def test_taking_the_change_back_gives_the_same_bytes():
    there = with_task(queue(OLDER), 1, {"status": "in_progress", "claimed_by": "x"})
    back = with_task(there, 1, {"status": "failed", "claimed_by": None})

    assert back.text == OLDER


VALUES: list[Any] = [
    "plain",
    "no",
    "2026-01-01",
    "it's: # odd",
    "ü → \u2028\x7f",
    7,
    1.5,
    True,
    ["a", "b c"],
    {"a": 1},
]


@pytest.mark.parametrize("shape", ["current", "older", "flow"])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_any_value_comes_back_as_it_went_in(shape: str, value: Any):
    after = with_task(queue(SHAPES[shape]), 1, {"extra": value})

    held = yaml.safe_load(after.text)
    assert (held.get("tasks") or held.get("queue"))[1]["extra"] == value


@pytest.mark.parametrize("shape", ["current", "older", "flow"])
def test_a_new_task_is_spelled_as_its_queue_spells(shape: str):
    after = with_new(queue(SHAPES[shape]), {"id": "TASK-100", "title": "New", "status": "pending"})

    items = yaml.safe_load(after.text)["queue" if shape == "older" else "tasks"]
    key = "task_id" if shape == "older" else "id"
    assert items[-1] == {key: "TASK-100", "title": "New", "status": "pending"}
    assert all(line in after.text for line in SHAPES[shape].splitlines() if line.startswith("#"))


def test_a_queue_of_one_takes_the_next_task():
    after = with_new(queue("next_task: null\nstatus: waiting\n"), {"id": "A", "title": "Do it"})

    assert [(task.id, task.title, task.status) for task in after.tasks] == [
        ("A", "Do it", TaskStatus.PENDING)
    ]


def test_lines_that_were_read_before_are_not_parsed_again(monkeypatch: pytest.MonkeyPatch):
    known = queue(CURRENT).rows
    parsed: list[int] = []

    def counted(items: Sequence[str], *, where: Path) -> list[dict[str, Any]]:
        parsed.append(len(items))
        return read_items(items, where=where)

    monkeypatch.setattr(room, "read_items", counted)
    edited = CURRENT.replace("title: Tidy up", "title: Tidy up, all of it")

    assert read_queue(edited, where=WHERE, known=known).tasks[2].title == "Tidy up, all of it"
    assert parsed == [1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param("tasks:\n- id: A\n status: x\n", "not valid YAML", id="wrong indentation"),
        pytest.param(
            "tasks:\n- id: 'A\n  status: pending\n- id: B\n",
            "not valid YAML",
            id="a quote left open",
        ),
        pytest.param("tasks:\n- just words\n", "not a mapping", id="an item that is no mapping"),
        pytest.param("- id: A\n", "no list", id="a list on its own"),
        pytest.param("other: 1\n", "no list", id="something else"),
        pytest.param("tasks:\n- id: A\n\tstatus: x\n", "not valid YAML", id="a tab"),
        pytest.param(
            "<<<<<<< ours\ntasks:\n- id: A\n=======\n", "not valid YAML", id="a merge conflict"
        ),
        pytest.param("tasks:\n- id: A\n\x00\n", "not valid YAML", id="a zero byte"),
        pytest.param("tasks: " + "[" * 5_000, "not valid YAML", id="nested without end"),
    ],
)
def test_what_cannot_be_read_is_reported(text: str, says: str):
    with pytest.raises(StoreError, match=says) as caught:
        queue(text)
    assert "It was not changed" in str(caught.value)


def test_the_most_urgent_task_that_nothing_holds_up_is_first():
    tasks = [
        Task(id="low", priority="LOW"),
        Task(id="held up", priority="CRITICAL", blocked_by=("low",)),
        Task(id="second", priority="HIGH", score=3),
        Task(id="first", priority="HIGH", score=9),
        Task(id="done", status=TaskStatus.COMPLETED),
        Task(id="odd", priority="SOMETIME", blocked_by=("done",)),
    ]

    assert [task.id for task in ready(tasks)] == ["first", "second", "odd", "low"]
    assert count(tasks).pending == 5
