"""The guard as a provider.

PreToolUse  ->  Judgement  ->  PreToolUseOutput
"""

from __future__ import annotations

from collections.abc import Callable

from snaphook.canon import HookContext, HooksProvider, PreToolUse, PreToolUseOutput, Stance, Verdict
from snaphook.later import logger
from snaphook.providers.guard.examine import examine_tool
from snaphook.providers.guard.judgement import Answer, Judgement
from snaphook.providers.guard.live import LiveWorld
from snaphook.providers.guard.message import message
from snaphook.providers.guard.settings import GuardSettings
from snaphook.providers.guard.world import World

_log = logger(__name__)
_VERDICTS = {Answer.ASK: Verdict.ASK, Answer.DENY: Verdict.DENY}

Seen = Callable[[PreToolUse, HookContext], World]


def here(_event: PreToolUse, context: HookContext) -> World:
    """Return this machine as the event's session sees it."""
    return LiveWorld(context.cwd or context.team_root, project=context.team_root)


class GuardProvider(HooksProvider):
    """Stops what must not happen and lets the rest through. Closed when it fails."""

    name = "guard"
    stance = Stance.CLOSED
    suspends = False

    def __init__(self, settings: GuardSettings | None = None, *, world: Seen = here) -> None:
        self.settings = settings or GuardSettings()
        self._world = world

    async def on_pre_tool_use(
        self, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        """Deny or ask about a call that a rule objects to; have no opinion of any other."""
        judgement = self.judge(event, context)
        if judgement.answer is Answer.ALLOW:
            return None
        _log.info("guard: %s: %s", judgement.rule, judgement.reason)
        return PreToolUseOutput(
            decision=_VERDICTS[judgement.answer], reason=message(judgement, self.settings)
        )

    def judge(self, event: PreToolUse, context: HookContext) -> Judgement:
        """Return the judgement of one call, grounds and all."""
        return examine_tool(
            event.tool_name,
            event.tool_args,
            self._world(event, context),
            settings=self.settings,
            agent=context.agent_type or context.agent_name,
        )
