"""The budget: told at half, cheaper at 70 %, no more helpers at 90 %, stopped at 100 %.

Event  ->  what was used  ->  Meter  ->  Standing  ->  Output

The figures of the steps are settings. With a store on this machine nothing here waits for anything
but its file; with a fleet's store every question is asked in a thread.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

import msgspec

from snaphook.canon import (
    Event,
    HookContext,
    HooksProvider,
    HostEvent,
    HostEventOutput,
    Message,
    PostToolUse,
    PostToolUseOutput,
    PreToolUse,
    PreToolUseOutput,
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
from snaphook.prices import PriceList, read_prices
from snaphook.stores.budget import Meter, Payer, open_meter

from .cheaper import cheaper_args, cheaper_model
from .feed import Feed
from .limits import LimitStep, Standing, limits_of, standing
from .report import BudgetReport, bounds, dollars, make_report, write_report
from .settings import BudgetSettings

FRESH = 0.25
"""Seconds for which a standing is taken to hold, unless we spend ourselves."""
SPAWNS = frozenset(["Task", "Agent", "spawn_agent"])
"""Tools that start a subagent, where the host tells of them before it does."""

E = TypeVar("E", bound=Event)
O = TypeVar("O")  # noqa: E741 - an output, whichever


class BudgetProvider(HooksProvider):
    """Counts, warns, saves, and stops."""

    name = "budget"

    def __init__(
        self,
        settings: BudgetSettings,
        meter: Meter,
        *,
        prices: PriceList | None = None,
        tenant: str = "",
        reports: Path | None = None,
    ) -> None:
        self.settings = settings
        self.meter = meter
        self.limits = limits_of(settings, tenanted=bool(tenant))
        self.stance = Stance(settings.stance)
        self.suspends = meter.remote
        self._prices = prices or PriceList()
        self._feed = Feed(meter, self._prices, tenant=tenant)
        self._reports = reports
        self._standings: dict[str, tuple[float, Standing]] = {}
        self._holds: dict[str, str] = {}
        self._asking = Lock()

    @classmethod
    def from_settings(
        cls, settings: BudgetSettings, data_dir: Path, *, home: Path, tenant: str = ""
    ) -> "BudgetProvider":
        """Return the provider that *settings* describe, its state in *data_dir*."""
        own = {}
        if settings.prices:
            named = settings.prices
            own = read_prices(home / named[2:] if named.startswith("~/") else Path(named))
        return cls(
            settings,
            open_meter(settings.store, data_dir, strict=settings.stance == "closed"),
            prices=PriceList(own),
            tenant=tenant,
            reports=data_dir / "budget-reports" if settings.report else None,
        )

    async def on_session_start(
        self, event: SessionStart, context: HookContext
    ) -> SessionStartOutput | None:
        """Tell how things stand; give a cheaper model where they stand badly."""
        return await self._asked(self._session_start, event, context)

    async def on_user_prompt_submitted(
        self, event: UserPromptSubmit, context: HookContext
    ) -> UserPromptOutput | None:
        """Take no prompt that could not be paid for."""
        return await self._asked(self._prompt, event, context)

    async def on_pre_tool_use(
        self, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        """Stop at the limit; ask about a call that goes in circles, or money that goes too fast."""
        return await self._asked(self._pre_tool_use, event, context)

    async def on_post_tool_use(
        self, event: PostToolUse, context: HookContext
    ) -> PostToolUseOutput | None:
        """Count, and tell once when a step was passed."""
        return await self._asked(self._post_tool_use, event, context)

    async def on_stop(self, event: Stop, context: HookContext) -> StopOutput | None:
        """Count, tell, and write the report."""
        return await self._asked(self._stop, event, context)

    async def on_subagent_start(
        self, event: SubagentStart, context: HookContext
    ) -> SubagentStartOutput | None:
        """Let a helper start, on a cheaper model, or not at all."""
        return await self._asked(self._subagent_start, event, context)

    async def on_subagent_stop(
        self, event: SubagentStop, context: HookContext
    ) -> SubagentStopOutput | None:
        """Count what a helper used, and give back what was set aside for it."""
        await self._asked(self._subagent_stop, event, context)
        return None

    async def on_session_end(
        self, event: SessionEnd, context: HookContext
    ) -> SessionEndOutput | None:
        """Write the report, and say what it says."""
        return await self._asked(self._session_end, event, context)

    async def on_host_event(self, event: HostEvent, context: HookContext) -> HostEventOutput | None:
        """Count what a model's answer used, where the agent tells; ask it to be thriftier."""
        return await self._asked(self._host_event, event, context)

    def report(self, context: HookContext) -> BudgetReport:
        """Return how *context*'s session stands."""
        return make_report(self.meter, self._feed.payer(context), self.limits)

    async def _asked(
        self, answer: Callable[[E, HookContext], O], event: E, context: HookContext
    ) -> O:
        """Return the answer, in a thread where the store is far away."""
        if not self.suspends:
            return answer(event, context)
        import asyncio

        def alone() -> O:
            with self._asking:
                return answer(event, context)

        return await asyncio.to_thread(alone)

    def _session_start(
        self, event: SessionStart, context: HookContext
    ) -> SessionStartOutput | None:
        payer = self._feed.payer(context)
        stands = self._stands(payer)
        model = self._cheaper(stands, event.model, context)
        facts = [Message(f"Budget: {told}") for told in self.meter.facts().values()]
        messages = (*self._news(payer, stands), *facts)
        if model is None and not messages:
            return None
        return SessionStartOutput(
            modified_config={"model": model} if model else {}, messages=messages
        )

    def _prompt(self, event: UserPromptSubmit, context: HookContext) -> UserPromptOutput | None:
        stands = self._counted(context)
        if stands.step < LimitStep.STOP:
            return None
        return UserPromptOutput(decision=Verdict.DENY, reason=_over(stands))

    def _pre_tool_use(self, event: PreToolUse, context: HookContext) -> PreToolUseOutput | None:
        stands = self._counted(context)
        if stands.step is LimitStep.STOP:
            return PreToolUseOutput(decision=Verdict.DENY, reason=_over(stands))
        if event.tool_name in SPAWNS:
            if stands.step is LimitStep.NO_SPAWNS:
                return PreToolUseOutput(decision=Verdict.DENY, reason=_no_spawns(stands))
            if stands.step is LimitStep.CHEAPER and (args := self._cheaper_args(event, context)):
                return PreToolUseOutput(decision=Verdict.MODIFY, modified_args=args)
        return self._in_circles(event, context) or self._too_fast(context)

    def _post_tool_use(self, event: PostToolUse, context: HookContext) -> PostToolUseOutput | None:
        stands = self._counted(context)
        news = self._news(self._feed.payer(context), stands)
        return PostToolUseOutput(messages=news) if news else None

    def _stop(self, event: Stop, context: HookContext) -> StopOutput | None:
        stands = self._counted(context)
        self._write(context)
        news = self._news(self._feed.payer(context), stands)
        return StopOutput(messages=news) if news else None

    def _subagent_start(
        self, event: SubagentStart, context: HookContext
    ) -> SubagentStartOutput | None:
        self._feed.met(event.agent_id, event.agent_name)
        stands = self._counted(context)
        if stands.step >= LimitStep.NO_SPAWNS:
            return SubagentStartOutput(decision=Verdict.DENY, reason=_no_spawns(stands))
        if self.settings.spawn_reserve and not self._set_aside(event, context):
            reason = (
                f"Budget: no budget left for another subagent; each reserves "
                f"{dollars(round(self.settings.spawn_reserve * 1e6))} . Do it yourself, or later."
            )
            return SubagentStartOutput(decision=Verdict.DENY, reason=reason)
        model = self._cheaper(stands, event.model, context)
        return SubagentStartOutput(modified_model=model) if model else None

    def _subagent_stop(self, event: SubagentStop, context: HookContext) -> None:
        self._feed.met(event.agent_id, event.agent_name)
        own = [event.transcript_path] if event.transcript_path and context.host else []
        changed = self._feed.transcripts(context, own)
        changed |= self._feed.counted(event, context)
        hold = self._holds.pop(event.agent_id or event.agent_name, None)
        if hold is not None:
            self.meter.release(hold)
        if changed or hold:
            self._standings.clear()

    def _session_end(self, event: SessionEnd, context: HookContext) -> SessionEndOutput | None:
        self._feed.counted(event, context)
        self._counted(context)
        if context.parent_session_id:
            return None  # its parent's report tells of the whole tree
        report = self._write(context)
        if report is None or not report.models:
            return None
        return SessionEndOutput(messages=(Message(f"Budget: {report.text}"),))

    def _host_event(self, event: HostEvent, context: HookContext) -> HostEventOutput | None:
        if not self._feed.told(event, context):
            return None
        self._standings.clear()
        payer = self._feed.payer(context)
        stands = self._stands(payer)
        model = self._cheaper(stands, str(event.payload.get("model") or ""), context)
        news = self._news(payer, stands)
        if model is None and not news:
            return None
        return HostEventOutput(modified_config={"model": model} if model else {}, messages=news)

    def _counted(self, context: HookContext) -> Standing:
        """Return how things stand once everything new was counted."""
        if self._feed.transcripts(context):
            self._standings.clear()
        return self._stands(self._feed.payer(context))

    def _stands(self, payer: Payer) -> Standing:
        if not self.limits:
            return Standing()
        now = monotonic()
        until, stands = self._standings.get(payer.session, (0.0, Standing()))
        if now >= until:
            stands = standing(self.meter.balances(payer), self.limits, self.settings)
            self._standings[payer.session] = (now + FRESH, stands)
        return stands

    def _news(self, payer: Payer, stands: Standing) -> tuple[Message, ...]:
        """Return what the person has not been told yet of how things stand."""
        if stands.step is LimitStep.FREE:
            return ()
        if not self.meter.first_to_tell(payer, stands.kind, int(stands.step)):
            return ()
        then = {
            LimitStep.WARN: "",
            LimitStep.CHEAPER: " Cheaper models from here on.",
            LimitStep.NO_SPAWNS: " No more subagents.",
            LimitStep.STOP: " No more tool calls.",
        }[stands.step]
        return (Message(f"Budget: {_told(stands)}.{then}"),)

    def _cheaper(self, stands: Standing, model: str, context: HookContext) -> str | None:
        if stands.step < LimitStep.CHEAPER:
            return None
        return cheaper_model(model, self.settings.cheaper_models, self._prices, context.host)

    def _cheaper_args(self, event: PreToolUse, context: HookContext) -> dict[str, Any] | None:
        model = cheaper_model("", self.settings.cheaper_models, self._prices, context.host)
        return cheaper_args(event.tool_args, model, context.host)

    def _in_circles(self, event: PreToolUse, context: HookContext) -> PreToolUseOutput | None:
        most = self.settings.repeats
        if not most:
            return None
        call = msgspec.json.encode([event.tool_name, event.tool_args], order="sorted")
        digest = hashlib.blake2b(call, digest_size=12).hexdigest()
        speaker = f"{context.session_id}/{context.agent_id or ''}"
        times = self.meter.repeated(speaker, digest)
        if times < most:
            return None
        reason = (
            f"Budget: the same {event.tool_name} call {times} times in a row. Try a different "
            "approach."
        )
        return PreToolUseOutput(decision=Verdict.ASK, reason=reason)

    def _too_fast(self, context: HookContext) -> PreToolUseOutput | None:
        most = round(self.settings.per_minute * 1_000_000)
        if not most:
            return None
        spent = self.meter.velocity(self._feed.payer(context))
        if spent <= most:
            return None
        reason = (
            f"Budget: {dollars(spent)} in the last minute; {dollars(most)} is the limit you set."
        )
        return PreToolUseOutput(decision=Verdict.ASK, reason=reason)

    def _set_aside(self, event: SubagentStart, context: HookContext) -> bool:
        payer = self._feed.payer(context)
        hold = self.meter.reserve(
            payer, self.limits, round(self.settings.spawn_reserve * 1_000_000)
        )
        if hold is None:
            return False
        self._holds[event.agent_id or event.agent_name] = hold
        self._standings.clear()
        return True

    def _write(self, context: HookContext) -> BudgetReport | None:
        if self._reports is None:
            return None
        report = self.report(context)
        write_report(report, self._reports)
        return report


def _told(stands: Standing) -> str:
    spent = stands.balance.micro_dollars + stands.balance.held
    return (
        f"the {stands.kind} has used {stands.share * 100:.0f} % of {bounds(stands.limit)} "
        f"({dollars(spent)}, {stands.balance.tokens:,} tokens)"
    )


def _over(stands: Standing) -> str:
    name = stands.kind.partition("-")[0]
    amount = "TOKENS --tokens" if stands.limit.micro_dollars is None else "DOLLARS"
    fix = f"Ask the person: 'snaphook budget set {name} {amount}' raises it."
    return f"Budget: {_told(stands)}. {fix}"


def _no_spawns(stands: Standing) -> str:
    return f"Budget: {_told(stands)}, so no more subagents are started. Do this work yourself."
