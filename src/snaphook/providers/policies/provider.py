"""The default provider: the pipeline behind the contract every provider fulfils.

PreToolUse  ->  HookPipeline  ->  PreToolUseOutput | None

It denies, changes, or has no opinion; it never allows, because an allow would silence the
questions that a host or another provider wants to ask.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import (
    HookContext,
    HooksProvider,
    PostToolUse,
    PostToolUseOutput,
    PreToolUse,
    PreToolUseOutput,
    Stance,
    Verdict,
)

from .call import HookAction, PostToolUseContext, PreToolUseContext
from .config import PolicyConfig
from .lockout import ReviewerLockoutHook
from .options import read_options
from .pipeline import HookPipeline


class DefaultHooksProvider(HooksProvider):
    """The policies, as a provider. A failure of one of them is a no: the stance is closed."""

    name = "default"
    stance = Stance.CLOSED

    def __init__(self, config: PolicyConfig | Mapping[str, Any] | None = None) -> None:
        self._pipeline = HookPipeline(config)

    @classmethod
    def from_options(
        cls, options: Mapping[str, Any] | None = None, *, where: str = "policies"
    ) -> "DefaultHooksProvider":
        """Return the provider that a settings table describes."""
        return cls(read_options(options, where=where))

    def get_pipeline(self) -> HookPipeline:
        """Return the pipeline, to register hooks directly."""
        return self._pipeline

    def get_reviewer_lockout(self) -> ReviewerLockoutHook:
        """Return the register of who may not touch what."""
        return self._pipeline.get_reviewer_lockout()

    async def on_pre_tool_use(
        self, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        """Deny what a policy or a hook blocks, pass on what a hook changes."""
        answer = await self._pipeline.run_pre_tool_hooks(_call(event, context))
        match answer.action:
            case HookAction.BLOCK:
                return PreToolUseOutput(decision=Verdict.DENY, reason=answer.reason)
            case HookAction.MODIFY:
                return PreToolUseOutput(
                    decision=Verdict.MODIFY,
                    reason=answer.reason,
                    modified_args=answer.modified_arguments,
                )
            case HookAction.ALLOW:
                return None

    async def on_post_tool_use(
        self, event: PostToolUse, context: HookContext
    ) -> PostToolUseOutput | None:
        """Replace a result that had something to hide."""
        ran = PostToolUseContext(
            tool_name=event.tool_name,
            arguments=event.tool_args,
            result=event.tool_result,
            agent_name=context.agent_name,
            session_id=context.session_id,
        )
        result = (await self._pipeline.run_post_tool_hooks(ran)).result
        return None if result is event.tool_result else PostToolUseOutput(modified_result=result)


def _call(event: PreToolUse, context: HookContext) -> PreToolUseContext:
    return PreToolUseContext(
        tool_name=event.tool_name,
        arguments=event.tool_args,
        agent_name=context.agent_name,
        session_id=context.session_id,
        cwd=context.cwd,
        team_root=context.team_root,
        call_id=event.tool_use_id,
    )


def define_hooks(policies: Any = None, /, **more: Any) -> DefaultHooksProvider:
    """Return the default provider with these policies on.

    Takes a mapping, keywords, or both: ``define_hooks(allowed_write_paths=["src/**"])``. The limit
    of questions may be called ``max_ask_user`` or ``max_ask_user_per_session``. All mistakes are
    told at once, in one ``ConfigError``.
    """
    mapping = policies is None or isinstance(policies, Mapping)
    given = {**(policies or {}), **more} if mapping else policies
    return DefaultHooksProvider.from_options(given, where="define_hooks")


def provider(options: Mapping[str, Any]) -> HooksProvider:
    """Return the provider that ``[providers.default]`` of a settings file describes."""
    return DefaultHooksProvider.from_options(options)
