"""A session's start costs the same in a large workspace as in a small one (its times: bench)."""

import sys
from pathlib import Path
from typing import Any

import pytest

from snaphook.canon import HookContext, SessionStart
from snaphook.config import Environment
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.essentials import Essentials, EssentialsSettings
from snaphook.stores.workspace import make_workspace, open_workspace


def steps(root: Path, *, tasks: int, events: int) -> int:
    """Return how many calls Python makes for the start of a session in such a workspace."""
    project = root / "project"
    project.mkdir(parents=True)
    make_workspace(project)
    place = open_workspace(project)
    rows = "".join(f"  - id: TASK-{n:05d}\n    status: pending\n" for n in range(tasks))
    place.layout.queue.write_text(f"schema:\n  version: 1.0.1\ntasks:\n{rows}")
    row = (
        '- {{"timestamp": "2026-01-01T00:00:00Z", "type": "progress", "task_id": "TASK-{:05d}"}}\n'
    )
    place.layout.events.write_text("".join(row.format(n % tasks) for n in range(events)))
    place.refresh()
    place.close()
    env = {"HOME": str(root), "BB5_PROJECT": "p", "BB5_AGENT_TYPE": "planner"}
    around = Environment(cwd=project, home=root, env=env, managed=root)
    engine = Engine([Essentials(EssentialsSettings(), around)])
    begin(engine, project, "first")
    count = 0

    def counting(_frame: Any, what: str, _arg: Any) -> None:
        nonlocal count
        count += what == "call"

    sys.setprofile(counting)
    try:
        begin(engine, project, "second")
    finally:
        sys.setprofile(None)
    return count


def begin(engine: Engine, project: Path, session: str) -> None:
    context = HookContext(session_id=session, cwd=str(project), timestamp=1.8e9)
    output = dispatch_sync(engine, SessionStart(context=context)).output
    assert output is not None
    assert "TASK" in str(output)


@pytest.mark.req("BB-SS-7")
def test_a_session_starts_in_as_many_steps_however_much_there_is(tmp_path: Path):
    small = steps(tmp_path / "small", tasks=20, events=200)
    large = steps(tmp_path / "large", tasks=2_000, events=20_000)

    assert large <= small * 1.2
