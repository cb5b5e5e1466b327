"""The guard, asked what a call does by those who match calls by pattern.

PermissionRequest, PreToolUse …  ->  CommandLine, objection
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from snaphook.config.commandline import CommandLine

if TYPE_CHECKING:
    from snaphook.canon import ToolEvent
    from snaphook.providers.guard.provider import GuardProvider


class GuardReader:
    """Reads lines with the guard's evaluator. The guard is made when it is first asked."""

    def __init__(self, make: Callable[[], GuardProvider], *, objects: bool = True) -> None:
        self._make = make
        self._objects = objects
        self._last: tuple[object, CommandLine] | None = None

    @cached_property
    def _guard(self) -> GuardProvider:
        return self._make()

    def line(self, event: ToolEvent) -> CommandLine:
        """Return the commands that the line itself names; scripts on disk stay unread."""
        return self._read(event, scripts=False)

    def everything(self, event: ToolEvent) -> CommandLine:
        """Return those, and what the scripts on disk that it runs would run."""
        return self._read(event, scripts=True)

    def objection(self, event: ToolEvent) -> str:
        """Return what the guard says against the call; a warning is not an objection."""
        if not self._objects:
            return ""
        from snaphook.providers.guard.judgement import GuardAnswer

        judgement = self._guard.judge(event, event.context)
        return judgement.reason if judgement.answer > GuardAnswer.WARN else ""

    def _read(self, event: ToolEvent, *, scripts: bool) -> CommandLine:
        from snaphook.providers.guard.commandline import read_line

        # Several rules ask about one event, one after the other: read once.
        key = (event.tool_name, repr(event.tool_args), event.context.cwd, scripts)
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        world = self._guard.world(event, event.context)
        line = read_line(event.tool_name, event.tool_args, world, scripts=scripts)
        self._last = key, line
        return line
