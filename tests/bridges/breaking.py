"""What the tests of every SDK share: a provider that fails, a person who answers."""

import asyncio
from typing import Any

import pytest
from tests.thorough import EVERYTHING

from snaphook.bridges import AskUser, ToolQuestion
from snaphook.canon import HooksProvider, Stance

everything = pytest.mark.skipif(
    not EVERYTHING, reason="the core of each bridge is tested at a desk, the rest where all is here"
)


class Breaks(HooksProvider):
    """Fails, one way or another."""

    name = "breaks"

    def __init__(self, stance: Stance, *, hangs: bool) -> None:
        self.stance, self.hangs, self.timeout = stance, hangs, 0.2

    async def on_pre_tool_use(self, event: Any, context: Any) -> None:
        if self.hangs:
            await asyncio.Event().wait()
        raise RuntimeError("broken")


def yes(answer: bool) -> AskUser:
    """Return a person who always says *answer*."""

    async def ask(question: ToolQuestion) -> bool:
        return answer

    return ask
