"""Command hooks from settings files, as a provider.

Event  ->  plan  ->  run  ->  interpret  ->  Output | None

Hooks of one event run in configured order, side by side only where their dialect or their settings
say so. What a hook changes, the hooks after it see; whoever saw an older version of the call is
asked again about the last one.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Protocol

import msgspec

from snaphook import canon
from snaphook.canon import METHODS, Event, HookContext, HooksProvider, Output, Stance
from snaphook.canon.combine import combine
from snaphook.canon.hook_runs import RecordedRun, note_run
from snaphook.config import CommandHook, Dialect
from snaphook.config.commandline import CallReader
from snaphook.process import Command, Completed, run_all_async
from snaphook.process.coroutine import in_a_loop

from .envfile import env_files, left_in
from .interpret import HookReading, interpret, trouble
from .plan import HookPlan, PlannedHook
from .prepare import prepare
from .results import HookResult, HookRun, recorded_run, report


class BackgroundWatch(Protocol):
    """Starts a command and records its end, whatever becomes of this process."""

    def __call__(self, command: Command, hook: str, event: Event, run: str) -> Completed | None:
        """Start *command*, the run *run* of *hook* for *event*; return why that failed."""


class CommandHooks(HooksProvider):
    """Runs the hooks of settings files.

    *environ* is what hooks inherit, asked for at each event; *on_result* sees every hook's record;
    *watch* starts the hooks nobody waits for so that their end is recorded, even after ours; *reader*
    finds the commands that an ``if`` means behind wrappers and variables.
    """

    name = "commands"
    timeout = None  # every command has its own timeout

    def __init__(
        self,
        hooks: Sequence[CommandHook],
        *,
        parallel: bool = False,
        environ: Callable[[], Mapping[str, str]] = lambda: os.environ,
        on_result: Callable[[HookResult], None] | None = None,
        watch: BackgroundWatch | None = None,
        reader: CallReader | None = None,
    ) -> None:
        """Compile *hooks*; raise ConfigError where a pattern cannot be followed."""
        self._plan = HookPlan(hooks, read=reader.everything if reader else None)
        self._parallel = parallel
        self._environ = environ
        self._on_result = on_result
        self._watch = watch
        self.suspends = _methods(hooks) if in_a_loop() else False  # without a loop: on the spot
        if any(hook.stance is Stance.CLOSED for hook in hooks):
            self.stance = Stance.CLOSED

    async def answer(self, event: Event, context: HookContext) -> Output | None:
        """Return what the hooks of *event* say together; ``None`` if none of them says anything."""
        planned = self._plan.hooks_for(event)
        if not planned:
            return None
        for one in planned:
            if one.hook.background:
                self._start(one, event)
        ran = await self._run(planned, event)
        output = combine(one.reading.output for one in ran)
        last = changed(event, output)
        if last is not event:
            output = combine([output, *(one.ruling for one in await self._again(ran, last))])
        return output

    async def _again(self, ran: Sequence[HookRun], event: Event) -> list[HookRun]:
        """Ask about *event*, as it became, whoever has not seen it so; its author has."""
        author = [one.planned for one in ran if changed(one.event, one.reading.output) == event]
        seen = [one.planned for one in ran if one.event == event] + author[-1:]
        stale = [
            one for one in self._plan.hooks_for(event) if not any(one is other for other in seen)
        ]
        return await self._run(stale, event, again=True)

    async def _run(
        self, planned: Sequence[PlannedHook], event: Event, *, again: bool = False
    ) -> list[HookRun]:
        ran: list[HookRun] = []
        waited_for = [one for one in planned if not one.hook.background]
        for batch in self._batches(waited_for):
            ended = await self._end(batch, event)
            ran += ended
            if not again:
                event = changed(event, combine(one.reading.output for one in ended))
        ran = _silenced(ran)
        for one in ran:
            report(one.planned, event.event_name, one.completed, one.reading.problem)
            note_run(one.run(again=again))
            if self._on_result:
                self._on_result(one.record(again=again))
        return ran

    def _batches(self, planned: Sequence[PlannedHook]) -> list[list[PlannedHook]]:
        """Return neighbours that may run side by side together, everyone else alone."""
        batches: list[list[PlannedHook]] = []
        for beside, group in groupby(planned, key=self._runs_beside):
            neighbours = list(group)
            batches += [neighbours] if beside else [[one] for one in neighbours]
        return batches

    def _runs_beside(self, planned: PlannedHook) -> bool:
        if planned.hook.parallel is not None:
            return planned.hook.parallel
        ours = self._parallel and planned.hook.dialect is Dialect.SNAPHOOK
        return ours or planned.rules.parallel

    async def _end(self, batch: Sequence[PlannedHook], event: Event) -> list[HookRun]:
        """Run *batch* side by side and return what came of it, in order."""
        environ = self._environ()
        with env_files(event, batch) as files:
            commands = [
                prepare(one, event, environ=environ, env_file=file)
                for one, file in zip(batch, files, strict=True)
            ]
            ended = await run_all_async(commands)
            left = [left_in(file, environ) for file in files]
        return [
            HookRun(one, event, completed, _with(interpret(one, event, completed), environment))
            for one, completed, environment in zip(batch, ended, left, strict=True)
        ]

    def _start(self, planned: PlannedHook, event: Event) -> None:
        run = os.urandom(8).hex()
        command = prepare(planned, event, environ=self._environ())
        if self._watch is not None:
            refused = self._watch(command, planned.label, event, run)
        else:
            refused = _start_here(command, planned, event.event_name)
        if refused:
            note_run(recorded_run(planned.label, refused))
            report(planned, event.event_name, refused, trouble(planned, refused))
        else:
            note_run(RecordedRun(hook=planned.label, background=True, run=run))


for _method in METHODS:
    setattr(CommandHooks, _method, CommandHooks.answer)


def _methods(hooks: Sequence[CommandHook]) -> frozenset[str]:
    """Return the methods that *hooks* are behind: the others never wait."""
    events = {hook.event for hook in hooks}
    named = {method for method, spec in METHODS.items() if spec.name in events}
    return frozenset(named | ({"on_host_event"} if events - set(canon.BY_NAME) else set()))


def changed(event: Event, output: Output | None) -> Event:
    """Return *event* as *output* leaves it: itself, unless its arguments became others."""
    new = getattr(output, "modified_args", None)
    if new is None or not isinstance(event, canon.ToolEvent) or new == event.tool_args:
        return event
    return msgspec.structs.replace(event, tool_args=new)


def _silenced(ran: Sequence[HookRun]) -> list[HookRun]:
    """Return *ran* with all but the first stop silenced, in the dialect that says so."""
    strict = [one for one in ran if one.planned.rules.first_stop_silences]
    first = next((one for one in strict if one.reading.stops), None)
    if first is None:
        return list(ran)
    return [
        one.silent() if one is not first and one.planned.rules.first_stop_silences else one
        for one in ran
    ]


def _with(reading: HookReading, environment: Output | None) -> HookReading:
    if environment is None:
        return reading
    return msgspec.structs.replace(reading, output=combine([reading.output, environment]))


def _start_here(command: Command, planned: PlannedHook, event: str) -> Completed | None:
    """Start *command*; its end goes to the log of this process, if it lives to see it."""
    from snaphook.process.background import start  # most hooks are waited for

    def ended(completed: Completed) -> None:
        problem = None if completed.exit_code == 0 else _said(planned, completed)
        report(planned, event, completed, problem)

    return start(command, ended=ended)


def _said(planned: PlannedHook, completed: Completed) -> str:
    if completed.exit_code is None:
        return trouble(planned, completed)
    return (completed.stderr.text or completed.stdout.text).strip()
