"""The pipeline: the built-in policies first, then the hooks of whoever uses it.

PreToolUseContext  ->  PreToolUseResult        PostToolUseContext  ->  PostToolUseResult

Policies are asked in the order write paths, commands, questions, lockout, secrets; the first that
objects ends it. A hook that changes a call sends it back to everyone who was asked before.
"""

from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from snaphook.errors import ProviderError
from snaphook.scrub import Scrubber, load_salt

from .ask_limit import AskUserLimit, CompatibleAskUserLimit
from .call import (
    ALLOWED,
    HookAction,
    Policy,
    PostToolUseContext,
    PostToolUseHook,
    PostToolUseResult,
    PreToolUseContext,
    PreToolUseHook,
    PreToolUseResult,
    Scrub,
    blocked,
)
from .commands import BlockedCommands, CompatibleBlockedCommands
from .config import PolicyConfig, PolicyMode
from .journal import FileTally, PolicyJournal
from .lockout import ReviewerLockoutHook
from .options import sound
from .pii import CompatiblePii
from .secrets import SecretFiles
from .writes import AllowedWritePaths, CompatibleAllowedWritePaths


class HookPipeline:
    """Policies and hooks around a tool call; usable on its own."""

    def __init__(self, config: PolicyConfig | Mapping[str, Any] | None = None) -> None:
        self.config = sound(config)
        self._lockout = ReviewerLockoutHook(self.config.mode, _journal(self.config))
        self._limit = _strict_limit(self.config)
        self._policies = _policies(self.config, self._limit, self._lockout)
        self._scrubs = _scrubs(self.config)
        self._pre_hooks: list[PreToolUseHook] = []
        self._post_hooks: list[PostToolUseHook] = []

    def add_pre_tool_hook(self, hook: PreToolUseHook) -> None:
        """Ask *hook* about every call the policies let pass; it may be a coroutine function."""
        self._pre_hooks.append(hook)

    def add_post_tool_hook(self, hook: PostToolUseHook) -> None:
        """Show *hook* every result, scrubbed; what it returns goes on."""
        self._post_hooks.append(hook)

    def get_reviewer_lockout(self) -> ReviewerLockoutHook:
        """Return the register of who may not touch what."""
        return self._lockout

    async def run_pre_tool_hooks(self, call: PreToolUseContext) -> PreToolUseResult:
        """Return what the policies and hooks make of *call*; the first block wins.

        Changes chain, and the caller hears of them (in compatible mode it does not, as in Squad).
        A hook that raises stops the pipeline with its exception.
        """
        objection = self._objection(call)
        if objection is not None:
            return objection
        answer = await self._ask_hooks(call) if self._pre_hooks else ALLOWED
        if self._limit is not None and answer.action != HookAction.BLOCK:
            self._limit.let_through(call)
        return answer

    def _objection(self, call: PreToolUseContext) -> PreToolUseResult | None:
        for policy in self._policies:
            reason = policy.objects_to(call)
            if reason is not None:
                return blocked(reason)
        return None

    async def _ask_hooks(self, call: PreToolUseContext) -> PreToolUseResult:
        strict = self.config.mode is PolicyMode.STRICT
        changed: dict[str, Any] | None = None
        for position, hook in enumerate(self._pre_hooks):
            answer = await _asked(hook, call)
            if answer.action == HookAction.BLOCK:
                return answer
            if answer.action == HookAction.MODIFY and answer.modified_arguments is not None:
                changed = answer.modified_arguments
                call = replace(call, arguments=changed)
                objection = await self._second_thoughts(call, position) if strict else None
                if objection is not None:
                    return objection
        if changed is None or not strict:
            return ALLOWED
        return PreToolUseResult(action=HookAction.MODIFY, modified_arguments=changed)

    async def _second_thoughts(
        self, call: PreToolUseContext, position: int
    ) -> PreToolUseResult | None:
        """Ask everyone before *position* again, so that no hook carries a call past a check."""
        objection = self._objection(call)
        for hook in self._pre_hooks[:position]:
            if objection is not None:
                break
            answer = await _asked(hook, call)
            objection = answer if answer.action == HookAction.BLOCK else None
        return objection

    async def run_post_tool_hooks(self, ran: PostToolUseContext) -> PostToolUseResult:
        """Return the result as the agent should see it."""
        result = ran.result
        for scrub in self._scrubs:
            result = scrub.scrub(result)
        for hook in self._post_hooks:
            answer = hook(replace(ran, result=result))
            if isinstance(answer, Awaitable):
                answer = await answer
            if isinstance(answer, Mapping):
                answer = _typed(answer, PostToolUseResult, hook)
            result = result if answer is None else answer.result
        return PostToolUseResult(result=result)


