"""Confine what the guard lets through and cannot read.

PreToolUse + Judgement  ->  the same call with a prefix, or nothing to change
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from snaphook.canon import HookContext, Message, PreToolUse, PreToolUseOutput, ToolEvent
from snaphook.providers.guard.examine import SHELLS
from snaphook.providers.guard.judgement import Judgement, judged
from snaphook.providers.guard.path_classes import PathClasses
from snaphook.providers.guard.sandboxing.choose import Facts, Marks, choose
from snaphook.providers.guard.sandboxing.lift import lifted
from snaphook.providers.guard.sandboxing.rewrite import rewrite, without_old
from snaphook.providers.guard.sandboxing.simples import simple_commands
from snaphook.providers.guard.secrets import secret
from snaphook.providers.guard.settings import GuardSettings
from snaphook.providers.guard.snapshot_finalizer import call_name
from snaphook.sandbox.build import Scope, build, make_caches
from snaphook.sandbox.calls import ConfinedCall, ConfinedCalls
from snaphook.sandbox.helper import Ability, ability
from snaphook.sandbox.policy import Policy
from snaphook.sandbox.refusals import Refusal
from snaphook.sandbox.reports import forget_old, tag_of, take_reports
from snaphook.sandbox.settings import SandboxSettings
from snaphook.sandbox.store import PolicyStore, Prefix
from snaphook.shell.syntax.grammar import parse
from snaphook.shell.syntax.scan import ShellSyntaxError
from snaphook.shell.world import World

if TYPE_CHECKING:
    from snaphook.providers.guard.overrides import Overrides

CanModify = Callable[[ToolEvent, HookContext], bool]
CANNOT_KNOW = frozenset({"opaque"})
"""Rules that stop a command only because nobody can know what it does."""


class Confiner:
    """Rewrites calls so that what nobody has read runs under a policy."""

    def __init__(
        self,
        settings: SandboxSettings,
        guard: GuardSettings,
        store: PolicyStore,
        *,
        can_modify: CanModify,
        asks_about_paths: Callable[[HookContext], bool] = lambda _context: False,
        calls: ConfinedCalls,
        able: Callable[[], Ability] = ability,
    ) -> None:
        self.settings = settings
        self._guard = guard
        self._store = store
        self._can_modify = can_modify
        self._asks_about_paths = asks_about_paths
        self.able = able
        self._made: set[str] = set()
        self._calls = calls

    def applies(self, event: ToolEvent, context: HookContext) -> bool:
        """Say whether this call can be confined here at all."""
        return (
            event.tool_name in SHELLS and self._can_modify(event, context) and self.able().confines
        )

    def relieved(self, judgement: Judgement) -> Judgement:
        """Return *judgement* without the objections that confinement answers."""
        left = [one for one in judgement.objections if one.rule not in CANNOT_KNOW]
        if len(left) == len(judgement.objections):
            return judgement
        return judged(
            judgement.command,
            left,
            calls=judgement.calls,
            effects=judgement.effects,
            unread=judgement.unread,
        )

    def confined(
        self,
        output: PreToolUseOutput | None,
        judgement: Judgement,
        event: PreToolUse,
        context: HookContext,
        world: World,
        *,
        tries: bool = False,
        overrides: Overrides | None = None,
    ) -> PreToolUseOutput | None:
        """Return *output* with the call rewritten, where any part of it is to be confined.

        *tries*: the guard would have asked, because nobody can know what the command does.
        *overrides*: whoever knows what a person allowed to run unconfined.
        """
        try:
            tag, bare = _tag(event, context), self._asks_about_paths(context)
            made = self._made_for(judgement, world, tries=tries, tag=tag, bare=bare)
            if made is None:
                return output
            if (note := lifted(overrides, judgement.command, event, context)) is not None:
                output = output or PreToolUseOutput(rule="sandbox")
                return replace(output, messages=(*output.messages, note))
            self._remember(judgement.command, event, context, world)
        except OSError as problem:  # our own folder cannot be written: as if there were no sandbox
            return _unconfined(output, problem)
        command, marks = made
        output = output or PreToolUseOutput(rule="sandbox")
        reason = output.reason or f"Runs in the sandbox: {marks.why}."
        args = _with_command(event.tool_args, command)
        return replace(output, modified_args=args, reason=reason)

    def _made_for(
        self, judgement: Judgement, world: World, *, tries: bool, tag: str, bare: bool
    ) -> tuple[str, Marks] | None:
        if tries and self.settings.trial and self.able().overlay and not bare:
            return self.trial(judgement)
        return self.command(judgement, world, tag=tag, bare=bare)

    def command(
        self, judgement: Judgement, world: World, *, tag: str = "", bare: bool = False
    ) -> tuple[str, Marks] | None:
        """Return the rewritten command and why; nothing where it stays as it is.

        *bare*: the helper is called by its name; where PATH does not lead to it, the command stays.
        """
        try:
            script = parse(judgement.command)
        except (ShellSyntaxError, RecursionError):
            return None
        project = project_of(world, self._guard)
        facts = Facts(
            always=self.settings.mode == "always",
            own_repository=_is_own(world, project),
            has_hooks=False,
        )
        found = tuple(simple_commands(script))
        may_hook = any(one.program == "git" for one in found)
        if (
            not choose(judgement, found, facts)
            and not may_hook
            and "snaphook-sandbox" not in judgement.command
        ):
            return None
        policy, full = self.policy(world, tag=tag)
        prefix = full.named(world.env.get("PATH", "")) if bare else full
        if prefix is None:
            return None
        marks = choose(judgement, found, replace(facts, has_hooks=bool(policy.hooks)))
        command = rewrite(judgement.command, marks, prefix)
        command = without_old(command, prefix)
        return (command, marks) if command != judgement.command else None

    def trial(self, judgement: Judgement) -> tuple[str, Marks]:
        """Return the command that tries this one in an overlay, and applies what is allowed."""
        from shlex import quote

        program = quote(str(Path(sys.executable).with_name("snaphook")))
        command = f"{program} sandbox try --agent -- {quote(judgement.command)}"
        why = "its effects are not known in advance; they are applied if all are allowed"
        return command, Marks(whole=True, why=why)

    def reports(self, event: ToolEvent, context: HookContext) -> tuple[Refusal, ...]:
        """Return what the helper reported of this session's calls since the last time."""
        return take_reports(self._store.reports, _tag(event, context))

    def _remember(
        self, command: str, event: PreToolUse, context: HookContext, world: World
    ) -> None:
        policy, _ = self.policy(world)
        confined = ConfinedCall(command=command, absent=policy.absent)
        self._calls.note(call_name(event, context), confined)

    def policy(
        self, world: World, settings: SandboxSettings | None = None, *, tag: str = ""
    ) -> tuple[Policy, Prefix]:
        """Return what holds here, and the prefix that applies it."""
        scope = scope_of(world, self._guard, str(self._store.folder.parent))
        if scope.home not in self._made:
            make_caches(scope.home, world.env.get("PATH", ""))
            forget_old(self._store.reports)
            self._made.add(scope.home)
        policy = build(settings or self.settings, scope)
        return policy, self._store.prefix(policy, self.able(), tag=tag)


