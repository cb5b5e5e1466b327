"""What an agent lends its tools: a place to work, a memory, a person to ask, subagents.

tool call  ->  ToolContext
"""

import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from .subagent import Subagent
from .tools import (
    LOGS,
    ToolContext,
    ToolError,
    ToolResult,
    ToolWorkspace,
    background_tasks,
    end_background,
)

if TYPE_CHECKING:
    from .agent import Agent

AskUser: TypeAlias = Callable[[str, tuple[str, ...]], Awaitable[str]]


class AgentToolHost:
    """The tools' side of one agent; what they remember lives as long as the conversation."""

    def __init__(self, agent: "Agent", ask_user: AskUser | None) -> None:
        self._agent = agent
        self._ask_user = ask_user
        self._memory: dict[str, Any] = {}

    def context(self, tool_use_id: str) -> ToolContext:
        """Return where the call *tool_use_id* runs."""
        agent, options = self._agent, self._agent.options
        inherited = {k: v for k, v in os.environ.items() if k not in options.hidden_env}
        logs = (self._memory[LOGS],) if LOGS in self._memory else ()
        return ToolContext(
            workspace=ToolWorkspace(
                cwd=agent.cwd, also=(*options.also, *logs), confined=options.confined
            ),
            host=self,
            environment=inherited | agent.environment,
            tool_use_id=tool_use_id,
            output_limit=options.output_limit,
            memory=self._memory,
        )

    def background(self) -> list[dict[str, Any]]:
        """Return the commands that run in the background, as the Stop event tells of them."""
        return background_tasks(self._memory)

    async def clear(self) -> None:
        """End what runs in the background, and forget."""
        await end_background(self._memory)
        self._memory.clear()

    async def ask_user(self, question: str, options: tuple[str, ...]) -> str:
        """Return the person's answer to *question*."""
        await self._agent.places.notification(question, "question")
        if self._ask_user is None:
            raise ToolError(
                where="AskUser", what="no user is available", fix="Decide yourself, and say how."
            )
        async with self._agent.permissions.asking:
            return await self._ask_user(question, options)

    async def spawn(self, kind: str, prompt: str) -> ToolResult:
        """Run a subagent of *kind* on *prompt* to its end and return its result."""
        return await Subagent(self._agent, kind).run(prompt)
