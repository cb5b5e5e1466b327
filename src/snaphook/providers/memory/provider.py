"""Memory as a provider: it tells at the start, and keeps at the end.

SessionStart, UserPromptSubmit, SubagentStart  ->  what earlier sessions learned
Stop, SubagentStop, PreCompact, SessionEnd     ->  the outbox, which retains when there is time

The store is opened with the first question. A question takes milliseconds: inside an event loop it
is asked in a thread, so that nobody else waits for it.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, TypeVar

from snaphook.canon import (
    HookContext,
    HooksProvider,
    PreCompact,
    SessionEnd,
    SessionStart,
    SessionStartOutput,
    Stop,
    SubagentStart,
    SubagentStartOutput,
    SubagentStop,
    UserPromptOutput,
    UserPromptSubmit,
)
from snaphook.config import Environment
from snaphook.config.caller import environment
from snaphook.errors import StoreError
from snaphook.lazy import logger

from .request import Keep, RetainRequest
from .settings import MemorySettings

if TYPE_CHECKING:
    from snaphook.stores.memory.recall import Hit, RecallQuery
    from snaphook.stores.memory.store import MemoryStore

T = TypeVar("T")
log = logger("snaphook.memory")
REST = 30.0
"""Seconds for which a store that could not be reached is left alone."""
_SESSIONS = 256
"""So many sessions' told memories are remembered, not to tell them twice."""


class MemoryProvider(HooksProvider):
    """Recalls for those who begin, retains from those who end."""

    name = "memory"

    def __init__(
        self,
        settings: MemorySettings,
        around: Environment,
        *,
        keep: Keep,
        clock: Callable[[], float] = time,
    ) -> None:
        self._settings = settings
        self._around = around
        self._keep = keep
        self._clock = clock
        self._asking: _Asking | None = None
        self._told: dict[str, set[str]] = {}

    async def on_session_start(
        self, event: SessionStart, context: HookContext
    ) -> SessionStartOutput | None:
        """Tell what is known about the task, or what one should know anyway."""
        from .subject import of_session

        self._told.pop(context.session_id, None)
        text = of_session(event, context, environment())
        hits = await self._recall(text, context, limit=self._settings.session)
        if not hits and text:
            hits = await self._recall("", context, limit=self._settings.session)
        said = self._said(hits, context)
        if not said:
            return None
        from .render import as_data

        memories = [as_data(hit) for hit in hits]
        details = {"context": {"relevantMemories": memories}}
        return SessionStartOutput(additional_context=said, details=details)

    async def on_user_prompt_submitted(
        self, event: UserPromptSubmit, context: HookContext
    ) -> UserPromptOutput | None:
        """Add what has enough to do with the prompt and was not told yet."""
        hits = await self._recall(
            event.prompt,
            context,
            limit=self._settings.prompt,
            relevance=self._settings.relevance,
        )
        said = self._said(hits, context)
        return UserPromptOutput(additional_context=said) if said else None

    async def on_subagent_start(
        self, event: SubagentStart, context: HookContext
    ) -> SubagentStartOutput | None:
        """Tell a subagent what is known about its task."""
        from .render import told
        from .subject import of_subagent

        text = of_subagent(event)
        hits = await self._recall(text, context, limit=self._settings.subagent)
        said = told(hits)
        return SubagentStartOutput(additional_context=said) if said else None

    async def on_pre_compact(self, event: PreCompact, context: HookContext) -> None:
        """Keep what is about to be shortened away."""
        self._retain(context, [context.transcript_path])

    async def on_stop(self, event: Stop, context: HookContext) -> None:
        """Keep what was learned, in the background."""
        self._retain(context, [context.transcript_path])

    async def on_subagent_stop(self, event: SubagentStop, context: HookContext) -> None:
        """Keep what a subagent learned."""
        self._retain(context, [event.transcript_path], agent=event.agent_name)

    async def on_session_end(self, event: SessionEnd, context: HookContext) -> None:
        """Keep what is left."""
        self._retain(context, [context.transcript_path])

    async def _recall(
        self, text: str, context: HookContext, *, limit: int, relevance: float = 0.0
    ) -> "list[Hit]":
        if not limit:
            return []
        from snaphook.stores.memory.recall import BESIDE, RecallQuery
        from snaphook.stores.memory.store import Which

        agent = _agent(context)
        only = (agent,) if self._settings.agents and agent else ()
        wanted = RecallQuery(
            text=text,
            which=Which(
                project=named_project(project_of(context), self._settings),
                also=(project_of(context),),
                agents=only,
            ),
            agent=agent,
            limit=limit,
            confidence=self._settings.confidence,
            relevance=relevance,
            beside=BESIDE,
            budget=self._settings.budget,
        )
        if self._asking is None:
            self._asking = _Asking(self._settings, self._around)
        hits = await _aside(self._asking.ask, wanted, self._clock())
        return [hit for hit in hits if hit.memory.is_tellable]

    def _said(self, hits: "Iterable[Hit]", context: HookContext) -> str | None:
        """Return what was not told to this session yet, as context."""
        from .render import told

        before = self._told.setdefault(context.session_id, set())
        new = [hit for hit in hits if hit.memory.id not in before]
        before.update(hit.memory.id for hit in new)
        while len(self._told) > _SESSIONS:
            del self._told[next(iter(self._told))]
        return told(new)

    def _retain(
        self, context: HookContext, transcripts: Iterable[str | None], *, agent: str = ""
    ) -> None:
        if not self._settings.retain:
            return
        from .subject import run_folder

        folder = run_folder(context, environment())
        paths = [str(folder)] if folder else []
        spoken = [path for path in transcripts if path and Path(path).is_file()]
        if self._settings.transcripts:
            paths += spoken
        if not paths:
            return
        request = RetainRequest(
            paths=tuple(paths),
            project=project_of(context),
            run=folder.name if folder else "",
            session=context.session_id,
            agent=agent or _agent(context),
            transcripts=() if self._settings.transcripts else tuple(spoken),
            settings=self._settings,
        )
        self._keep(request, f"retain {context.session_id} {_state(paths)}")