def _tag(event: ToolEvent, context: HookContext) -> str:
    return tag_of(context.session_id, call_name(event, context))


def _unconfined(output: PreToolUseOutput | None, problem: OSError) -> PreToolUseOutput:
    """Return *output* with a word to the person: nothing is left out silently."""
    text = f"sandbox: the command is not confined: {problem}. Run 'snaphook sandbox status'."
    output = output or PreToolUseOutput(rule="sandbox")
    return replace(output, messages=(*output.messages, Message(text)))


def scope_of(world: World, guard: GuardSettings, data_dir: str) -> Scope:
    """Return where a command of *world* runs, in the guard's own classes."""
    return Scope(
        project=project_of(world, guard),
        home=world.home,
        env=world.env,
        is_secret=lambda path: secret(path, whole=True) is not None,
        temp_dirs=guard.temp_dirs,
        data_dir=data_dir,
    )


def project_of(world: World, guard: GuardSettings) -> str:
    """Return the folder that counts as the project; nothing where it would be a home or the machine."""
    return world.project if PathClasses(world, guard).has_project else ""


def _is_own(world: World, project: str) -> bool:
    """Say whether git, run here, is the project's: a repository inside it may be anybody's."""
    from snaphook.shell.repository import git_root

    root = git_root(world.cwd)
    return root is None or not project or f"{project}/".startswith(f"{root}/")


def _with_command(args: dict[str, Any], command: str) -> dict[str, Any]:
    key = "command" if "command" in args or "cmd" not in args else "cmd"
    if isinstance(args.get(key), (list, tuple)):
        return {**args, key: ["bash", "-c", command]}
    return {**args, key: command}
