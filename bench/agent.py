"""The agent's loop over the bare model calls and tools, and what a long session weighs."""

import asyncio
import gc
import os
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
    SessionFolder,
    TextBlock,
    convert,
)
from snaphook.agent.model import ApiMessage, ModelRequest, TextPart
from snaphook.agent.session import SessionMessage, SessionStarted
from snaphook.agent.tools import ToolContext, ToolWorkspace
from snaphook.config import CommandHook, Dialect, Layer, Origin
from snaphook.engine import Engine
from snaphook.providers.commands import CommandHooks
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
    context = ToolContext(workspace=ToolWorkspace(cwd=folder), host=None, environment={})  # type: ignore[arg-type]
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


async def _loop(folder: str, sessions: SessionFolder | None) -> float:
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


def _write(folder: str) -> float:
    """Return the seconds it takes to append a line and wait for the disk, TURNS of them."""
    file = os.open(Path(folder, "line"), os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    started = perf_counter()
    for _ in range(TURNS):
        os.write(file, b"x" * 500)
        os.fsync(file)
    elapsed = perf_counter() - started
    os.close(file)
    return elapsed / TURNS


def _overhead(folder: str) -> None:
    bare: list[float] = []
    memory: list[float] = []
    disk: list[float] = []
    writes: list[float] = []
    for _ in range(5):
        bare.append(asyncio.run(_bare(folder)))
        writes.append(bare[-1] + _write(folder))
        memory.append(asyncio.run(_loop(folder, None)))
        disk.append(asyncio.run(_loop(folder, SessionFolder(Path(folder, "kept"), folder))))
    row("a turn, bare model (20 ms) and tool", median(bare) * 1000, "ms")
    row("the loop around it, in memory", (median(memory) - median(bare)) * 1000, "ms", 5)
    beyond = median(kept - one_write for kept, one_write in zip(disk, writes, strict=True))
    row("one write that waits for the disk", median(writes) * 1000 - median(bare) * 1000, "ms")
    row("the loop around it, messages kept, beyond one such write", beyond * 1000, "ms", 5)


def _weight(folder: str) -> None:
    sessions = SessionFolder(Path(folder, "long"), folder, durable=False)
    session = sessions.create(SessionStarted(session_id="s-long", cwd=folder))
    for number in range(LONG):
        role = Role.USER if number % 2 == 0 else Role.ASSISTANT
        text = TextBlock(content=f"message {number} " + "x" * 500)
        session.append(SessionMessage(message=Message(id=f"m{number}", role=role, blocks=(text,))))
    session.close()
    started = perf_counter()
    agent = Agent(model=ScriptedModel([]), sessions=sessions, resume="s-long")
    elapsed = perf_counter() - started
    asyncio.run(agent.close())
    gc.collect()
    tracemalloc.start()  # it makes everything several times slower: no time is taken from here on
    agent = Agent(model=ScriptedModel([]), sessions=sessions, resume="s-long")
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    asyncio.run(agent.close())
    row(f"a session of {LONG:,} messages, resumed", elapsed * 1000, "ms", 60)
    row(f"memory held by {LONG:,} messages", held / 2**20, "MB", 32)
    started = perf_counter()
    convert(agent.messages)
    row(f"{LONG:,} messages made ready for a model", (perf_counter() - started) * 1000, "ms", 15)


def _acting(folder: str) -> None:
    """Measure from the end of a hook's process to what comes of it."""
    for name, command, bound in (
        ("exit 2 acted on after the hook ended", "echo no >&2; exit 2", 100),
        ("10 KB of context injected after the hook ended", "head -c 10000 /dev/zero", 200),
    ):
        row(name, median(asyncio.run(_acted(folder, command)) for _ in range(5)), "ms", bound)


async def _acted(folder: str, command: str) -> float:
    ended: list[float] = []
    hook = CommandHook(
        event="UserPromptSubmit",
        command=command,
        dialect=Dialect.WAVE,
        origin=Origin(layer=Layer.CODE),
    )
    agent = Agent(
        model=ScriptedModel([say("Hello.")]),
        engine=Engine([CommandHooks([hook], on_result=lambda _: ended.append(perf_counter()))]),
        options=AgentOptions(cwd=folder),
    )
    await agent.send_message("hello")
    elapsed = perf_counter() - ended[0]
    await agent.close()
    return elapsed * 1000


def main() -> None:
    section("Agent")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a").write_text("hello\n")
        _overhead(folder)
        _acting(folder)
        _weight(folder)
