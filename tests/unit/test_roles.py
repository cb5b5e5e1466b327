"""The guard knows which role a session has, from the environment, its start, or its files."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.config.helpers import put

from snaphook import canon
from snaphook.canon import HookContext, PreToolUse, PreToolUseOutput
from snaphook.config import Environment
from snaphook.config.caller import caller_environment
from snaphook.engine import dispatch_sync
from snaphook.stores.workspace import FileWorkspace, layout_at, make_workspace
from snaphook.stores.workspace.task import Task
from snaphook.wiring.assembly import build_engine


class Desk:
    """A workspace, an agent in it, and the guard with the pack bb5."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.root.mkdir()
        make_workspace(self.root)
        self.env: dict[str, str] = {}
        self.around = Environment(
            cwd=self.root, home=folder / "home", env={}, managed=folder / "etc"
        )
        put(self.around.config_dir / "snaphook.toml", '[guard]\npacks = ["bb5"]\n[essentials]\n')

    def context(self, **more: Any) -> HookContext:
        root = str(self.root)
        return HookContext(session_id="s", cwd=root, team_root=root, timestamp=1.0, **more)

    def tell(self, event: canon.Event) -> Any:
        before = caller_environment.set(self.env)
        try:
            return dispatch_sync(build_engine(self.around), event).output
        finally:
            caller_environment.reset(before)

    def rule(self, tool: str, *, about: dict[str, Any] | None = None, **args: str) -> str:
        """Return the rule that objects to a call of *tool*; empty if none does."""
        event = PreToolUse(context=self.context(**(about or {})), tool_name=tool, tool_args=args)
        output = self.tell(event)
        return (output.rule or "") if isinstance(output, PreToolUseOutput) else ""

    def claim(self, agent: str = "executor") -> Path:
        place = FileWorkspace(layout_at(self.root))
        place.add(Task(id="TASK-001", title="Fix the roof"))
        assert place.claim(agent, "TASK-001")
        return layout_at(self.root).task_folder("TASK-001")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr("snaphook.stores.outbox.workers.wake", lambda _around: None)
    return Desk(tmp_path)


QUEUE = ".autonomous/agents/communications/queue.yaml"


def write(desk: Desk, path: str | Path, **about: Any) -> str:
    text = "tasks: []\n"
    return desk.rule("Write", about=about, file_path=str(desk.root / path), content=text)


@pytest.mark.req("BB-PT-6")
@pytest.mark.parametrize(
    "env",
    [
        pytest.param({"BB5_AGENT_TYPE": "executor"}, id="BB5_AGENT_TYPE"),
        pytest.param({"RALF_RUN_DIR": "/home/x/runs/executor/run-1"}, id="RALF_RUN_DIR"),
    ],
)
def test_an_executor_is_known_by_its_environment(desk, env):
    desk.env = env

    assert desk.rule("Bash", command="git merge topic") == "agents.git"
    assert desk.rule("Bash", command="git push") == "agents.git"
    assert desk.rule("Bash", command="git status") == ""
    assert write(desk, "README.md") == "agents.scope"
    assert write(desk, QUEUE) == "paths.protected"


@pytest.mark.req("BB-PT-6")
def test_a_planner_keeps_the_queue_and_nobody_else_does(desk):
    desk.env = {"BB5_AGENT_TYPE": "planner"}
    assert write(desk, QUEUE) == ""
    assert write(desk, "README.md") == ""

    desk.env = {"BB5_AGENT_TYPE": "developer"}
    assert write(desk, QUEUE) == "paths.protected"


@pytest.mark.req("BB-PT-6")
def test_what_session_start_detected_holds_until_the_end(desk):
    desk.env = {"BB5_AGENT_TYPE": "executor"}
    desk.tell(canon.SessionStart(context=desk.context()))
    desk.env = {}
    (desk.root / "queue.yaml").write_text("tasks: []\n")  # the sign of a planner

    assert desk.rule("Bash", command="git push") == "agents.git"
    assert write(desk, "README.md") == "agents.scope"


def test_a_file_tells_the_role_where_nobody_noted_one(desk):
    (desk.root / ".task-claimed").write_text("TASK-001\n")

    assert desk.rule("Bash", command="git push") == "agents.git"


@pytest.mark.req("BB-PT-6")
@pytest.mark.parametrize("noted", [True, False], ids=["noted at the start", "in the queue only"])
def test_an_executor_works_in_the_folder_of_its_task_and_of_its_run(desk, noted):
    desk.env = {"BB5_AGENT_TYPE": "executor", "BB5_AGENT_NAME": "executor"}
    folder = desk.claim()
    if noted:
        started = desk.tell(canon.SessionStart(context=desk.context()))
        run = Path(
            str(started.additional_context).split("Run folder: ")[1].split("\\n")[0].splitlines()[0]
        )
        assert write(desk, run / "THOUGHTS.md") == ""

    assert write(desk, folder / "notes.md") == ""
    assert write(desk, folder / "task.md") == "paths.protected"
    assert write(desk, folder.parent / "TASK-002" / "notes.md") == "agents.scope"


def test_a_subagent_of_an_executor_is_bound_as_well(desk):
    desk.env = {"BB5_AGENT_TYPE": "executor"}

    assert write(desk, "README.md", agent_type="planner") == "agents.scope"
    assert write(desk, QUEUE, agent_type="planner") == "paths.protected"


@pytest.mark.req("BB-PT-4")
def test_a_task_is_protected_in_every_workspace(desk, tmp_path):
    folder = desk.claim()
    elsewhere = tmp_path / "no-workspace" / "tasks" / "active" / "T-1" / "task.md"

    assert desk.rule("Bash", command=f"sed -i s/a/b/ {folder}/task.md") == "paths.protected"
    assert desk.rule("Bash", command=f"echo x >> {elsewhere}") == ""


@pytest.mark.req("BB-PT-4")
def test_queue_and_events_are_protected_wherever_the_workspace_keeps_them(desk):
    shared = desk.root / "sub" / "communications"
    shared.mkdir(parents=True)
    (shared / "queue.yaml").write_text("tasks: []\n")
    assert write(desk, shared / "queue.yaml") == ""  # a queue.yaml may be anybody's

    (shared / "events.yaml").write_text("[]\n")
    assert write(desk, shared / "queue.yaml") == "paths.protected"
    assert write(desk, shared / "events.yaml") == "paths.protected"
