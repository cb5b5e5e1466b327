"""The guard as a provider.

PreToolUse  ->  Judgement  ->  PreToolUseOutput
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from time import time
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from snaphook.canon import (
    HookContext,
    HooksProvider,
    Message,
    PostToolUse,
    PreToolUse,
    PreToolUseOutput,
    Recipient,
    SessionEnd,
    Stance,
    ToolEvent,
    Verdict,
)
from snaphook.lazy import logger
from snaphook.providers.guard.caller import NO_ROLE, AgentRole, Caller
from snaphook.providers.guard.examine import examine_tool
from snaphook.providers.guard.judgement import GuardAnswer, Judgement
from snaphook.providers.guard.memory import NOTHING, LazyMemory, SessionMemory
from snaphook.providers.guard.message import message
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.live import LiveWorld
from snaphook.shell.world import World

if TYPE_CHECKING:
    from snaphook.providers.guard.memory import Sessions
    from snaphook.providers.guard.overrides import Overrides
    from snaphook.providers.guard.sandboxing.confine import Confiner
    from snaphook.providers.guard.sandboxing.needs import Sandbox
    from snaphook.providers.guard.snapshot_finalizer import Snapshotter
    from snaphook.providers.guard.traces import SessionTraces

_log = logger(__name__)
_VERDICTS = {GuardAnswer.ASK: Verdict.ASK, GuardAnswer.DENY: Verdict.DENY}

Seen = Callable[[ToolEvent, HookContext], World]
Roles = Callable[[HookContext], AgentRole]


def nobody(_context: HookContext) -> AgentRole:
    """Return no role: only what the host says of the agent counts."""
    return NO_ROLE


def here(_event: ToolEvent, context: HookContext) -> World:
    """Return this machine as the event's session sees it."""
    return LiveWorld(context.cwd or context.team_root, project=context.team_root)


class GuardPreview(Struct, frozen=True, kw_only=True):
    """What the guard would say: what its rules found, and what of that would be left to stop the call.

    *snapshot*: what would be lost is kept first, and the call goes on. *confined*: it runs in the
    sandbox, which answers the objections that nobody can know what it does.
    """

    judgement: Judgement
    left: Judgement
    snapshot: bool = False
    confined: bool = False


