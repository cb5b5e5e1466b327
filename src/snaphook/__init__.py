"""Snaphook: the hooks layer for AI coding agents.

What hook authors import. The list is short and pinned; everything else is a package of its own.
"""

__version__ = "0.1.0"

TYPE_CHECKING = (
    False  # checkers take it for True; ``typing`` is half of what the fastest commands import
)

if TYPE_CHECKING:
    from snaphook.canon import (
        ErrorOccurred,
        ErrorRecoveryOutput,
        ErrorType,
        HookContext,
        HooksProvider,
        HostEvent,
        HostEventOutput,
        Message,
        Notification,
        NotificationOutput,
        PermissionRequest,
        PermissionRequestOutput,
        PostToolUse,
        PostToolUseFailure,
        PostToolUseFailureOutput,
        PostToolUseOutput,
        PreCompact,
        PreCompactOutput,
        PreToolUse,
        PreToolUseOutput,
        Recipient,
        SessionEnd,
        SessionEndOutput,
        SessionStart,
        SessionStartOutput,
        Stance,
        Stop,
        StopOutput,
        SubagentStart,
        SubagentStartOutput,
        SubagentStop,
        SubagentStopOutput,
        UserPromptOutput,
        UserPromptSubmit,
        Verdict,
    )
    from snaphook.engine import CompositeHooksProvider, Engine, Outcome
    from snaphook.providers.policies import (
        DefaultHooksProvider,
        HookPipeline,
        PolicyConfig,
        define_hooks,
    )

_MODULES = {
    "CompositeHooksProvider": "snaphook.engine",
    "DefaultHooksProvider": "snaphook.providers.policies",
    "Engine": "snaphook.engine",
    "HookPipeline": "snaphook.providers.policies",
    "Outcome": "snaphook.engine",
    "PolicyConfig": "snaphook.providers.policies",
    "define_hooks": "snaphook.providers.policies",
}

__all__ = [
    "CompositeHooksProvider",
    "DefaultHooksProvider",
    "Engine",
    "ErrorOccurred",
    "ErrorRecoveryOutput",
    "ErrorType",
    "HookContext",
    "HookPipeline",
    "HooksProvider",
    "HostEvent",
    "HostEventOutput",
    "Message",
    "Notification",
    "NotificationOutput",
    "Outcome",
    "PermissionRequest",
    "PermissionRequestOutput",
    "PolicyConfig",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolUseFailureOutput",
    "PostToolUseOutput",
    "PreCompact",
    "PreCompactOutput",
    "PreToolUse",
    "PreToolUseOutput",
    "Recipient",
    "SessionEnd",
    "SessionEndOutput",
    "SessionStart",
    "SessionStartOutput",
    "Stance",
    "Stop",
    "StopOutput",
    "SubagentStart",
    "SubagentStartOutput",
    "SubagentStop",
    "SubagentStopOutput",
    "UserPromptOutput",
    "UserPromptSubmit",
    "Verdict",
    "define_hooks",
]


def __getattr__(name: str) -> object:
    """Import a name from its package when it is first asked for; the command line needs few of them."""
    if name not in __all__:
        raise AttributeError(f"module 'snaphook' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_MODULES.get(name, "snaphook.canon")), name)
    globals()[name] = value
    return value
