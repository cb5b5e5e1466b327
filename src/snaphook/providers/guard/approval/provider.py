"""Automatic approval as a provider.

PreToolUse, PermissionRequest  ->  Judgement  ->  Proof  ->  allow, or no opinion

It is asked last and only ever says allow: whoever asks or denies wins over it. A failure means no
opinion, and the host asks a person as it always does.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping
from typing import Any

from snaphook.canon import (
    HookContext,
    HooksProvider,
    PermissionRequest,
    PermissionRequestOutput,
    PreToolUse,
    PreToolUseOutput,
    Stance,
    ToolEvent,
    Verdict,
)
from snaphook.providers.guard.approval.proof import PROJECT, READ_ONLY, Proof, prove
from snaphook.providers.guard.approval.settings import ApproveSettings
from snaphook.providers.guard.examine import SHELLS
from snaphook.providers.guard.path_classes import PathClasses
from snaphook.providers.guard.provider import GuardProvider

Objector = Callable[[ToolEvent, HookContext], str]
"""Says what else speaks against approving a call; nothing where nothing does."""

_SHELL_KEYS = frozenset(
    {"command", "cmd", "description", "timeout", "run_in_background", "is_background", "justification",
     "timeout_ms", "yield_time_ms", "max_output_tokens"}
)  # fmt: skip
"""What a shell call may say besides its command. Others choose a folder, or switch the host's own
sandbox off (`dangerouslyDisableSandbox`, `sandbox_permissions`), which was not judged."""
_FOLDER_KEYS = frozenset({"workdir", "dir_path", "directory", "cwd"})
_FILE_TOOLS = frozenset({"Read", "Write", "Edit", "MultiEdit", "NotebookEdit"})
_CAREFUL_MODES = frozenset({"plan"})
"""Modes of a host in which nothing is to be changed."""


class ApprovalProvider(HooksProvider):
    """Allows what is proved harmless, so that the host need not ask."""

    name = "approval"
    stance = Stance.OPEN
    suspends = False

    def __init__(
        self,
        settings: ApproveSettings,
        guard: GuardProvider,
        *,
        untrusted: Objector | None = None,
        host_rules: Objector | None = None,
        may_send: bool = True,
    ) -> None:
        self.settings = settings
        self.guard = guard
        self._untrusted = untrusted
        self._host_rules = host_rules
        self._may_send = may_send

    async def on_pre_tool_use(
        self, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        """Allow a call that is proved harmless."""
        proof = self.proof(event, context)
        if not proof.approved:
            return None
        return PreToolUseOutput(
            decision=Verdict.ALLOW,
            reason=told(proof),
            rule=f"approve.{proof.level}",
            approved_args=event.tool_args,
        )

    async def on_permission_request(
        self, event: PermissionRequest, context: HookContext
    ) -> PermissionRequestOutput | None:
        """Answer the host's prompt about a call that is proved harmless.

        Here nobody else judges: the origins of values and the person's own rules of the host, which
        made it ask, are looked at as well.
        """
        proof = self.proof(event, context)
        if not proof.approved or (self._host_rules and self._host_rules(event, context)):
            return None
        return PermissionRequestOutput(decision=Verdict.ALLOW, reason=told(proof))

    def proof(self, event: ToolEvent, context: HookContext) -> Proof:
        """Return whether *event* is approved, and why or why not."""
        if refusal := unjudged(event.tool_name, event.tool_args, context.cwd):
            return Proof(approved=False, reason=refusal)
        judgement, confined = self.guard.judged(event, context)
        world = self.guard.world(event, context)
        proof = prove(
            judgement,
            PathClasses(world, self.guard.settings),
            level=_level(self.settings.level, context),
            trusted=trusts(self.settings.projects, world.project, world.home),
            never=self.settings.never,
            files=event.tool_name not in SHELLS,
            confined=confined and not self._may_send,
        )
        if proof.approved and self._untrusted and (why := self._untrusted(event, context)):
            return Proof(approved=False, reason=why)
        return proof


def told(proof: Proof) -> str:
    """Return the reason of an approval as the record and the person read it."""
    return f"Approved automatically ({proof.level}): {proof.reason}."


def trusts(projects: tuple[str, ...], project: str, home: str) -> bool:
    """Say whether the code of *project* is trusted: a pattern names it or a folder around it."""
    for pattern in projects:
        folder = home + pattern[1:] if pattern.startswith("~/") else pattern
        folder = folder.rstrip("/")
        if fnmatch.fnmatchcase(project, folder) or project.startswith(f"{folder}/"):
            return True
    return False


def _level(level: str, context: HookContext) -> str:
    careful = context.permission_mode in _CAREFUL_MODES and level == PROJECT
    return READ_ONLY if careful else level


def unjudged(tool: str, args: Mapping[str, Any], cwd: str) -> str:
    """Return what in the call itself the guard did not look at."""
    if tool in _FILE_TOOLS:
        return ""
    if tool not in SHELLS:
        return f"{tool} is not a shell or file tool"
    if not isinstance(args.get("command", args.get("cmd")), str):
        return "its command is not a text"
    # Codex asks about network access of a command that runs already, with the command as its text.
    if str(args.get("description", "")).startswith("network-access"):
        return "it wants access to the network"
    return _other_keys(args, cwd)


def _other_keys(args: Mapping[str, Any], cwd: str) -> str:
    for key, value in args.items():
        if key in _SHELL_KEYS or not value:
            continue
        if key in _FOLDER_KEYS and value == cwd:
            continue
        return f"its input says more than a command ({key})"
    return ""
