"""The policies of a project: HookPipeline, its policies, and the default provider around them."""

from .call import (
    HookAction,
    PostToolUseContext,
    PostToolUseHook,
    PostToolUseResult,
    PreToolUseContext,
    PreToolUseHook,
    PreToolUseResult,
)
from .config import DEFAULT_BLOCKED_COMMANDS, PolicyConfig, PolicyMode
from .lockout import ReviewerLockoutHook
from .options import errors_in, problems_in, read_options
from .pipeline import HookPipeline
from .provider import DefaultHooksProvider, define_hooks, provider

__all__ = [
    "DEFAULT_BLOCKED_COMMANDS",
    "DefaultHooksProvider",
    "HookAction",
    "HookPipeline",
    "PolicyConfig",
    "PolicyMode",
    "PostToolUseContext",
    "PostToolUseHook",
    "PostToolUseResult",
    "PreToolUseContext",
    "PreToolUseHook",
    "PreToolUseResult",
    "ReviewerLockoutHook",
    "define_hooks",
    "errors_in",
    "problems_in",
    "provider",
    "read_options",
]
