"""What every essential hook has at hand while it answers one event.

settings + environment + event  ->  EventScope
"""

import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from snaphook.canon import Event
from snaphook.config import Environment
from snaphook.config.caller import environment
from snaphook.config.commandline import CallReader, NoReader
from snaphook.errors import SnaphookError
from snaphook.stores.outbox.outbox import Outbox
from snaphook.stores.workspace import Workspace, WorkspaceSettings, open_workspace

from .detect import Identity, detect
from .notes import SessionFacts, SessionNotebook
from .settings import EssentialsSettings


class EventScope:
    """The session an event belongs to, its workspace, and the outbox for what can wait."""

    def __init__(
        self,
        event: Event,
        settings: EssentialsSettings,
        around: Environment,
        workspace: WorkspaceSettings,
        outbox: Outbox,
        reader: CallReader | None = None,
    ) -> None:
        context = event.context
        self.settings = settings
        self.session_id = context.session_id
        self.cwd = Path(context.cwd or context.team_root or around.cwd)
        self.around = replace(around, env=environment(), cwd=self.cwd)
        self.now = context.timestamp or time.time()
        self.notebook = SessionNotebook(around.data_dir, context.session_id)
        self.problems: list[str] = []
        self._workspace = workspace
        self._outbox = outbox
        self.reader: CallReader = reader or NoReader()

    @cached_property
    def session(self) -> SessionFacts:
        """Return what earlier hooks noted."""
        return self.notebook.read()

    @cached_property
    def identity(self) -> Identity:
        """Return who is at work: as noted when the session began, else as it can be told now."""
        return self.session.identity or self.detected()

    @cached_property
    def workspace(self) -> Workspace | None:
        """Return the workspace; ``None`` where there is none, or none that can be opened."""
        if not self._workspace.enabled:
            return None
        try:
            return open_workspace(self.cwd, self._workspace)
        except (SnaphookError, OSError) as problem:
            self.problems.append(str(problem))
            return None

    @property
    def run_dir(self) -> Path | None:
        """Return the folder of this run, where it has one."""
        found = Path(self.identity.run_dir) if self.identity.run_dir else None
        return found if found is not None and found.is_dir() else None

    def detected(self) -> Identity:
        """Return who is at work, told anew."""
        return detect(self.around.env, self.cwd, default=self.settings.project)

    def later(self, kind: str, payload: Mapping[str, Any], *, key: str) -> None:
        """Have *kind* done in the background, once for each *key*."""
        self._outbox.put(kind, payload, key=key, cwd=str(self.cwd))
