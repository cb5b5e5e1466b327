"""An agent to talk to, with a scripted model and whatever hooks a test brings."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from snaphook.agent import Agent, AgentOptions, Message, Mode, Permissions
from snaphook.engine import Engine
from snaphook.testing import ScriptedModel

MakeAgent = Callable[..., Agent]


EVERYTHING = """
turn
  say I'll try.
  call Bash {"command": "exit 3"}
  call Write {"file_path": "a.txt", "content": "hello"}
turn
  call Task {"prompt": "look around", "subagent_type": "scout"}
turn when "look around"
  call Read {"file_path": "a.txt"}
turn when "hello"
  say It says hello.
turn
  fail 529 busy
turn
  say All done.
otherwise
  say A summary.
"""
"""A session that uses tools, fails, and spawns; a summary for when it is shortened."""


@pytest.fixture
async def make(tmp_path: Path) -> AsyncIterator[MakeAgent]:
    """Return a maker of agents in a directory of their own; they are closed after the test."""
    made: list[Agent] = []

    def maker(script: Any, *providers: object, **given: Any) -> Agent:
        options = given.pop("options", {})
        options = {"cwd": str(tmp_path), "max_backoff_ms": 1, **options}
        given.setdefault("permissions", Permissions(mode=Mode.ALLOW_ALL))
        model = script if isinstance(script, ScriptedModel) else ScriptedModel(script)
        given.setdefault("engine", Engine(providers))
        agent = Agent(model=model, options=AgentOptions(**options), **given)
        made.append(agent)
        return agent

    yield maker
    for agent in made:
        await agent.close()


def shown(messages: list[Message]) -> list[tuple[Any, ...]]:
    """Return *messages* as role, kind of block, and what it says: easy to compare."""
    rows: list[tuple[Any, ...]] = []
    for message in messages:
        for block in message.blocks:
            said = getattr(block, "content", None) or getattr(block, "result", None)
            rows.append((str(message.role), type(block).__name__, said))
    return rows