class GuardProvider(HooksProvider):
    """Stops what must not happen and lets the rest through. Closed when it fails."""

    name = "guard"
    stance = Stance.CLOSED
    suspends = False

    def __init__(
        self,
        settings: GuardSettings | None = None,
        *,
        world: Seen = here,
        snapshotter: Snapshotter | None = None,
        overrides: Overrides | None = None,
        roles: Roles = nobody,
        sandbox: Sandbox | None = None,
    ) -> None:
        self.settings = settings or GuardSettings()
        self.sandbox = sandbox
        self.world = world
        self._snapshotter = snapshotter
        self.overrides = overrides
        self._roles = roles
        self._seen: tuple[ToolEvent, Judgement, PreToolUseOutput | None] | None = None

    async def on_pre_tool_use(
        self, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        """Deny, ask or warn about a call that a rule objects to; have no opinion of any other."""
        judgement = self.judge(event, context)
        if judgement.traces is not None and judgement.answer is not GuardAnswer.DENY:
            self.note(judgement.traces, context)
        sandbox = self._confiner(judgement, event, context)
        if sandbox is None:
            output = self._answer(judgement, event, context)
        else:
            output = self._confined(judgement, event, context, sandbox)
        self._seen = event, judgement, output
        return output

    def judged(self, event: ToolEvent, context: HookContext) -> tuple[Judgement, bool]:
        """Return the judgement of a call for who is asked after us, and whether we confined it.

        The same event was judged a moment ago, as it was or before we rewrote it: one evaluation
        serves both.
        """
        if self._seen is not None:
            seen, judgement, output = self._seen
            if seen is event:
                return judgement, False
            changed = output.modified_args if output else None
            if changed is not None and changed == event.tool_args and seen.context is context:
                return judgement, True
        return self.judge(event, context), False

    def preview(self, event: PreToolUse, context: HookContext) -> GuardPreview:
        """Return what ``on_pre_tool_use`` would say of the call; nothing is kept, confined or noted.

        What a person has allowed for once or for a while does not count.
        """
        judgement = self.judge(event, context)
        if judgement.answer > GuardAnswer.WARN:
            judgement = self._weighed(judgement, event, context)
        sandbox = self._confiner(judgement, event, context)
        left = judgement if sandbox is None else sandbox.relieved(judgement)
        keeps = self._snapshotter is not None and left.answer > GuardAnswer.WARN
        if keeps and self.settings.lifts(left.rules):
            from snaphook.providers.guard.snapshots import without_lost_work

            found = without_lost_work(left, self.settings.netted)
            if found is not None:
                return GuardPreview(judgement=judgement, left=found[0], snapshot=True)
        return GuardPreview(judgement=judgement, left=left, confined=left is not judgement)

    def _confiner(
        self, judgement: Judgement, event: PreToolUse, context: HookContext
    ) -> Confiner | None:
        """Return who confines what nobody has read, where the call needs it and it can be done here."""
        if self.sandbox is None or judgement.answer is GuardAnswer.DENY:
            return None
        if not self.sandbox.concerns(judgement):
            return None
        sandbox = self.sandbox.make()
        return sandbox if sandbox.applies(event, context) else None

    def _confined(
        self, judgement: Judgement, event: PreToolUse, context: HookContext, sandbox: Confiner
    ) -> PreToolUseOutput | None:
        """Return the answer with what nobody has read confined."""
        left = sandbox.relieved(judgement)
        output = self._answer(left, event, context)
        if output is not None and output.decision is not None and output.decision.stops:
            return output
        world = self.world(event, context)
        return sandbox.confined(
            output,
            left,
            event,
            context,
            world,
            tries=left is not judgement,
            overrides=self.overrides if self.settings.overrides else None,
        )

    def _answer(
        self, judgement: Judgement, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        if not judgement.objections:
            return None
        _log.info("guard: %s: %s", judgement.rule, judgement.reason)
        if judgement.answer <= GuardAnswer.WARN:
            return said(judgement, self.settings)
        if self.overrides is None:
            return self._stopped(judgement, event, context)
        from snaphook.providers.guard.overrides import apply_override

        return apply_override(
            self.overrides,
            judgement,
            self.settings,
            event,
            context,
            lambda left: self._stopped(left, event, context),
        )

    def _stopped(
        self, judgement: Judgement, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput:
        """Return what is said of a call that a rule would stop, unless the net catches it."""
        judgement = self._weighed(judgement, event, context)
        if self._snapshotter and self.settings.lifts(judgement.rules):
            return self._snapshotted(judgement, event, context, self._snapshotter)
        return said(judgement, self.settings)

    def _weighed(self, judgement: Judgement, event: PreToolUse, context: HookContext) -> Judgement:
        """Return *judgement* with what the call would cost."""
        from snaphook.providers.guard.stake import stake

        return replace(judgement, stake=stake(judgement, self.world(event, context).project))

    def _snapshotted(
        self,
        judgement: Judgement,
        event: PreToolUse,
        context: HookContext,
        snapshotter: Snapshotter,
    ) -> PreToolUseOutput:
        """Return what is left to say once what the call would destroy is kept."""
        from snaphook.providers.guard.snapshot_finalizer import call_name
        from snaphook.providers.guard.snapshots import take_snapshot

        result = take_snapshot(
            judgement,
            self.settings.netted,
            snapshotter,
            session=context.session_id,
            call=call_name(event, context),
        )
        if result is None:
            return said(judgement, self.settings)
        if not result.judgement.objections:
            return PreToolUseOutput(additional_context=result.note, rule=judgement.rule)
        told = said(result.judgement, self.settings)
        return replace(told, reason=f"{told.reason}\n{result.note}")

    def judge(self, event: ToolEvent, context: HookContext) -> Judgement:
        """Return the judgement of one call, grounds and all."""
        return examine_tool(
            event.tool_name,
            event.tool_args,
            self.world(event, context),
            settings=self.settings,
            asker=asker(context, self._roles(context)),
            memory=self._memory(context),
        )

    def _memory(self, _context: HookContext) -> SessionMemory:
        return NOTHING

    def note(self, traces: SessionTraces, context: HookContext) -> None:
        """Forget *traces*: this guard judges each call by itself."""

    def note_result(self, event: PostToolUse, context: HookContext) -> None:
        """Forget what came of a call."""


class RememberingGuard(GuardProvider):
    """The guard that knows what the session has done before: it listens to results, too."""

    def __init__(
        self,
        settings: GuardSettings,
        *,
        sessions: Callable[[], Sessions],
        world: Seen = here,
        snapshotter: Snapshotter | None = None,
        overrides: Overrides | None = None,
        roles: Roles = nobody,
        sandbox: Sandbox | None = None,
    ) -> None:
        super().__init__(
            settings,
            world=world,
            snapshotter=snapshotter,
            overrides=overrides,
            roles=roles,
            sandbox=sandbox,
        )
        self._make_sessions = sessions

    @cached_property
    def _sessions(self) -> Sessions:
        return self._make_sessions()  # most calls ask nothing of the past, and load nothing for it

    def _memory(self, context: HookContext) -> SessionMemory:
        if not context.session_id:
            return NOTHING
        return LazyMemory(lambda: self._sessions.of(context.session_id))

    def note(self, traces: SessionTraces, context: HookContext) -> None:
        """Remember what a call that may run leaves behind."""
        if not context.session_id:
            return
        from snaphook.providers.guard.sessions import SessionNote

        note = SessionNote(downloads=traces.downloads, seen=traces.seen, secrets=traces.secrets)
        try:
            self._sessions.note(context.session_id, note)
        except OSError as error:  # a full disk is no reason to stop the agent
            _log.warning("guard: what this session did could not be noted: %s", error)

    async def on_post_tool_use(self, event: PostToolUse, context: HookContext) -> None:
        """Remember what was read, changed and run with success, and the containers that were started."""
        self.note_result(event, context)

    def note_result(self, event: PostToolUse, context: HookContext) -> None:
        """Remember what came of a call, where that counts for later ones."""
        if not self.settings.remembers and not starts_container(event.tool_args):
            return
        from snaphook.providers.guard.remember import note_of

        world = self.world(event, context)
        note = note_of(event.tool_name, event.tool_args, event.tool_result, world, self.settings)
        if not self.settings.remembers:
            note = replace(note, read=(), changed=False, ran=())
        self._sessions.note(context.session_id, note)

    async def on_session_end(self, _event: SessionEnd, _context: HookContext) -> None:
        """Remove the notes of sessions that have not been used for long."""
        self._sessions.forget_old()


def starts_container(args: Mapping[str, Any]) -> bool:
    """Say whether a call may start a container: a look at the text, since every result comes by."""
    command = args.get("command", args.get("cmd", ""))
    if not isinstance(command, str):
        command = " ".join(map(str, command or ()))
    engine = any(name in command for name in ("docker", "podman", "nerdctl"))
    return engine and (" run" in command or " create" in command)


def asker(context: HookContext, role: AgentRole = NO_ROLE) -> Caller:
    """Return who asks, as *context* and the *role* of its session tell it."""
    return Caller(
        agent=context.agent_type or role.name or context.agent_name,
        role=role,
        agent_name=context.agent_name,
        host=context.host,
        time=context.timestamp or time(),
    )


def said(judgement: Judgement, settings: GuardSettings) -> PreToolUseOutput:
    """Return what *judgement* says to agent and person, and what is only written down."""
    told = message(judgement, settings)
    verdict = _VERDICTS.get(judgement.answer)
    warns = judgement.answer is GuardAnswer.WARN
    return PreToolUseOutput(
        decision=verdict,
        reason=told,
        rule=judgement.rule,
        would=_VERDICTS.get(judgement.would) if judgement.would > judgement.answer else None,
        messages=(Message(told, Recipient.BOTH),) if warns else (),
    )
