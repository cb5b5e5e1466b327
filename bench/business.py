"""What a team that runs agents in earnest switches on, all of it, as the settings do it (SQ-15)."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.table import row, section
from snaphook.canon import (
    ErrorOccurred,
    Event,
    HookContext,
    PostToolUse,
    PreToolUse,
    SessionStart,
    Stop,
    UserPromptSubmit,
)
from snaphook.config import Environment
from snaphook.engine import Engine
from snaphook.providers.context import ContextProvider
from snaphook.providers.context.directives import detect
from snaphook.providers.resilience import ResilienceProvider
from snaphook.wiring.assembly import choose, read_settings

SETTINGS = """
[budget]
[context]
[resilience]
alert = false

[providers.house]
use = "default"

[providers.house.options]
allowed_write_paths = ["src/**"]
max_ask_user = 3
scrub_pii = true
scrub_secrets = true
reviewer_lockout = true
"""
"""Everything of the six needs that one table switches on."""
PROMPT = "Fix the parser, it never handles empty input. Run the tests when you are done. " * 12
RESULT = "collected 120 items\n" + "tests/test_app.py ....................\n" * 40


PER_CALL = 2.0
"""Milliseconds that an event of every call, or of every turn, may take."""


def _events(root: Path) -> dict[str, tuple[Event, float | None]]:
    """Return what is measured, each with its bound: a session starts once, so that is only told."""
    context = HookContext(session_id="bench", agent_name="ada", team_root=str(root), cwd=str(root))
    bash = {"command": "cd app && git push origin main 2>&1 | tee src/log.txt"}
    write = {"file_path": str(root / "src/app.py"), "content": "x = 1\n"}
    return {
        "PreToolUse: Bash": (
            PreToolUse(context=context, tool_name="Bash", tool_args=bash, tool_use_id="1"),
            PER_CALL,
        ),
        "PreToolUse: Write": (
            PreToolUse(context=context, tool_name="Write", tool_args=write, tool_use_id="2"),
            PER_CALL,
        ),
        "PostToolUse: 1.5 KB": (
            PostToolUse(context=context, tool_name="Bash", tool_args={}, tool_result=RESULT),
            PER_CALL,
        ),
        "UserPromptSubmit: 1 KB": (UserPromptSubmit(context=context, prompt=PROMPT), PER_CALL),
        "Stop, once a turn": (Stop(context=context), PER_CALL),
        "SessionStart: decisions, history, 20 skills, once": (
            SessionStart(context=context, model="m", charter_content="You keep the database."),
            None,
        ),
    }


def _project(root: Path) -> None:
    """Give *root* something to tell."""
    (root / "src").mkdir(parents=True)
    (root / ".squad/agents/ada").mkdir(parents=True)
    decisions = "".join(f"## Decision {n}\nWe do it so.\n" for n in range(100))
    (root / ".squad/decisions.md").write_text(decisions)
    (root / ".squad/agents/ada/history.md").write_text(decisions)
    for number in range(20):
        skill = root / f".claude/skills/s{number}/SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(f"---\nname: s{number}\ndescription: database topic {number}\n---\nSo.\n")


async def _per_call(run: Callable[[], Awaitable[object]], calls: int, rounds: int = 7) -> float:
    """Return the median of the seconds a call takes, over some rounds."""
    await run()
    times = []
    for _ in range(rounds):
        started = perf_counter()
        for _ in range(calls):
            await run()
        times.append((perf_counter() - started) / calls)
    return median(times)


async def _measure(engine: Engine, root: Path) -> None:
    for name, (event, bound) in _events(root).items():
        calls = 20 if isinstance(event, SessionStart) else 200
        took = await _per_call(lambda e=event: engine.dispatch(e), calls)
        row(name, took * 1e3, "ms", bound)


async def _alone(folder: Path) -> None:
    context = HookContext(session_id="bench", team_root=str(folder))
    call = PreToolUse(context=context, tool_name="Bash", tool_args={"command": "ls"})
    failed = ErrorOccurred(context=context, error="500", error_class="server", current_model="m")
    prompt = UserPromptSubmit(context=context, prompt=PROMPT)
    recovery, told = ResilienceProvider(state=folder), ContextProvider(state=folder)
    quiet = await _per_call(lambda: recovery.on_pre_tool_use(call, context), 2000)
    row("resilience: a call of a session that never failed", quiet * 1e6, "µs", 50)
    error = await _per_call(lambda: recovery.on_error_occurred(failed, context), 50)
    row("resilience: a failure, counted over all processes", error * 1e3, "ms", 20)
    heard = await _per_call(lambda: told.on_user_prompt_submitted(prompt, context), 500)
    row("context: a prompt of 1 KB, each sentence suspicious", heard * 1e3, "ms", 2)
    started = perf_counter()
    detect("never " * 20_000)
    row("context: 120 KB that only sound like one", (perf_counter() - started) * 1e3, "ms", 100)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, root = Path(folder) / "home", Path(folder) / "project"
        _project(root)
        around = Environment(cwd=root, home=home, env={}, managed=Path(folder) / "etc")
        around.config_dir.mkdir(parents=True)
        (around.config_dir / "snaphook.toml").write_text(SETTINGS)
        section(
            "Policies, budget, context and resilience together, without the guard (SQ-15: < 2 ms)"
        )
        _guard, *business = choose(read_settings(around), around)
        asyncio.run(_measure(Engine(business), root))
        section("Context and resilience alone")
        asyncio.run(_alone(Path(folder) / "alone"))
