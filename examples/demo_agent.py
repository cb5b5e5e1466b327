"""An agent session to watch: a blocked call, a corrected one, a subagent, a Stop sent back, a compaction.

Run it: ``python examples/demo_agent.py``. No key, no network: a scripted model answers on loopback, and
everything else (the SDK, the agent, its tools, the guard, the hooks) is real.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from snaphook.agent import Agent, AgentOptions, Mode, Permissions
from snaphook.canon import (
    HookContext,
    HooksProvider,
    PreCompact,
    PreCompactOutput,
    Stop,
    StopOutput,
    Verdict,
)
from snaphook.cli.agent.terminal import Screen
from snaphook.config import Environment
from snaphook.testing import ModelServer
from snaphook.wiring import assembly

SCRIPT = """
turn
  say I'll make room first.
  call Bash {"command": "rm -rf ~"}
turn when "blocked"
  say Too much. Only the old object file has to go.
  call Bash {"command": "rm build/old.o"}
turn
  say Let a scout read the notes meanwhile.
  call Task {"prompt": "Read NOTES.md and say what is asked.", "subagent_type": "scout"}
turn when "Read NOTES.md"
  call Read {"file_path": "NOTES.md"}
turn when "greeting"
  say The notes ask for a greeting in greet.txt.
turn
  call Write {"file_path": "greet.txt", "content": "hello\\n"}
turn
  say Done.
turn when "The tests have not passed"
  say Right, the tests.
  call Bash {"command": "sh tests.sh"}
turn
  say The tests pass. Now it is done.
turn without tools
  say The agent removed build/old.o and wrote greet.txt; the tests pass.
turn
  say It was ticket T-7.
"""


class TestsFirst(HooksProvider):
    """Nobody is done before the tests have passed, and the ticket is never forgotten."""

    async def on_stop(self, event: Stop, context: HookContext) -> StopOutput | None:
        """Send the agent back while there is no sign of a test run."""
        if tests_passed(context.cwd):
            return None
        reason = "The tests have not passed. Run: sh tests.sh"
        return StopOutput(decision=Verdict.BLOCK, reason=reason)

    async def on_pre_compact(self, event: PreCompact, context: HookContext) -> PreCompactOutput:
        """Keep the ticket's number through a compaction."""
        return PreCompactOutput(preserve_context=("This is ticket T-7.",))


def tests_passed(cwd: str) -> bool:
    """Say whether the tests in *cwd* have passed."""
    return Path(cwd, "tests-passed").exists()


def project(folder: Path) -> Path:
    """Make a small project in *folder* and return it."""
    work = folder / "project"
    (work / "build").mkdir(parents=True)
    (work / "build" / "old.o").write_text("old")
    (work / "NOTES.md").write_text("Please put a greeting into greet.txt.\n")
    (work / "tests.sh").write_text("grep -q hello greet.txt && touch tests-passed && echo ok\n")
    return work


async def session(folder: Path, console: Console) -> bool:
    """Play the session and say whether everything happened as it should."""
    work = project(folder)
    screen = Screen(console)
    around = Environment.here(work, env={**os.environ, "HOME": str(folder)})
    agent = Agent(
        engine=assembly.build_engine(around, providers=[TestsFirst()]),
        options=AgentOptions(cwd=str(work)),
        permissions=Permissions(mode=Mode.ALLOW_ALL),
        listener=screen,
    )
    async with agent:
        screen.line("[bold cyan]› Make room, then do what the notes ask. Ticket T-7.[/]")
        await agent.send_message("Make room, then do what the notes ask. Ticket T-7.")
        screen.line("[bold cyan]› /compact[/]")
        compacted = await agent.compact()
        screen.line("[dim]shortened; a hook kept the ticket's number[/]")
        screen.line("[bold cyan]› Which ticket was it?[/]")
        answer = await agent.send_message("Which ticket was it?")
    screen.line("")
    blocked = any(call.error for message in agent.messages for call in message.tools)
    return (
        compacted.done
        and not blocked
        and not (work / "build" / "old.o").exists()
        and tests_passed(str(work))
        and answer.text == "It was ticket T-7."
    )


def main() -> int:
    """Show the demo; 0 if all of it worked."""
    console = Console(width=100 if not sys.stdout.isatty() else None)
    with (
        tempfile.TemporaryDirectory(prefix="snaphook-demo-") as name,
        ModelServer(SCRIPT) as server,
    ):
        os.environ.update(server.environment())
        worked = asyncio.run(session(Path(name), console))
        console.print(f"[dim]The model was asked {len(server.asked)} times, over the real SDK.[/]")
    return 0 if worked else 1


if __name__ == "__main__":
    sys.exit(main())
