"""Who is at work is told by the environment first, then by files, then by the place."""

import pytest

from snaphook.providers.essentials.detect import branch, detect


def seen(tmp_path, env=None, *, below="", files=()):
    cwd = tmp_path / below
    cwd.mkdir(parents=True, exist_ok=True)
    for name in files:
        path = cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return detect(env or {}, cwd, default="blackbox5")


@pytest.mark.req("BB-SS-1")
@pytest.mark.parametrize(
    ("env", "below", "project"),
    [
        pytest.param({"BB5_PROJECT": "siso"}, "5-project-memory/other", "siso", id="environment"),
        pytest.param({}, "5-project-memory/siso/runs", "siso", id="path"),
        pytest.param({}, "somewhere", "blackbox5", id="nothing"),
        pytest.param({}, "5-project-memory", "blackbox5", id="the path ends too soon"),
        pytest.param({"BB5_PROJECT": "a/b"}, "", "blackbox5", id="no name"),
    ],
)
def test_the_project(tmp_path, env, below, project):
    assert seen(tmp_path, env, below=below).project == project


@pytest.mark.req("BB-SS-1")
def test_a_project_file_above_beats_the_path(tmp_path):
    (tmp_path / ".bb5-project").write_text("from-file\n")

    assert seen(tmp_path, below="5-project-memory/siso").project == "from-file"


@pytest.mark.req("BB-SS-1")
@pytest.mark.parametrize(
    ("env", "below", "files", "agent"),
    [
        ({"BB5_AGENT_TYPE": "verifier"}, "planner", ["queue.yaml"], "verifier"),
        ({"RALF_RUN_DIR": "/x/runs/scout/run-1"}, "planner", [], "scout"),
        ({}, "runs/executor/run-1", ["queue.yaml"], "executor"),
        ({}, "a", ["queue.yaml"], "planner"),
        ({}, "a", ["loop-metadata-template.yaml"], "planner"),
        ({}, "a", [".task-claimed"], "executor"),
        ({}, "a", ["task-7-spec.md"], "executor"),
        ({}, "a", ["architecture-review.md"], "architect"),
        ({}, "a", ["system-designs/x.md"], "architect"),
        ({}, "a", ["scout-report.md"], "scout"),
        ({}, "a", ["verification-report.md"], "verifier"),
        ({}, ".autonomous/agents/architect", [], "architect"),
        ({}, "a", [], "developer"),
    ],
)
def test_the_agent_type(tmp_path, env, below, files, agent):
    assert seen(tmp_path, env, below=below, files=files).agent_type == agent


def test_a_branch_names_the_agent_where_nothing_else_does(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/claude/Scout-attic\n")

    assert seen(tmp_path, below="a").agent_type == "scout"


def test_the_branch_of_a_worktree_is_found_through_its_pointer(tmp_path):
    (tmp_path / "main/.git/worktrees/w").mkdir(parents=True)
    (tmp_path / "main/.git/worktrees/w/HEAD").write_text("ref: refs/heads/topic\n")
    (tmp_path / "w").mkdir()
    (tmp_path / "w/.git").write_text(f"gitdir: {tmp_path}/main/.git/worktrees/w\n")

    assert branch(tmp_path / "w") == "topic"


@pytest.mark.parametrize(
    ("env", "mode"),
    [
        ({"RALF_RUN_DIR": "/x"}, "autonomous"),
        ({"BB5_AUTONOMOUS": "true"}, "autonomous"),
        ({"BB5_AUTONOMOUS": "false"}, "manual"),
        ({}, "manual"),
    ],
)
def test_the_mode(tmp_path, env, mode):
    assert seen(tmp_path, env).mode == mode


@pytest.mark.parametrize(
    ("env", "below", "run_id"),
    [
        ({"RALF_RUN_DIR": "/r/run-20260206-101010-TASK-1"}, "", "run-20260206-101010-TASK-1"),
        ({"RALF_RUN_ID": "run-20260206-101010"}, "", "run-20260206-101010"),
        ({}, "runs/run-20260206-101010/src", "run-20260206-101010"),
        ({}, "src", ""),
    ],
)
def test_the_run(tmp_path, env, below, run_id):
    assert seen(tmp_path, env, below=below).run_id == run_id


@pytest.mark.req("BB-F")
def test_what_cannot_be_read_is_named_and_the_default_taken(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").symlink_to(tmp_path / ".git/HEAD")
    deep = tmp_path / ("x" * 300)

    found = detect({}, deep, default="blackbox5")

    assert (found.project, found.agent_type) == ("blackbox5", "developer")
    assert found.errors
