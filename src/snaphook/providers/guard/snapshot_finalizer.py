"""Who keeps what a call would destroy, and who tells them that it has run.

A module of its own, since every hook process loads it: see net.py for when there is something to keep.
"""

from __future__ import annotations

from typing import Protocol

from snaphook.canon import HookContext, HooksProvider, PostToolUse, PostToolUseFailure, ToolEvent


class Snapshotter(Protocol):
    """Whoever keeps what is at stake."""

    def take_snapshot(
        self, root: str, paths: tuple[str, ...], *, command: str, session: str, call: str
    ) -> str | None:
        """Keep the project at *root* and all below *paths*; return its name, or ``None``."""

    def finalize(self, call: str) -> None:
        """Hear that *call* has run."""


def call_name(event: ToolEvent, context: HookContext) -> str:
    """Return a name for this very call, the same before it runs and after."""
    return f"{context.session_id}\0{event.tool_use_id or f'{event.tool_name}{event.tool_args}'}"


class SnapshotFinalizer(HooksProvider):
    """Hears that a call has run, so that what it made is not taken for newer work."""

    name = "safety-net"
    suspends = False

    def __init__(self, snapshotter: Snapshotter) -> None:
        self._snapshotter = snapshotter

    async def on_post_tool_use(self, event: PostToolUse, context: HookContext) -> None:
        """Tell the net."""
        self._snapshotter.finalize(call_name(event, context))

    async def on_post_tool_use_failure(
        self, event: PostToolUseFailure, context: HookContext
    ) -> None:
        """Tell the net: a command may have failed halfway."""
        self._snapshotter.finalize(call_name(event, context))
