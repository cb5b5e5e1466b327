"""A workspace with a few tasks, and the essential hooks in a session of it."""

import time
from pathlib import Path
from typing import Any

import pytest

from snaphook import canon
from snaphook.canon import Event, HookContext, Output
from snaphook.config import Environment
from snaphook.config.caller import caller_environment
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.essentials import Essentials, EssentialsSettings
from snaphook.providers.essentials.notes import SessionNotebook
from snaphook.providers.guard.provider import GuardProvider
from snaphook.providers.guard.reader import GuardReader
from snaphook.stores.outbox import Job, JobState, Outbox, drain, workers
from snaphook.stores.workspace import FileWorkspace, RunFolder, all_runs, layout_at, make_workspace
from snaphook.stores.workspace.task import Task
from snaphook.wiring.job_handlers import JOB_HANDLERS, handler

TASK_MD = """---
task_id: TASK-001
title: Repair the roof
status: in_progress
depth: two levels
---
# TASK-001: Repair the roof

**Status:** in_progress

## Objective
Keep the rain out.

## Acceptance Criteria
- [ ] No drop comes in
- [x] The tiles are red
"""


class House:
    """A project with a workspace, a user's home, and one session of an agent."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.root = folder / "project"
        self.root.mkdir(parents=True)
        make_workspace(self.root)
        self.env: dict[str, str] = {"HOME": str(self.home), "PATH": "/usr/bin:/bin"}
        self.now = time.time()
        self.settings = EssentialsSettings()
        self.session = "s1"
        self.heard: list[Job] = []
        self.reader = GuardReader(GuardProvider)

    @property
    def around(self) -> Environment:
        return Environment(cwd=self.root, home=self.home, env=self.env, managed=self.home / "etc")

    @property
    def workspace(self) -> FileWorkspace:
        return FileWorkspace(layout_at(self.root))

    @property
    def notebook(self) -> SessionNotebook:
        return SessionNotebook(self.around.data_dir, self.session)

    @property
    def runs(self) -> list[RunFolder]:
        return list(all_runs(layout_at(self.root)))

    def context(self, **more: Any) -> HookContext:
        return HookContext(
            **{
                "session_id": self.session,
                "cwd": str(self.root),
                "team_root": str(self.root),
                "timestamp": self.now,
                **more,
            }
        )

    def tell(
        self, event: type[Event], *, about: dict[str, Any] | None = None, **fields: Any
    ) -> Any:
        """Have the hooks hear *event* and return what the host would."""
        told: Event = event(context=self.context(**(about or {})), **fields)
        before = caller_environment.set(self.env)
        try:
            output: Output | None = dispatch_sync(
                Engine([Essentials(self.settings, self.around, reader=self.reader)]), told
            ).output
        finally:
            caller_environment.reset(before)
        return output

    def begin(self, agent: str = "executor", **env: str) -> canon.SessionStartOutput:
        self.env |= {"BB5_AGENT_TYPE": agent, **env}
        begun: canon.SessionStartOutput = self.tell(canon.SessionStart)
        return begun

    def claim(self, agent: str = "executor") -> None:
        """Put TASK-001 with its document into the queue, and have *agent* hold it."""
        self.workspace.add(Task(id="TASK-001", title="Repair the roof"))
        folder = layout_at(self.root).task_folder("TASK-001")
        folder.mkdir(parents=True)
        (folder / "task.md").write_text(TASK_MD)
        assert self.workspace.claim(agent, "TASK-001")

    def outbox(self) -> Outbox:
        return Outbox(self.around.data_dir, cwd=self.root)

    def work(self, *, now: float = 0.0) -> dict[str, int]:
        """Do what waits; jobs of other rooms are only heard. Return how many are in each state."""
        clock = (lambda: now) if now else time.time
        outbox = Outbox(self.around.data_dir, cwd=self.root, clock=clock)

        def ours(kind: str) -> Any:
            essentials = "essentials" in JOB_HANDLERS.get(kind, "")
            return handler(kind) if essentials else lambda job, _: self.heard.append(job)

        drain(outbox, ours, self.around, clock=clock)
        counts = {state.value: count for state, count in outbox.counts().items()}
        outbox.close()
        return counts

    def dead(self) -> list[str]:
        outbox = self.outbox()
        found = [job.error for job in outbox.jobs(JobState.DEAD)]
        outbox.close()
        return found

    def write(self, name: str, text: str, run: Path | None = None) -> Path:
        """Fill in a document of the session's run."""
        identity = self.notebook.read().identity
        assert identity is not None
        path = (run or Path(identity.run_dir)) / name
        path.write_text(text)
        return path


@pytest.fixture
def house(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_spawn", lambda around: None)
    return House(tmp_path)
