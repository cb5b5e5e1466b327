"""Which role the agent of a session has, and the folders that are its own.

environment, what SessionStart noted, files  ->  SessionRole

Asked before every tool call, so only what was added to a session's notes since is read.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.canon import HookContext
from snaphook.errors import SnaphookError
from snaphook.stores.workspace import WorkspaceSettings, find_root, layout_at, open_workspace

from .detect import Identity, detect
from .holding import held
from .notes import AnyNote, Holds, SessionBegan, SessionNotebook

_decode = msgspec.json.Decoder(AnyNote).decode
_SESSIONS = 256
"""So many sessions' roles are remembered."""


class SessionRole(Struct, frozen=True, kw_only=True):
    """Who works in a session."""

    identity: Identity
    task: str = ""
    cwd: str = ""

    @property
    def name(self) -> str:
        """Return its type, such as planner or executor."""
        return self.identity.agent_type

    def folders(self) -> tuple[str, ...]:
        """Return where it works: its run's folder, and that of the task it holds."""
        found = [self.identity.run_dir] if self.identity.run_dir else []
        root = find_root(Path(self.cwd)) if self.cwd else None
        task = self.task or (self._holds(Path(self.cwd)) if root else "")
        if root is not None and task:
            try:
                found.append(str(layout_at(root).task_folder(task)))
            except SnaphookError:  # a name that is no folder's
                return tuple(found)
        return tuple(found)

    def _holds(self, cwd: Path) -> str:
        """Return the task that the queue says is this agent's."""
        try:
            place = open_workspace(cwd, WorkspaceSettings())
            task = held(place.snapshot(entries=0), self.identity)
            place.close()
        except (SnaphookError, OSError):
            return ""
        return task.id if task else ""


class _Noted(Struct):
    """What was read of one session's notes, and how far."""

    size: int = 0
    identity: Identity | None = None
    task: str = ""


class SessionRoles:
    """The roles of sessions, as *data_dir* and the environment tell them."""

    def __init__(self, data_dir: Path, *, default: str = "") -> None:
        self._data_dir = data_dir
        self._default = default
        self._known: dict[str, _Noted] = {}

    def of(self, context: HookContext, env: Mapping[str, str]) -> SessionRole:
        """Return who works in the session of *context*.

        What the environment says outright counts; else what was noted when the session began, so that
        no file an agent makes changes its role; else what can be told from where it stands.
        """
        noted = self._noted(context.session_id)
        cwd = context.cwd or context.team_root
        outright = bool(env.get("BB5_AGENT_TYPE", "").strip())
        if noted.identity is not None and not outright:
            return SessionRole(identity=noted.identity, task=noted.task, cwd=cwd)
        found = detect(env, Path(cwd or "/"), default=self._default)
        if noted.identity is not None and not found.run_dir:
            found = msgspec.structs.replace(found, run_dir=noted.identity.run_dir)
        return SessionRole(identity=found, task=noted.task, cwd=cwd)

    def _noted(self, session_id: str) -> _Noted:
        known = self._known.setdefault(session_id, _Noted())
        if len(self._known) > _SESSIONS:
            del self._known[next(iter(self._known))]
        path = SessionNotebook(self._data_dir, session_id).path
        try:
            size = os.stat(path).st_size  # noqa: PTH116 - on the way of every tool call
            if size == known.size:
                return known
            if size < known.size:  # forgotten, and begun again
                known = self._known[session_id] = _Noted()
            with path.open("rb") as file:
                file.seek(known.size)
                text = file.read(size - known.size)
        except OSError:
            return known
        whole = text.rfind(b"\n") + 1
        known.size += whole
        for line in text[:whole].splitlines():
            if b'"began"' in line or b'"holds"' in line:
                _add(known, line)
        return known


def _add(known: _Noted, line: bytes) -> None:
    try:
        match _decode(line):
            case SessionBegan(identity=identity):
                known.identity = identity
            case Holds(task=task):
                known.task = task
    except msgspec.DecodeError:
        return  # cut short, or of another version
