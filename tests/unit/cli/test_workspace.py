"""``workspace``, ``queue``, ``runs`` and ``agents``: the whole way of a task, typed by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from snaphook.cli.main import main
from snaphook.stores.workspace import AgentRecord, FileWorkspace, Task, Workspace, open_workspace


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "BB5_AGENT_NAME"):
        monkeypatch.delenv(name, raising=False)
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def place(root: Path, capsys: pytest.CaptureFixture[str]) -> Workspace:
    assert main(["workspace", "init"]) == 0
    capsys.readouterr()
    return open_workspace(root)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = main(list(words))
    out = capsys.readouterr()
    return status, out.out + out.err


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    _, text = said(capsys, *words, "--json")
    return json.loads(text)


def test_where_there_is_no_workspace_it_says_how_to_make_one(root: Path, capsys: Any):
    status, text = said(capsys, "workspace", "status")

    assert (status, "snaphook workspace init" in text) == (3, True)


def test_making_one_twice_touches_nothing(place: Workspace, capsys: Any):
    assert said(capsys, "workspace", "init")[1].startswith("The workspace is complete already.")


def test_a_task_goes_its_whole_way(place: Workspace, capsys: Any):
    place.layout.task_folder("TASK-001").mkdir(parents=True)
    assert said(capsys, "queue", "list") == (
        0,
        "The queue is empty. Add a task: snaphook queue add TASK-001 --title 'What it is about'\n",
    )
    said(capsys, "queue", "add", "TASK-001", "--title", "Mend [it]", "--priority", "high")
    said(capsys, "queue", "add", "TASK-002", "--blocked-by", "TASK-001")
    claim = told(capsys, "queue", "claim", "--agent", "executor-1", "--run")
    assert (claim["task_id"], claim["token"]) == ("TASK-001", 1)
    assert Path(claim["run_folder"]).is_dir()
    listed = said(capsys, "queue", "list")[1]
    assert "Mend [it]" in listed
    assert "waits for TASK-001" in listed
    assert "1 pending, 1 in progress" in listed
    refused, why = said(capsys, "queue", "claim", "task-001", "--agent", "executor-2")
    assert (refused, "is held by 'executor-1'" in why) == (1, True)

    complete = ("queue", "complete", "TASK-001", "--agent", "executor-1")
    assert said(capsys, *complete) == (0, "TASK-001 is completed.\n")
    assert said(capsys, *complete) == (0, "TASK-001 is already completed.\n")
    assert said(capsys, "queue", "complete", "TASK-001", "--agent", "other")[0] == 1
    assert place.layout.task_folder("TASK-001", "completed").is_dir()
    assert said(capsys, "queue", "claim", "--agent", "executor-2") == (0, "TASK-002\t1\n")
    block = ("queue", "block", "TASK-002", "--agent", "executor-2", "--reason", "no key")
    assert said(capsys, *block)[1] == "TASK-002 is blocked: no key\n"
    assert said(capsys, "queue", "claim", "--agent", "executor-2") == (1, "No task is available.\n")
    assert said(capsys, "queue", "release", "TASK-002")[1] == "TASK-002 is free.\n"
    counts = told(capsys, "workspace", "status")["counts"]
    assert (counts["pending"], counts["completed"]) == (1, 1)


def test_runs_are_listed_and_shown(place: Workspace, capsys: Any):
    assert said(capsys, "runs", "list")[1].startswith("No runs yet.")
    said(capsys, "queue", "add", "A")
    folder = Path(told(capsys, "queue", "claim", "--agent", "executor-1", "--run")["run_folder"])
    (folder / "RESULTS.md").write_text("# Results\n\nIt works.\n")

    assert folder.name in said(capsys, "runs", "list")[1]
    shown = said(capsys, "runs", "show", folder.name)[1]
    assert "It works." in shown
    assert "Not written: THOUGHTS.md, DECISIONS.md, LEARNINGS.md" in shown
    assert said(capsys, "runs", "show", "run-9")[0] == 2


def test_agents_are_a_tree(place: Workspace, capsys: Any):
    assert said(capsys, "agents")[1].startswith("No agents seen yet")
    place.set_agent(AgentRecord(id="main", type="executor", task="A"))
    place.set_agent(AgentRecord(id="sub", parent="main"))
    place.set_agent(AgentRecord(id="gone", parent="sub", stopped_at="2026-01-01T00:00:00Z"))
    place.set_agent(AgentRecord(id="ring-1", parent="ring-2"))
    place.set_agent(AgentRecord(id="ring-2", parent="ring-1"))
    place.beat("main")

    lines = said(capsys, "agents")[1].splitlines()
    assert lines[0].startswith("main executor active  A  seen 0 s ago")
    assert lines[1].startswith("└── sub")
    assert not any("gone" in line for line in lines)
    assert sum("ring-" in line for line in lines) == 2
    assert any("gone" in line for line in said(capsys, "agents", "--all")[1].splitlines())
    assert {row["id"] for row in told(capsys, "agents")} == {"main", "sub", "ring-1", "ring-2"}


def test_the_doctor_finds_mends_and_restores(place: Workspace, capsys: Any):
    said(capsys, "queue", "add", "A", "--blocked-by", "B")
    assert "A waits for 'B', which does not exist" in said(capsys, "workspace", "doctor")[1]
    said(capsys, "queue", "add", "B")
    assert said(capsys, "workspace", "doctor") == (0, "✓ No problems found.\n")
    place.layout.queue.write_text("tasks: [")

    status, text = said(capsys, "workspace", "doctor")
    assert (status, "--restore queue.yaml" in text) == (1, True)
    assert "restored from" in said(capsys, "workspace", "doctor", "--restore", "queue.yaml")[1]
    assert said(capsys, "workspace", "doctor", "--quick")[0] == 0
    assert said(capsys, "workspace", "doctor", "--restore", "x.yaml")[0] == 2


def test_watching_in_a_pipe_prints_a_line_for_each_event(
    place: Workspace, capsys: Any, monkeypatch: pytest.MonkeyPatch
):
    place.add(Task(id="A"))
    monkeypatch.setattr(FileWorkspace, "wait", lambda self, seconds: self.claim("x") is not None)

    status, text = said(capsys, "queue", "watch", "--for", "0.05")
    assert status == 0
    assert text.count("started") == 1


def test_a_sync_without_a_database_says_what_is_missing(place: Workspace, capsys: Any):
    status, text = said(capsys, "workspace", "sync")

    assert (status, "workspace.store" in text) == (2, True)
