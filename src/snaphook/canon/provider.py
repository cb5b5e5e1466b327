"""The contract of everything that has an opinion.

Event, HookContext  ->  Output | None

A class that has one of these methods is a provider; deriving from ``HooksProvider`` is a
convenience that gives types, a name and defaults. Methods may be plain functions where there is
nothing to await.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, TypeAlias

from . import events as e
from . import outputs as o
from .context import HookContext
from .table import METHODS
from .verdict import Stance

Hook: TypeAlias = Callable[[Any, HookContext], Awaitable[o.Output | None] | o.Output | None]
AnyProvider: TypeAlias = "HooksProvider | Mapping[str, Hook] | object"
"""Derived from ``HooksProvider``, a mapping of its methods, or simply an object that has one."""


DEFAULT_TIMEOUT = 60.0
"""Seconds for one answer. Hosts give a hook 60 s by default, too: later than that nobody listens."""


class SessionHooks(Mapping[str, Hook]):
    """The hooks of one provider by the names of its methods, and what holds for all of them."""

    def __init__(self, provider: AnyProvider, hooks: Mapping[str, Hook]) -> None:
        self._hooks = hooks
        self.name = name_of(provider)
        self.stance = Stance(getattr(provider, "stance", Stance.OPEN))
        self.timeout: float | None = getattr(provider, "timeout", DEFAULT_TIMEOUT)
        self.suspends: bool | frozenset[str] = getattr(provider, "suspends", True)

    def __getitem__(self, method: str) -> Hook:
        """Return the hook that *method* names."""
        return self._hooks[method]

    def __iter__(self) -> Iterator[str]:
        """Yield the methods there are."""
        return iter(self._hooks)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._hooks)


class HooksProvider:
    """Implement what you need; every method left alone has no opinion.

    ``stance`` says what a failure of this provider means for a call that could be stopped, and
    ``timeout`` (seconds) how long the engine waits for one answer; ``None`` waits for ever, and is
    for providers that have limits of their own.
    """

    name: str = ""
    stance: Stance = Stance.OPEN
    timeout: float | None = DEFAULT_TIMEOUT
    suspends: bool | frozenset[str] = True
    """False promises that no method ever waits, a set names those that may: whoever does not wait
    is asked without an event loop."""

    async def on_session_start(
        self, event: e.SessionStart, context: HookContext
    ) -> o.SessionStartOutput | None:
        """Give context, environment or another model to a session that begins."""

    async def on_user_prompt_submitted(
        self, event: e.UserPromptSubmit, context: HookContext
    ) -> o.UserPromptOutput | None:
        """Add to a prompt, rewrite it, or erase it."""

    async def on_pre_tool_use(
        self, event: e.PreToolUse, context: HookContext
    ) -> o.PreToolUseOutput | None:
        """Allow, ask about, deny or change a call."""

    async def on_permission_request(
        self, event: e.PermissionRequest, context: HookContext
    ) -> o.PermissionRequestOutput | None:
        """Answer in the person's place."""

    async def on_post_tool_use(
        self, event: e.PostToolUse, context: HookContext
    ) -> o.PostToolUseOutput | None:
        """Comment on a result, or replace it."""

    async def on_post_tool_use_failure(
        self, event: e.PostToolUseFailure, context: HookContext
    ) -> o.PostToolUseFailureOutput | None:
        """Give advice after a failure."""

    async def on_stop(self, event: e.Stop, context: HookContext) -> o.StopOutput | None:
        """Let the agent stop, or send it back."""

    async def on_subagent_start(
        self, event: e.SubagentStart, context: HookContext
    ) -> o.SubagentStartOutput | None:
        """Allow or deny a child, choose its model, tell it something."""

    async def on_subagent_stop(
        self, event: e.SubagentStop, context: HookContext
    ) -> o.SubagentStopOutput | None:
        """Take a child's result, or send it back."""

    async def on_pre_compact(
        self, event: e.PreCompact, context: HookContext
    ) -> o.PreCompactOutput | None:
        """Keep what must survive."""

    async def on_error_occurred(
        self, event: e.ErrorOccurred, context: HookContext
    ) -> o.ErrorRecoveryOutput | None:
        """Say whether and how to try again."""

    async def on_notification(
        self, event: e.Notification, context: HookContext
    ) -> o.NotificationOutput | None:
        """Hear what the host tells the person."""

    async def on_session_end(
        self, event: e.SessionEnd, context: HookContext
    ) -> o.SessionEndOutput | None:
        """Tidy up, report, archive."""

    async def on_host_event(
        self, event: e.HostEvent, context: HookContext
    ) -> o.HostEventOutput | None:
        """Hear what only some hosts tell."""

    def as_session_hooks(self, session_id: str | None = None) -> SessionHooks:
        """Return this provider's hooks for one session; see :func:`session_hooks`."""
        return session_hooks(self, session_id)


def implemented(provider: AnyProvider) -> Iterator[tuple[str, Hook]]:
    """Yield the hook methods that *provider* really has, in the order of the table.

    What it merely inherits from ``HooksProvider`` is left out, so a provider with one method costs
    the other events nothing.
    """
    for method in METHODS:
        if isinstance(provider, Mapping):
            hook = provider.get(method)
        elif getattr(type(provider), method, None) is getattr(HooksProvider, method):
            hook = None
        else:
            hook = getattr(provider, method, None)
        if hook is not None:
            yield method, hook


def name_of(provider: AnyProvider) -> str:
    """Return what *provider* calls itself, or its class's name."""
    return getattr(provider, "name", "") or type(provider).__name__


def session_hooks(provider: AnyProvider, session_id: str | None = None) -> SessionHooks:
    """Return the hooks of *provider*, with its name, stance and timeout, for one session.

    With a *session_id* they hear that session's events and no other's, so that one tenant's rules
    cannot leak into another's session by a mistake in the wiring.
    """
    hooks = dict(implemented(provider))
    if session_id is not None:
        hooks = {name: _only(session_id, hook) for name, hook in hooks.items()}
    return SessionHooks(provider, hooks)


def _only(session_id: str, hook: Hook) -> Hook:
    def heard(event: Any, context: HookContext) -> Awaitable[o.Output | None] | o.Output | None:
        return hook(event, context) if context.session_id == session_id else None

    return heard
