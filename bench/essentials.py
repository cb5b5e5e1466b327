"""The essential hooks: what a session's start costs in a large workspace, and a stop, and a put."""

import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

from msgspec.structs import replace

from bench.runlogs import run_logs
from bench.table import per_call, row, section
from snaphook.canon import Event, HookContext, PostToolUse, SessionStart, Stop
from snaphook.config import Environment
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.essentials import Essentials, EssentialsSettings, session_start
from snaphook.providers.essentials.briefing import brief
from snaphook.providers.essentials.detect import detect
from snaphook.providers.essentials.holding import held
from snaphook.providers.essentials.scope import EventScope
from snaphook.stores.memory.open import open_store
from snaphook.stores.memory.values import Memory
from snaphook.stores.outbox import Outbox, workers
from snaphook.stores.workspace import WorkspaceSettings, make_workspace, open_workspace
from snaphook.wiring.assembly import NATIVE, build_engine

TASKS, EVENTS, MEMORIES = 10_000, 100_000, 100_000


def large_workspace(root: Path) -> None:
    """Make a workspace with many tasks, one of them claimed, and a long log."""
    make_workspace(root)
    workspace = open_workspace(root)
    layout = workspace.layout
    rows = "".join(
        f"  - id: TASK-{n:05d}\n    title: Task number {n}\n    status: "
        f"{'completed' if n % 2 else 'pending'}\n    priority: MEDIUM\n"
        for n in range(TASKS)
    )
    held = (
        "  - id: TASK-HELD\n    title: The one\n    status: in_progress\n"
        "    priority: HIGH\n    claimed_by: executor\n    claim_token: 1\n"
    )
    layout.queue.write_text(f"schema:\n  version: 1.0.1\ntasks:\n{rows}{held}")
    line = (
        '- {{"timestamp": "2026-01-01T00:00:00Z", "type": "progress", "task_id": "TASK-{:05d}"}}\n'
    )
    layout.events.write_text("".join(line.format(n % TASKS) for n in range(EVENTS)))
    folder = layout.task_folder("TASK-HELD")
    folder.mkdir(parents=True)
    criteria = "".join(f"- [ ] criterion {n}\n" for n in range(10))
    (folder / "task.md").write_text(
        f"# TASK-HELD: The one\n\n## Objective\nBe fast.\n\n## Acceptance Criteria\n{criteria}"
    )
    workspace.refresh()
    workspace.close()


def main() -> None:
    section(f"essentials, {TASKS:,} tasks and {EVENTS:,} events")
    setattr(workers, "_spawn", lambda _: None)  # noqa: B010 - only the answer is measured
    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder) / "project", Path(folder) / "home"
        root.mkdir()
        large_workspace(root)
        env = {"HOME": str(home), "BB5_PROJECT": "bench", "BB5_AGENT_TYPE": "executor"}
        around = Environment(cwd=root, home=home, env=env, managed=home)
        _session_start(root, around)
        _hot(root, around)
        outbox = Outbox(home / "data")
        _with_memories(root, around)
        row("put into the outbox", per_call(lambda: outbox.put("x", {}), calls=200) * 1e3, "ms", 2)
        outbox.close()


def _median(do: Callable[[], object], rounds: int = 15) -> float:
    do()
    times = []
    for _ in range(rounds):
        started = perf_counter()
        do()
        times.append(perf_counter() - started)
    return median(times) * 1e3


def _session_start(root: Path, around: Environment) -> None:
    engine = Engine([Essentials(EssentialsSettings(), around)])
    count = 0

    def begin() -> None:
        nonlocal count
        count += 1
        context = HookContext(session_id=f"s{count}", cwd=str(root), timestamp=time.time())
        assert dispatch_sync(engine, SessionStart(context=context)).output is not None

    row("SessionStart, whole", _median(begin), "ms", 20)
    row("… detection", _median(lambda: detect({}, root, default="x")), "ms", 4)
    context = HookContext(session_id="phases", cwd=str(root), timestamp=time.time())
    event = SessionStart(context=context)

    def dashboard() -> EventScope:
        return EventScope(
            event, EssentialsSettings(), around, WorkspaceSettings(), Outbox(around.data_dir)
        )

    def load_context() -> None:
        at = dashboard()
        place, identity = at.workspace, session_start.known(at)
        assert place is not None
        snapshot = place.snapshot()
        brief(identity, at, place, snapshot, held(snapshot, identity))

    row("… context", _median(load_context), "ms", 10)
    known = dashboard().detected()
    row("… environment", _median(lambda: session_start.environment(known, root)), "ms", 2)


def _with_memories(root: Path, around: Environment) -> None:
    """Measure the same start with memories on, as the settings switch both on."""
    store = open_store("", data_dir=around.data_dir)
    logs = run_logs(project=str(root))
    while (kept := store.stats().memories) < MEMORIES:
        store.put([_of_yesterday(memory) for run in islice(logs, 500) for memory in run])
    store.close()
    settings = around.config_dir / "snaphook.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[essentials]\n[memory]\n")
    engine = build_engine(around, dialects=NATIVE)
    count = 0

    def begin() -> None:
        nonlocal count
        count += 1
        context = HookContext(session_id=f"m{count}", cwd=str(root), team_root=str(root))
        told = str(dispatch_sync(engine, SessionStart(context=context)).output)
        assert "Relevant memories" in told, told

    row(f"SessionStart, whole, and {kept:,} memories", _median(begin), "ms", 100)


def _of_yesterday(memory: Memory) -> Memory:
    """Return *memory* young enough to be sure of."""
    sources = (replace(source, time=time.time() - 86_400) for source in memory.sources)
    return replace(memory, sources=tuple(sources))


def _hot(root: Path, around: Environment) -> None:
    engine = Engine([Essentials(EssentialsSettings(), around)])

    def tell(event: type[Event], **fields: object) -> Callable[[], object]:
        context = HookContext(session_id="hot", cwd=str(root))
        told = event(context=context, **fields)  # type: ignore[call-arg]
        return lambda: dispatch_sync(engine, told)

    row("Stop", per_call(tell(Stop, last_assistant_message="done"), calls=50) * 1e3, "ms", 5)
    ran = tell(PostToolUse, tool_name="Bash", tool_args={"command": "ls"})
    row("PostToolUse", per_call(ran, calls=200) * 1e3, "ms", 1)