def _strict_limit(config: PolicyConfig) -> AskUserLimit | None:
    most = config.max_ask_user_per_session
    if most is None or config.mode is not PolicyMode.STRICT:
        return None
    tally = FileTally(Path(config.state_dir) / "questions") if config.state_dir else None
    return AskUserLimit(most, tally)


def _journal(config: PolicyConfig) -> PolicyJournal | None:
    return PolicyJournal(Path(config.state_dir) / "lockouts") if config.state_dir else None


def _policies(
    config: PolicyConfig, limit: AskUserLimit | None, lockout: ReviewerLockoutHook
) -> tuple[Policy, ...]:
    strict = config.mode is PolicyMode.STRICT
    chosen: list[Policy] = []
    if config.allowed_write_paths:
        writes = AllowedWritePaths if strict else CompatibleAllowedWritePaths
        chosen.append(writes(config.allowed_write_paths))
    if config.commands:
        commands = BlockedCommands if strict else CompatibleBlockedCommands
        chosen.append(commands(config.commands))
    if limit is not None:
        chosen.append(limit)
    elif (config.max_ask_user_per_session or 0) > 0:
        chosen.append(CompatibleAskUserLimit(config.max_ask_user_per_session or 0))
    if config.reviewer_lockout:
        chosen.append(lockout)
    if config.scrub_secrets:
        chosen.append(SecretFiles())
    return tuple(chosen)


def _scrubs(config: PolicyConfig) -> tuple[Scrub, ...]:
    """Return what goes over results. In strict mode one scrubber does all, in one pass."""
    pii, secrets = config.scrub_pii, config.scrub_secrets
    chosen: list[Scrub] = []
    if pii and config.mode is PolicyMode.COMPATIBLE:
        chosen.append(CompatiblePii())
        pii = False
    if pii or secrets:
        kept = config.salt_file or (config.state_dir and str(Path(config.state_dir) / "salt"))
        salt = load_salt(Path(kept)) if kept else None
        chosen.append(Scrubber(secrets=secrets, personal=pii, allow=config.scrub_allow, salt=salt))
    return tuple(chosen)


_ACTIONS = frozenset(HookAction)
_SPELLINGS = {"modifiedArguments": "modified_arguments"}
Result = TypeVar("Result", PreToolUseResult, PostToolUseResult)


async def _asked(hook: PreToolUseHook, call: PreToolUseContext) -> PreToolUseResult:
    answer = hook(call)
    if isinstance(answer, Awaitable):
        answer = await answer
    if answer is None:
        return ALLOWED
    if isinstance(answer, Mapping):
        answer = _typed(answer, PreToolUseResult, hook)
    if getattr(answer, "action", None) not in _ACTIONS:
        raise _misspoken(hook, answer, "a PreToolUseResult that says allow, block or modify")
    return answer


def _typed(answer: Mapping[str, Any], kind: type[Result], hook: Any) -> Result:
    """Return a plain dict as the result it spells, in Python's spelling or in Squad's."""
    fields = {_SPELLINGS.get(name, name): value for name, value in answer.items()}
    if unknown := fields.keys() - set(kind.__struct_fields__):
        raise _misspoken(hook, answer, f"a {kind.__name__} (no field '{min(unknown)}')")
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as problem:
        raise _misspoken(hook, answer, f"a {kind.__name__} ({problem})") from problem


def _misspoken(hook: Any, answer: Any, wanted: str) -> ProviderError:
    return ProviderError(
        where=f"hook '{getattr(hook, '__name__', hook)}'",
        what=f"answered {answer!r:.60}",
        fix=f"Return {wanted}, the same as a dict, or None.",
    )
