"""A project with a job half built, a queue that is being worked on, and memories.

folder + now  ->  .sauna/, .autonomous/, memory.sqlite
"""

import json
from pathlib import Path

from snaphook.builder import records as steps
from snaphook.builder.job import BuildJob
from snaphook.builder.journal import BuildJournal
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.stores.memory.values import Memory, MemoryKind, MemorySource
from snaphook.stores.workspace import Heartbeat, Task, open_workspace
from snaphook.stores.workspace.opening import make_workspace

TASKS = """\
# Tasks

- [x] Read currencies from the order, not from the shop
- [x] Migrate orders.currency, with a way back
- [ ] Show prices in the customer's currency
- [ ] Say in the README how to add a currency
"""
FAILED = "FAILED tests/test_orders.py::test_refund_keeps_its_currency - assert 'EUR' == 'USD'\n1 failed, 41 passed"  # noqa: E501
MEMORIES = (
    (
        MemoryKind.FACT,
        "Tests are run with 'make test'; the database must be up first",
        "README.md",
        14,
        3,
    ),
    (
        MemoryKind.EXPERIENCE,
        "Retrying the flaky checkout test hides a race in apply_discount",
        "runs/run-0412/LEARNINGS.md",
        8,
        2,
    ),
    (
        MemoryKind.FACT,
        "The staging cluster is rebuilt every night at 02:00 UTC",
        "docs/staging.md",
        3,
        1,
    ),
    (
        MemoryKind.OPINION,
        "Currency conversion belongs in the pricing service, not in the API",
        "decisions/0007.md",
        21,
        2,
    ),
    (
        MemoryKind.OBSERVATION,
        "The nightly import spends most of its time in one UPDATE without an index",
        "runs/run-0398/RESULTS.md",
        30,
        1,
    ),
)


def build(project: Path, now: float) -> None:
    """Leave a job behind that has two tasks done, one of them with a fix."""
    folder = project / ".sauna" / "jobs" / "currencies"
    folder.mkdir(parents=True)
    (folder / "spec.md").write_text("Customers see prices in their own currency.\n")
    (folder / "tasks.md").write_text(TASKS)
    (project / ".sauna" / "hooks.json").write_text(json.dumps([{"command": "make test"}]))
    moments = iter(now - 1500 + 60 * number for number in range(100))
    session = "7c1f7d9a-33f0-4e21"
    titles = [line[6:] for line in TASKS.splitlines() if line.startswith("- [")]
    with BuildJournal(
        BuildJob(name="currencies", codebase=project), clock=lambda: next(moments)
    ) as journal:
        for step in (
            steps.BuildStarted(
                job="currencies", pending=4, done=0, gates=("lint", "tests"), driver="claude"
            ),
            steps.TaskStarted(iteration=1, task=titles[0], pending=4, done=0, session=session),
            steps.Built(
                session=session, attempt=0, duration=184.0, cost_micros=412_000, tokens=88_000
            ),
            steps.GateRan(gate="lint", command="make lint", exit_code=0, duration=3.1),
            steps.GateRan(gate="tests", command="make test", exit_code=0, duration=22.4),
            steps.Passed(task=titles[0], commit="3f9a2c41d0"),
            steps.TaskStarted(iteration=2, task=titles[1], pending=3, done=1, session=session),
            steps.Built(
                session=session, attempt=0, duration=241.0, cost_micros=655_000, tokens=120_000
            ),
            steps.GateRan(gate="lint", command="make lint", exit_code=0, duration=3.0),
            steps.GateRan(
                gate="tests", command="make test", exit_code=1, duration=21.7, output=FAILED
            ),
            steps.FixAsked(gate="tests", attempt=1, of=3),
            steps.Built(
                session=session, attempt=1, duration=66.0, cost_micros=171_000, tokens=31_000
            ),
            steps.GateRan(gate="lint", command="make lint", exit_code=0, attempt=1, duration=3.2),
            steps.GateRan(gate="tests", command="make test", exit_code=0, attempt=1, duration=22.0),
            steps.Passed(task=titles[1], attempts=1, commit="b81e07fa92"),
            steps.TaskStarted(iteration=3, task=titles[2], pending=2, done=2, session=session),
        ):
            journal.append(step)


def queue_up(project: Path) -> None:
    """Leave a queue behind that two agents work on."""
    make_workspace(project)
    workspace = open_workspace(project)
    for number, (title, priority) in enumerate(
        (
            ("Upgrade the payment client to v4", "HIGH"),
            ("Fix the flaky checkout test", "CRITICAL"),
            ("Write a runbook for certificates", "MEDIUM"),
            ("Remove src/legacy", "LOW"),
            ("Cache the Docker layers in CI", "MEDIUM"),
            ("Translate the error pages", "LOW"),
        )
    ):
        workspace.add(Task(id=f"TASK-{number + 101}", title=title, priority=priority))
    done = workspace.claim("executor-2")
    assert done is not None
    workspace.complete(done)
    for agent, action in (
        ("executor-1", "running the tests"),
        ("executor-2", "reading docs/tls.md"),
    ):
        workspace.claim(agent)
        workspace.beat(agent, Heartbeat(status="active", current_action=action))
    workspace.close()


def remember(data_dir: Path, project: str, now: float) -> None:
    """Leave memories behind, some with several witnesses."""
    store = SqliteMemory(data_dir / "memory.sqlite")
    store.put(
        Memory(
            kind=kind,
            text=text,
            project=project,
            sources=tuple(
                MemorySource(
                    path=path, line=line, run=f"run-{path}-{n}", time=now - 86_400 * (n + 1)
                )
                for n in range(proof)
            ),
        )
        for kind, text, path, line, proof in MEMORIES
    )
    store.close()
