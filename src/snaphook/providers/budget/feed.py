"""Where the figures come from: transcripts, the agent's own word, or at worst a count of tokens.

Event  ->  Charges  ->  Meter

What a transcript tells counts once, however often it is told; a host that keeps a transcript is not
believed a second time by another way.
"""

import os
from collections.abc import Iterable
from typing import Any

from snaphook.canon import HookContext, HostEvent, SessionEnd, SubagentStop, Usage
from snaphook.prices import PriceList
from snaphook.stores.budget import Bookmark, Charge, Meter, Payer
from snaphook.transcripts import TranscriptReading, UsageReported
from snaphook.transcripts.reported import beside, told

KEPT = 512
"""Sessions remembered at once."""
MOST = 4 << 20
"""Bytes of a transcript read at one event; the rest waits for the next."""


class Feed:
    """Brings what was used to the meter."""

    def __init__(self, meter: Meter, prices: PriceList, *, tenant: str = "") -> None:
        self._meter = meter
        self._prices = prices
        self._tenant = tenant
        self._payers: dict[str, Payer] = {}
        self._bookmarks: dict[str, Bookmark] = {}
        self._agents: dict[str, str] = {}

    def met(self, agent_id: str | None, name: str) -> None:
        """Remember what the subagent *agent_id* is called: its transcript does not say."""
        if agent_id:
            self._agents[agent_id] = name
            _forget(self._agents)

    def payer(self, context: HookContext) -> Payer:
        """Return who pays for what happens in *context*."""
        session = context.session_id
        payer = self._payers.get(session)
        if payer is None:
            where = context.team_root or context.cwd
            payer = self._payers[session] = Payer(
                session=session,
                tree=self._meter.tree_of(session, context.parent_session_id),
                project=os.path.realpath(where) if where else "",  # two names, one ledger
                tenant=self._tenant,
            )
            _forget(self._payers)
        return payer

    def transcripts(self, context: HookContext, more: Iterable[str] = ()) -> bool:
        """Enter what is new in the transcripts of *context* and in *more*; say whether anything was."""
        self.met(context.agent_id, context.agent_name)
        payer = self.payer(context)
        paths = dict.fromkeys([*transcripts_of(context), *more])
        return sum(self._transcript(payer, path, self._agent(path, context)) for path in paths) > 0

    def told(self, event: HostEvent, context: HookContext) -> bool:
        """Enter what *event* says was used, if it does and no transcript will say the same."""
        if context.transcript_path and context.host:
            return False
        use = told(context.host, event.kind, event.payload)
        if use is None:
            return False
        self._enter(self.payer(context), [use], context.agent_name)
        return True

    def counted(self, event: SubagentStop | SessionEnd, context: HookContext) -> bool:
        """Enter a bare count of tokens, dearly, where nothing better was ever told."""
        payer = self.payer(context)
        spender = getattr(event, "agent_id", None) or payer.session
        if not event.tokens_used or self._meter.has_charged(spender):
            return False
        usage = Usage(output_tokens=event.tokens_used)
        model = getattr(event, "model", "")
        price = self._prices.cost(model, usage)
        charge = Charge(
            id=f"{payer.session}:count:{spender}:{event.tokens_used}",
            model=model,
            usage=usage,
            micro_dollars=price.micro_dollars,
            estimated=True,
            host=context.host,
            agent=getattr(event, "agent_name", "") or context.agent_name,
        )
        self._meter.spend(payer, [charge])
        return True

    def _agent(self, path: str, context: HookContext) -> str:
        """Return whose transcript lies at *path*: ``…/subagents/agent-<id>.jsonl`` is a subagent's."""
        if path == context.transcript_path:
            return "main" if context.agent_id else context.agent_name
        agent_id = path.rpartition("/")[2].removesuffix(".jsonl").removeprefix("agent-")
        return self._agents.get(agent_id, "subagent")

    def _transcript(self, payer: Payer, path: str, agent: str) -> bool:
        known = self._bookmarks.get(path)
        before = known or self._meter.bookmark(path)
        reading = TranscriptReading(path, offset=before.at, state=before.state)
        if known is not None and not reading.grown:
            return False
        used = _used(reading)
        now = Bookmark(path=path, at=reading.offset, state=reading.state)
        if now != before:
            self._enter(payer, used, agent, now)
        self._bookmarks[path] = now
        _forget(self._bookmarks)
        return bool(used)

    def _enter(
        self, payer: Payer, used: Iterable[UsageReported], agent: str, now: Bookmark | None = None
    ) -> None:
        charges = {use.id: self._charge(payer, use, agent) for use in used}  # the later line holds
        self._meter.spend(payer, list(charges.values()), bookmark=now)

    def _charge(self, payer: Payer, use: UsageReported, agent: str) -> Charge:
        price = self._prices.cost(use.model, use.usage)
        return Charge(
            id=f"{payer.session}:{use.id}",
            model=use.model,
            usage=use.usage,
            micro_dollars=price.micro_dollars,
            estimated=price.estimated,
            host=use.host,
            agent=agent,
        )


def transcripts_of(context: HookContext) -> list[str]:
    """Return the transcript of *context*, and those of its subagents that lie beside it."""
    if not context.transcript_path or not context.host:
        return []
    return [context.transcript_path, *beside(context.transcript_path)]


def _used(reading: TranscriptReading) -> list[UsageReported]:
    try:
        return list(reading.used(MOST))
    except OSError:
        return []  # not there yet, or gone between two looks


def _forget(known: dict[str, Any]) -> None:
    if len(known) > KEPT:
        del known[next(iter(known))]