class _Asking:
    """The store, open, and one question at a time."""

    def __init__(self, settings: MemorySettings, around: Environment) -> None:
        from threading import Lock

        self._settings = settings
        self._around = around
        self._turn = Lock()
        self._store: MemoryStore | None = None
        self._rest_until = 0.0

    def ask(self, wanted: "RecallQuery", now: float) -> "list[Hit]":
        """Return what is remembered of *wanted*; nothing where nothing was ever kept.

        Nothing, too, while the store cannot be reached: that is noted, and it is not asked again
        for a while, so that a server that is away holds up one hook and not every one.
        """
        from snaphook.stores.memory.open import there_is

        if now < self._rest_until or not there_is(
            self._settings.store, data_dir=self._around.data_dir
        ):
            return []
        with self._turn:
            try:
                return self._answer(wanted, now)
            except StoreError as away:
                log.warning("memory: recall is paused for %d seconds: %s", REST, away)
                self._rest_until = now + REST
                return []

    def _answer(self, wanted: "RecallQuery", now: float) -> "list[Hit]":
        from snaphook.stores.memory.open import embedder, open_store
        from snaphook.stores.memory.recall import recall

        embed = embedder(self._settings.embedder)
        if self._store is None:
            self._store = open_store(
                self._settings.store,
                graph=self._settings.graph,
                data_dir=self._around.data_dir,
                embed=embed,
            )
        return recall(self._store, wanted, now=now, embed=embed)


def project_of(context: HookContext) -> str:
    """Return the project whose memories count: its root, or where the agent stands."""
    return context.team_root or context.cwd


def named_project(root: str, settings: MemorySettings) -> str:
    """Return the name under which memories of the project at *root* are kept, on every machine."""
    if settings.project:
        return settings.project
    from snaphook.config.repository import repository_of

    return repository_of(root)


def _agent(context: HookContext) -> str:
    return context.agent_type or (context.agent_name if context.agent_name != "main" else "")


def _state(paths: Iterable[str]) -> str:
    """Return what changes when any of *paths* does: told twice of the same, we retain once."""
    states = []
    for path in paths:
        files = sorted(Path(path).glob("*.md")) if Path(path).is_dir() else [Path(path)]
        states += [f"{file.stat().st_size}.{file.stat().st_mtime_ns}" for file in files]
    return " ".join(states)


async def _aside(work: Callable[..., T], *args: object) -> T:
    """Return what *work* returns, done in a thread where an event loop would have to wait."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None or asyncio._get_running_loop() is None:  # noqa: SLF001 - documented, for this
        return work(*args)
    result: T = await asyncio.to_thread(work, *args)
    return result
