"""Bash: a command in a process group of its own.

A foreground command has a timeout that ends its whole group. A background one writes to a log that
Read can follow, and ends with the session.
"""

import asyncio
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import Any

from msgspec import Struct

from snaphook.agent.bounds import bounded
from snaphook.process import Completed, run_async

from .tool import Tool, ToolContext, ToolResult

TIMEOUT_MS = 120_000
MAX_TIMEOUT_MS = 600_000
TASKS = "background"
LOGS = "logs"


class BashArgs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What Bash takes."""

    command: str
    timeout: int = TIMEOUT_MS
    """Milliseconds."""
    run_in_background: bool = False
    description: str = ""


class Background(Struct, kw_only=True):
    """A command nobody waits for."""

    id: str
    command: str
    log: str
    task: "asyncio.Task[Completed]"

    @property
    def status(self) -> str:
        """Return ``running``, or how it ended."""
        if not self.task.done():
            return "running"
        return f"exit {self.task.result().status}" if not self.task.cancelled() else "ended"


async def _bash(args: BashArgs, context: ToolContext) -> ToolResult:
    if args.run_in_background:
        return _start(args, context)
    done = await run_async(
        args.command,
        cwd=context.workspace.cwd,
        env=context.environment,
        timeout=min(max(1, args.timeout), MAX_TIMEOUT_MS) / 1000,
        keep=context.output_limit,
    )
    return ToolResult(text=bounded(_told(done), context.output_limit), success=done.ok)


def _start(args: BashArgs, context: ToolContext) -> ToolResult:
    started: dict[str, Background] = context.memory.setdefault(TASKS, {})
    name = f"bash_{len(started) + 1}"
    log = str(Path(logs(context.memory), f"{name}.log"))
    line = f"exec >{shlex.quote(log)} 2>&1\n{args.command}"
    running = run_async(line, cwd=context.workspace.cwd, env=context.environment)
    task = asyncio.create_task(running)
    started[name] = Background(id=name, command=args.command, log=log, task=task)
    return ToolResult(text=f"Started {name} in the background. Its output goes to {log}.")


def logs(memory: dict[str, Any]) -> str:
    """Return the folder of this session's logs, made when first asked for."""
    if LOGS not in memory:
        memory[LOGS] = tempfile.mkdtemp(prefix="snaphook-")
    folder: str = memory[LOGS]
    return folder


def _told(done: Completed) -> str:
    """Return what came of a command: its output, then how it ended unless that was well."""
    parts = [done.stdout.text.rstrip("\n"), done.stderr.text.rstrip("\n")]
    if done.failure:
        parts.append(f"Could not be started: {done.failure}")
    elif done.timed_out:
        parts.append(f"Ended after {done.duration:.0f} s: it ran out of time.")
    elif done.signal:
        parts.append(f"Killed by signal {done.signal}.")
    elif done.exit_code:
        parts.append(f"Exit code {done.exit_code}.")
    return "\n".join(part for part in parts if part) or "(no output)"


def background_tasks(memory: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the background commands, as the Stop event tells of them."""
    started: dict[str, Background] = memory.get(TASKS, {})
    return [
        {"id": one.id, "type": "shell", "status": one.status, "command": one.command[:1000]}
        for one in started.values()
    ]


async def end_background(memory: dict[str, Any]) -> None:
    """End every background command and wait until it is gone."""
    tasks = [one.task for one in memory.pop(TASKS, {}).values()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    if LOGS in memory:
        shutil.rmtree(memory.pop(LOGS), ignore_errors=True)


BASH = Tool(
    name="Bash",
    description=(
        "Run a shell command in the working directory. timeout is in milliseconds; "
        "run_in_background returns at once and names the log."
    ),
    args=BashArgs,
    run=_bash,
)
