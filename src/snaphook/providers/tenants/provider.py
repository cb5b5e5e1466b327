"""The fence between tenants.

Event  ->  None, or no: this session is another tenant's, this path is

Closed. A session belongs to the tenant it began with, for good; a tenant's state is not for the
tools of another. Whoever shares an account of the operating system can still open files by other
ways: tenants that do not trust each other need accounts of their own.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from snaphook.canon import (
    HookContext,
    HooksProvider,
    PreToolUse,
    PreToolUseOutput,
    SessionStart,
    SessionStartOutput,
    Stance,
    SubagentStart,
    SubagentStartOutput,
    UserPromptOutput,
    UserPromptSubmit,
    Verdict,
)
from snaphook.errors import StoreError
from snaphook.storage.files import create
from snaphook.storage.folders import make_private

from .choose import VARIABLE

KEPT = 1024


class TenantsProvider(HooksProvider):
    """Keeps every session with its tenant, and every tenant with its own."""

    name = "tenants"
    timeout = None  # the providers of a tenant have their own
    stance = Stance.CLOSED
    suspends = False

    def __init__(self, tenant: str, shared_dir: Path) -> None:
        self.tenant = tenant
        self._root = shared_dir / "tenants"
        self._known: dict[str, str] = {}

    async def on_session_start(
        self, event: SessionStart, context: HookContext
    ) -> SessionStartOutput | None:
        """Note whose session begins."""
        self._owner(context)
        return None

    async def on_user_prompt_submitted(
        self, event: UserPromptSubmit, context: HookContext
    ) -> UserPromptOutput | None:
        """Take no prompt for a session that is another tenant's."""
        reason = self._stranger(context)
        return UserPromptOutput(decision=Verdict.DENY, reason=reason) if reason else None

    async def on_subagent_start(
        self, event: SubagentStart, context: HookContext
    ) -> SubagentStartOutput | None:
        """Start nothing for a session that is another tenant's."""
        reason = self._stranger(context)
        return SubagentStartOutput(decision=Verdict.DENY, reason=reason) if reason else None

    async def on_pre_tool_use(
        self, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        """Let no tool run for another's session, nor touch another's state."""
        reason = self._stranger(context) or self._trespass(event, context)
        return PreToolUseOutput(decision=Verdict.DENY, reason=reason) if reason else None

    def _stranger(self, context: HookContext) -> str | None:
        owner = self._owner(context)
        if owner == self.tenant:
            return None
        return (
            f"Tenants: this session was started as {_spelled(owner)} and cannot continue as "
            f"{_spelled(self.tenant)}. Start a new session."
        )

    def _owner(self, context: HookContext) -> str:
        """Return whose session it is; the first to ask makes it theirs."""
        session = context.parent_session_id or context.session_id
        owner = self._known.get(session)
        if owner is None:
            owner = self._known[session] = self._settled(session)
            if len(self._known) > KEPT:
                del self._known[next(iter(self._known))]
        return owner

    def _settled(self, session: str) -> str:
        digest = hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()
        path = self._root / ".sessions" / digest
        try:
            return path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return self._claimed(path)
        except OSError as error:
            raise self._unusable(path, error) from error

    def _claimed(self, path: Path) -> str:
        """Make the session ours, unless somebody was faster; what is there is always whole."""
        try:
            make_private(path.parent)
            ours = create(path, self.tenant.encode())
            return self.tenant if ours else path.read_text(encoding="utf-8")
        except OSError as error:
            raise self._unusable(path, error) from error

    def _unusable(self, path: Path, error: OSError) -> StoreError:
        return StoreError(
            where=str(path),
            what=f"the owner of this session cannot be determined: {error.strerror}",
            fix="Make the folder writable; until then nothing runs.",
        )

    def _trespass(self, event: PreToolUse, context: HookContext) -> str | None:
        """Return why a call is none of this tenant's business."""
        for text in _texts(event.tool_args):
            if f"{VARIABLE}=" in text and f"{VARIABLE}={self.tenant} " not in f"{text} ":
                return f"Tenants: {VARIABLE} must not be set by agents."
            if self._foreign(text, context.cwd or context.team_root):
                return (
                    f"Tenants: {_spelled(self.tenant)} may not access the files of other tenants."
                )
        return None

    def _foreign(self, text: str, cwd: str) -> bool:
        """Say whether *text* is a path into another tenant's state, or has one in it."""
        own = f"{self._root}{os.sep}{self.tenant}" if self.tenant else "\0"
        for root in {str(self._root), os.path.realpath(self._root)}:
            for after in _all_after(text, root):
                if not _inside(f"{self._root}{after}", own):
                    return True
        if len(text) > 4096 or "\n" in text or "\0" in text:
            return False
        real = os.path.realpath(Path(cwd or "/") / Path(text).expanduser())
        root = os.path.realpath(self._root)
        return _inside(real, root) and not _inside(real, os.path.realpath(own))


def _all_after(text: str, root: str) -> Iterator[str]:
    """Yield what follows each mention of *root* in *text*, up to the end of its word."""
    at = text.find(root)
    while at >= 0:
        rest = text[at + len(root) :]
        word = rest.split(None, 1)[0] if rest and not rest[0].isspace() else ""
        yield os.path.normpath(word.strip("\"';|&)(`")) if word.startswith(os.sep) else word
        at = text.find(root, at + 1)


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}{os.sep}")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _spelled(tenant: str) -> str:
    return f"'{tenant}'" if tenant else "nobody's"
