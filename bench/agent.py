"""The agent's loop over the bare model calls and tools, and what a long session weighs."""

import asyncio
import gc
import tempfile
import tracemalloc
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.table import row, section
from snaphook.agent import (
    TOOLS,
    Agent,
    AgentOptions,
    Message,
    Mode,
    Permissions,
    Role,
    Sessions,
    TextBlock,
    convert,
)
from snaphook.agent.model import ApiMessage, ModelRequest, TextPart
from snaphook.agent.session import Began, Said
from snaphook.agent.tools import ToolContext, Workspace
from snaphook.testing import Asked, Call, Reply, ScriptedModel, Wait, say

TURNS = 30
LONG = 10_000


def _script(asked: Asked) -> Reply:
    """Call a tool TURNS times, then stop."""
    calls = sum(line.kind == "result" for line in asked.lines)
    return _bare_script(asked) if calls < TURNS else say("Done.")


async def _bare(folder: str) -> float:
    """Return the seconds a turn takes with nothing around model and tool."""
    model, tool = ScriptedModel(_bare_script), TOOLS["Read"]
    context = ToolContext(workspace=Workspace(cwd=folder), host=None, environment={})  # type: ignore[arg-type]
    request = ModelRequest(model="m", messages=(ApiMessage("user", (TextPart("go"),)),))
    started = perf_counter()
    for _ in range(TURNS):
        async for _ in model.stream(request):
            pass
        await tool.run(tool.read({"file_path": "a"}), context)
    return (perf_counter() - started) / TURNS


def _bare_script(_: Asked) -> Reply:
    """Answer as no model does: after 20 ms."""
    return Reply(steps=(Wait(0.02), Call("Read", {"file_path": "a"})))


async def _loop(folder: str, sessions: Sessions | None) -> float:
    """Return the seconds a turn of the agent takes, without hooks."""
    agent = Agent(
        model=ScriptedModel(_script),
        options=AgentOptions(cwd=folder),
        permissions=Permissions(mode=Mode.ALLOW_ALL),
        sessions=sessions,
    )
    started = perf_counter()
    await agent.send_message("go")
    elapsed = perf_counter() - started
    await agent.close()
    return elapsed / TURNS


def _overhead(folder: str) -> None:
    bare: list[float] = []
    memory: list[float] = []
    disk: list[float] = []
    for _ in range(5):
        bare.append(asyncio.run(_bare(folder)))
        memory.append(asyncio.run(_loop(folder, None)))
        disk.append(asyncio.run(_loop(folder, Sessions(Path(folder, "kept"), folder))))
    row("a turn, bare model (20 ms) and tool", median(bare) * 1000, "ms")
    row("the loop around it, in memory", (median(memory) - median(bare)) * 1000, "ms", 5)
    row("the loop around it, every message on disk", (median(disk) - median(bare)) * 1000, "ms", 5)


def _weight(folder: str) -> None:
    sessions = Sessions(Path(folder, "long"), folder, durable=False)
    session = sessions.create(Began(session_id="s-long", cwd=folder))
    for number in range(LONG):
        role = Role.USER if number % 2 == 0 else Role.ASSISTANT
        text = TextBlock(content=f"message {number} " + "x" * 500)
        session.append(Said(message=Message(id=f"m{number}", role=role, blocks=(text,))))
    session.close()
    gc.collect()
    tracemalloc.start()
    started = perf_counter()
    agent = Agent(model=ScriptedModel([]), sessions=sessions, resume="s-long")
    elapsed = perf_counter() - started
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    asyncio.run(agent.close())
    row(f"a session of {LONG:,} messages, resumed", elapsed * 1000, "ms")
    row(f"memory held by {LONG:,} messages", held / 2**20, "MB", 32)
    started = perf_counter()
    convert(agent.messages)
    row(f"{LONG:,} messages made ready for a model", (perf_counter() - started) * 1000, "ms")


def main() -> None:
    section("Agent")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a").write_text("hello\n")
        _overhead(folder)
        _weight(folder)
