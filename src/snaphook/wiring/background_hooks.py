"""Hooks that nobody waits for, each under a watcher of its own.

Command + Event  ->  a process that starts it, keeps its timeout and records its end

A thread of ours could not: without a daemon we end with the answer, and a daemon may be restarted or
killed while the hook runs. The watcher outlives both, and needs neither to write the record.
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.canon import Event, ToolEvent
from snaphook.process import Command, Completed
from snaphook.process.background import start_apart
from snaphook.stores.eventlog.settings import LogSettings

from .recording import is_probe_event

WATCHER = (sys.executable, "-I", "-m", "snaphook.wiring.hook_watcher")
LOG = "async-hooks.log"


class HookOrigin(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """For which event a hook was started: what the record of its end has in common with that event's."""

    event: str
    session: str = ""
    host: str = ""
    agent: str = ""
    project: str = ""
    tool: str = ""
    parent: str = ""
    agent_id: str = ""
    turn: str = ""
    tool_use_id: str = ""

    @classmethod
    def of(cls, event: Event) -> "HookOrigin":
        """Return what *event* says about itself."""
        context = event.context
        tool = event if isinstance(event, ToolEvent) else None
        return cls(
            event=event.event_name,
            session=context.session_id,
            host=context.host,
            agent=context.agent_type or context.agent_name,
            project=context.team_root or context.cwd,
            tool=tool.tool_name if tool else "",
            parent=context.parent_session_id or "",
            agent_id=context.agent_id or "",
            turn=context.turn_id or "",
            tool_use_id=(tool.tool_use_id or "") if tool else "",
        )


class WatchedHook(Struct, frozen=True, kw_only=True):
    """Everything that a watcher is told."""

    command: Command
    hook: str
    run: str
    origin: HookOrigin
    data_dir: str
    log: LogSettings
    """Where the end is recorded; not *enabled*, it is kept in the text log alone."""


class BackgroundHooks:
    """Starts hooks under a watcher; their ends are recorded as *log* says, below *data_dir*."""

    def __init__(self, log: LogSettings, data_dir: Path) -> None:
        self._log = log
        self._data_dir = data_dir

    def __call__(self, command: Command, hook: str, event: Event, run: str) -> Completed | None:
        """Start *command*; return why that failed, ``None`` where it did not."""
        log = self._log
        if is_probe_event(event):
            log = msgspec.structs.replace(log, enabled=False)
        watched = WatchedHook(
            command=command,
            hook=hook,
            run=run,
            origin=HookOrigin.of(event),
            data_dir=str(self._data_dir),
            log=log,
        )
        return start_apart(WATCHER, packed(watched))


def packed(watched: WatchedHook) -> bytes:
    """Return *watched* as bytes.

    By the JSON of the standard library: a variable that is not UTF-8 comes as half a surrogate pair, which
    msgspec does not write.
    """
    return json.dumps(msgspec.to_builtins(watched)).encode()


def unpacked(raw: bytes) -> WatchedHook:
    """Return what was *packed*."""
    plain: Any = json.loads(raw)
    return msgspec.convert(plain, WatchedHook)
