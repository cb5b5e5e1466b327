"""Provenance as a provider.

prompts, results  ->  sources        PreToolUse  ->  sinks  ->  Objection  ->  PreToolUseOutput

A call in a session that has read neither a text from outside nor a secret costs one look at the store.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from time import time
from typing import TYPE_CHECKING, Any

from snaphook.canon import (
    HookContext,
    HooksProvider,
    PostToolUse,
    PostToolUseFailure,
    PostToolUseOutput,
    PreToolUse,
    PreToolUseOutput,
    SessionEnd,
    Stance,
    ToolEvent,
    UserPromptSubmit,
    Verdict,
)
from snaphook.lazy import logger

from .settings import ProvenanceSettings

if TYPE_CHECKING:
    from snaphook.shell.understood import Understood
    from snaphook.stores.provenance.entries import Entry, Source
    from snaphook.stores.provenance.session import Session
    from snaphook.stores.provenance.store import ProvenanceStore

    from .judge import Judge, Objection
    from .sinks import Sink
    from .sources import Origin
    from .verdicts import Overrides
    from .worker import Worker

log = logger(__name__)
ASKED = 256
"""Calls under question that are remembered until they have run."""
NOW = 600
"""Characters of a result that are read at once: starting a thread's work costs as much."""


class ProvenanceProvider(HooksProvider):
    """Asks about values that only a text from outside named, and stops secrets from leaving."""

    name = "provenance"
    stance = Stance.CLOSED
    suspends = False

    def __init__(
        self,
        settings: ProvenanceSettings | None = None,
        *,
        store: ProvenanceStore,
        shell: Callable[[str, HookContext], Understood],
        overrides: Overrides | None = None,
    ) -> None:
        self.settings = settings or ProvenanceSettings()
        self._store = store
        self._shell = shell
        self._overrides = overrides
        self._worker: Worker | None = None
        self._calls: OrderedDict[str, int] = OrderedDict()
        self._numbers: OrderedDict[str, int] = OrderedDict()
        self._asked: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        self._readings: OrderedDict[tuple[str, str], Understood] = OrderedDict()

    async def on_user_prompt_submitted(self, event: UserPromptSubmit, context: HookContext) -> None:
        """Remember what the person names and asks for."""
        if not event.prompt.strip():  # one host sends every prompt a second time, empty
            return
        from snaphook.stores.provenance.entries import Source, Trust
        from snaphook.stores.provenance.seal import start_value

        from .reading import prompt

        read = prompt(event.prompt, start_value(self._store.key))
        source = Source(
            number=0, trust=Trust.PERSON, tool="prompt", time=context.timestamp, prints=read.prints
        )
        self._keep(context, [source])

    async def on_pre_tool_use(
        self, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        """Ask about or deny a call whose values came from where they should not."""
        session_id = root(context)
        number = self._count(session_id, event, context)
        if self._worker is not None:
            self._worker.settle(session_id)
        if not self._store.knows(session_id):
            return None
        session = self._store.of(session_id)
        if not session.has_outside and not session.has_secrets:
            return None
        objection = self._judge(session, event, context)
        return None if objection is None else self._said(objection, event, context, number)

    async def on_post_tool_use(
        self, event: PostToolUse, context: HookContext
    ) -> PostToolUseOutput | None:
        """Remember where the result came from; take hidden text out of it, and mark orders as data."""
        self._approve(event, context)
        from .reading import text_of

        origin = self._origin(event, context)
        text = text_of(event.tool_result)
        self._remember(event, context, origin, text)
        from snaphook.stores.provenance.entries import Trust

        if origin.trust is not Trust.OUTSIDE or self.settings.results == "off":
            return None
        from .results import cleaned

        return cleaned(event, origin, self.settings)

    async def on_post_tool_use_failure(
        self, event: PostToolUseFailure, context: HookContext
    ) -> None:
        """Remember what a failed call printed: error pages are written by others too."""
        self._remember(event, context, self._origin(event, context), event.error)

    async def on_session_end(self, _event: SessionEnd, context: HookContext) -> None:
        """Let go of sessions that nobody has heard of for long."""
        if self._worker is not None:
            self._worker.settle(root(context))
        self._store.forget_old()

    def objection(self, event: ToolEvent, context: HookContext) -> str:
        """Return why the origins of a call's values speak against it; nothing is kept or counted."""
        session_id = root(context)
        if self._worker is not None:
            self._worker.settle(session_id)
        if not self._store.knows(session_id):
            return ""
        session = self._store.of(session_id)
        if not session.has_outside and not session.has_secrets:
            return ""
        found = self._judge_of(session, context).judge(self._sinks(event, context))
        return "" if found is None else found.reason

    # Understood

    def settle(self, context: HookContext) -> None:
        """Return once everything that the session has read so far is known."""
        if self._worker is not None:
            self._worker.settle(root(context))

    def _remember(self, event: ToolEvent, context: HookContext, origin: Origin, text: str) -> None:
        number = self._number(event, context)
        if not text.strip() and not self._writes(event):
            return
        if len(text) <= NOW:
            self._read(event, context, origin, text, number)
            return
        from .worker import Worker

        self._worker = self._worker or Worker()
        self._worker.do(root(context), lambda: self._read(event, context, origin, text, number))

    def _read(
        self, event: ToolEvent, context: HookContext, origin: Origin, text: str, number: int
    ) -> None:
        """Keep the fingerprints of what was read, its secrets, and the files that were written from it."""
        from snaphook.stores.provenance.entries import Secret, Trust
        from snaphook.stores.provenance.seal import start_value

        from .reading import Read, outside, prompt, secrets
        from .written import files_written

        key = self._store.key
        entries: list[Entry] = []
        if origin.trust is Trust.OUTSIDE:
            read = outside(text, start_value(key), key)
            entries.append(self._source(event, context, origin, read, number))
        else:
            path = origin.address if origin.address.startswith("/") else ""
            read = Read(secrets=tuple(secrets(text, key, path or origin.address)))
            if origin.chosen and origin.trust is not Trust.LOCAL:  # the settings let it vouch
                vouches = prompt(text, start_value(key))
                entries.append(self._source(event, context, origin, vouches, number))
        entries += [
            Secret(
                digest=digest,
                length=length,
                kind=kind,
                number=number,
                tool=event.tool_name,
                address=origin.address,
            )
            for digest, length, kind in read.secrets
        ]
        session = self._session(context)
        entries += files_written(
            event,
            self._reading(event, context),
            session,
            number,
            project=context.team_root or context.cwd,
            named=lambda value: self._judge_of(session, context).naming.named_address(value),
        )
        self._keep(context, entries)

    def _source(
        self, event: ToolEvent, context: HookContext, origin: Origin, read: Any, number: int
    ) -> Source:
        from snaphook.stores.provenance.entries import Source

        from .pointed import pointed

        session = self._session(context)
        return Source(
            number=origin.number or number,
            trust=origin.trust,
            tool=event.tool_name,
            address=origin.address[:300],
            call=event.tool_use_id or "",
            time=context.timestamp or time(),
            pointed=pointed(event.tool_args, session),
            addressed=read.addressed,
            agent=context.agent_id or "",
            prints=read.prints,
            told=read.told,
        )

    def _origin(self, event: ToolEvent, context: HookContext) -> Origin:
        from .sources import origin_of

        return origin_of(
            event.tool_name,
            event.tool_args,
            self._reading(event, context),
            self._session(context),
            table=self.settings.sources,
            project=context.team_root or context.cwd,
        )

    # Judging

    def _judge(self, session: Session, event: PreToolUse, context: HookContext) -> Objection | None:
        return self._judge_of(session, context).judge(self._sinks(event, context))

    def _judge_of(self, session: Session, context: HookContext) -> Judge:
        from .judge import Judge
        from .naming import Naming
        from .project import content_of, outgoing_of, project_names

        project = context.team_root or context.cwd
        naming = Naming(
            session=session,
            settings=self.settings,
            project_names=lambda value: project_names(
                value, project, lambda path: session.file(path) is not None
            ),
        )
        return Judge(
            naming=naming, key=self._store.key, content_of=content_of, outgoing_of=outgoing_of
        )

    def _sinks(self, event: ToolEvent, context: HookContext) -> Iterable[Sink]:
        from .shell_sinks import shell_sinks
        from .tool_sinks import tool_sinks

        reading = self._reading(event, context)
        if reading is not None:
            return shell_sinks(reading, _command(event.tool_args))
        said = event.extra.get("annotations")
        return tool_sinks(
            event.tool_name, event.tool_args, said if isinstance(said, dict) else None
        )

    def _reading(self, event: ToolEvent, context: HookContext) -> Understood | None:
        """Return the command of a shell tool, understood; read once before the call and used after it."""
        from .sources import SHELLS

        if event.tool_name not in SHELLS:
            return None
        key = (_command(event.tool_args), context.cwd)
        known = self._readings.get(key)
        if known is None:
            known = self._readings[key] = self._shell(key[0], context)
            if len(self._readings) > 64:
                self._readings.popitem(last=False)
        return known

    def _said(
        self, objection: Objection, event: PreToolUse, context: HookContext, number: int
    ) -> PreToolUseOutput:
        from .verdicts import judged, said

        output = said(objection, self.settings, self._overrides, event, context)
        if output.decision is Verdict.ASK:
            self._asked[_call(event, context)] = tuple(one.value for one in objection.findings)
            if len(self._asked) > ASKED:
                self._asked.popitem(last=False)
        self._keep(context, [judged(objection, output, event, context, number)])
        return output

    def _approve(self, event: PostToolUse, context: HookContext) -> None:
        """Remember that a person let a call run that was asked about: they know these values now."""
        values = self._asked.pop(_call(event, context), ())
        if values:
            from snaphook.stores.provenance.entries import Approved
            from snaphook.stores.provenance.parts import packed

            prints = self._session(context).prints_of(values)
            self._keep(context, [Approved(prints=packed(prints))])

    # Sessions

    def _session(self, context: HookContext) -> Session:
        return self._store.of(root(context))

    def _keep(self, context: HookContext, entries: Iterable[Entry]) -> None:
        entries = list(entries)
        if not entries:
            return
        try:
            self._store.keep(root(context), entries)
        except (
            OSError
        ) as problem:  # a full disk must not stop the work; what is in memory still counts
            log.warning(
                "provenance: cannot keep what was read: %s. Check disk space and permissions of %s.",
                problem,
                self._store.folder,
            )

    def _count(self, session: str, event: PreToolUse, context: HookContext) -> int:
        known = self._calls.get(session)
        if known is None:
            known = self._store.of(session).calls if self._store.knows(session) else 0
        number = self._calls[session] = known + 1
        self._numbers[_call(event, context)] = number
        for table, most in ((self._calls, 256), (self._numbers, 1024)):
            if len(table) > most:
                table.popitem(last=False)
        return number

    def _number(self, event: ToolEvent, context: HookContext) -> int:
        """Return the number of the call that *event* ends; one that nobody announced counts now."""
        number = self._numbers.pop(_call(event, context), 0)
        if number:
            return number
        session = root(context)
        number = self._calls[session] = (
            max(self._calls.get(session, 0), self._session(context).calls) + 1
        )
        return number

    @staticmethod
    def _writes(event: ToolEvent) -> bool:
        return event.tool_name in ("Bash", "Write", "Edit", "MultiEdit", "NotebookEdit")


def root(context: HookContext) -> str:
    """Return the session whose memory counts: a subagent's is its parent's."""
    return context.parent_session_id or context.session_id


def _call(event: ToolEvent, context: HookContext) -> str:
    """Return what a call is known by before and after it ran; some hosts give it no id."""
    return f"{root(context)}\0{event.tool_use_id or f'{event.tool_name} {event.tool_args!r:.2000}'}"


def _command(args: Mapping[str, Any]) -> str:
    command = args.get("command", args.get("cmd", ""))
    if isinstance(command, list | tuple):
        from shlex import join

        return join(map(str, command))
    return command if isinstance(command, str) else ""
