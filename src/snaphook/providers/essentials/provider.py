"""The essential hooks as one provider: each event is answered in the file that bears its name.

Event  ->  EventScope  ->  Output | None

Stop is heard and never blocked. What takes time is put into the outbox; what must be read before an
answer is read in a thread where an event loop runs, and on the spot where none does.
"""

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from snaphook import canon
from snaphook.canon import Event, HookContext, HooksProvider
from snaphook.config import Dialect, Environment, load
from snaphook.config.caller import environment
from snaphook.config.commandline import CallReader
from snaphook.process.coroutine import in_a_loop
from snaphook.stores.outbox.outbox import Outbox
from snaphook.stores.outbox.workers import wake
from snaphook.stores.workspace.settings import WorkspaceSettings

from .scope import EventScope
from .settings import EssentialsSettings

AnEvent = TypeVar("AnEvent", bound=Event)
AnOutput = TypeVar("AnOutput", bound=canon.Output)
SLOW = frozenset(
    {
        "on_session_start",
        "on_user_prompt_submitted",
        "on_stop",
        "on_subagent_start",
        "on_subagent_stop",
        "on_pre_compact",
        "on_notification",
        "on_session_end",
    }
)
"""Methods that read a workspace or open the outbox."""


class Essentials(HooksProvider):
    """Sessions that know where they are, stop cleanly, and lose nothing. Open when it fails."""

    name = "essentials"

    def __init__(
        self,
        settings: EssentialsSettings,
        around: Environment,
        *,
        reader: CallReader | None = None,
    ) -> None:
        """*reader* takes shell lines apart; without one no pattern allows a shell command."""
        self.settings = settings
        self._reader = reader
        self._around = around
        self.suspends = SLOW if in_a_loop() else False

    @cached_property
    def _workspace(self) -> WorkspaceSettings:
        tables = {"workspace": WorkspaceSettings}
        found = load(self._around, dialects=(Dialect.SNAPHOOK,), sections=tables).sections
        table = found.get("workspace")
        return (
            msgspec.convert(dict(table.values), WorkspaceSettings) if table else WorkspaceSettings()
        )

    @cached_property
    def _outbox(self) -> Outbox:
        """Return the outbox, open for as long as we are: whoever wakes it is the caller of the moment."""
        around = self._around
        return Outbox(around.data_dir, awake=lambda: wake(replace(around, env=environment())))

    async def on_session_start(
        self, event: canon.SessionStart, context: HookContext
    ) -> canon.SessionStartOutput | None:
        """Tell the session where it is, what it holds and what was found."""
        from .session_start import answer

        return await self._aside(answer, event)

    async def on_user_prompt_submitted(
        self, event: canon.UserPromptSubmit, context: HookContext
    ) -> canon.UserPromptOutput | None:
        """Hear what a person is about to do, and what would be lost by it."""
        from .user_prompt import answer

        return await self._aside(answer, event)

    async def on_permission_request(
        self, event: canon.PermissionRequest, context: HookContext
    ) -> canon.PermissionRequestOutput | None:
        """Answer as the policy says."""
        from .permission_request import answer

        return answer(event, self._scope(event))

    async def on_post_tool_use(
        self, event: canon.PostToolUse, context: HookContext
    ) -> canon.PostToolUseOutput | None:
        """Note what was done; tell the parent of subagents that ended."""
        from .post_tool_use import answer

        return answer(event, self._scope(event))

    async def on_post_tool_use_failure(
        self, event: canon.PostToolUseFailure, context: HookContext
    ) -> canon.PostToolUseFailureOutput | None:
        """Advise on whether and how to try again."""
        from .post_tool_use_failure import answer

        return answer(event, self._scope(event))

    async def on_stop(self, event: canon.Stop, context: HookContext) -> None:
        """Have the work after the end done, and keep nobody."""
        from .stop import answer

        await self._aside(answer, event)

    async def on_subagent_start(
        self, event: canon.SubagentStart, context: HookContext
    ) -> canon.SubagentStartOutput | None:
        """Tell a subagent who its parent is and what it must leave behind."""
        from .subagent_start import answer

        return await self._aside(answer, event)

    async def on_subagent_stop(
        self, event: canon.SubagentStop, context: HookContext
    ) -> canon.SubagentStopOutput | None:
        """Take a subagent's result, or send it back with everything that is missing."""
        from .subagent_stop import answer

        return await self._aside(answer, event)

    async def on_pre_compact(
        self, event: canon.PreCompact, context: HookContext
    ) -> canon.PreCompactOutput | None:
        """Write down what a summary would lose."""
        from .pre_compact import answer

        return await self._aside(answer, event)

    async def on_notification(self, event: canon.Notification, context: HookContext) -> None:
        """Pass on what the host tells the person."""
        from .notification import answer

        await self._aside(answer, event)

    async def on_session_end(self, event: canon.SessionEnd, context: HookContext) -> None:
        """Have the run's folder put away."""
        from .session_end import answer

        await self._aside(answer, event)

    def _scope(self, event: Event) -> EventScope:
        return EventScope(
            event, self.settings, self._around, self._workspace, self._outbox, self._reader
        )

    async def _aside(
        self, answer: Callable[[AnEvent, EventScope], AnOutput | None], event: AnEvent
    ) -> AnOutput | None:
        """Return what *answer* says, without holding up an event loop that others wait on."""
        if self.suspends is False:
            return answer(event, self._scope(event))
        from asyncio import to_thread  # whoever has a loop has it loaded

        return await to_thread(lambda: answer(event, self._scope(event)))


def make(
    settings: EssentialsSettings, around: Environment, *, reader: CallReader | None = None
) -> Essentials:
    """Return the essential hooks that ``[essentials]`` describes."""
    return Essentials(settings, around, reader=reader)
