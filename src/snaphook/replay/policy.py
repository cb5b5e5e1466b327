"""What somebody's rules say of a call.

PreToolUse  ->  ReplayRuling

Asked are the guard, with everybody's own rules, and the policies of ``use = "default"``. Command
hooks, budgets and the like are not: they act, or depend on the moment.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from snaphook.canon import PostToolUse, PreToolUse, Verdict, reason, verdict
from snaphook.config import Environment, Settings, load_file
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.provider import GuardPreview, GuardProvider
from snaphook.providers.guard.sessions import SessionsInMemory
from snaphook.wiring import assembly, sections

_ANSWERS: Mapping[GuardAnswer, str] = {
    GuardAnswer.ALLOW: "pass",
    GuardAnswer.WARN: "pass",
    GuardAnswer.ASK: "ask",
    GuardAnswer.DENY: "deny",
}
_STOPS: Mapping[Verdict, str] = {Verdict.ASK: "ask", Verdict.DENY: "deny", Verdict.BLOCK: "deny"}


class ReplayRuling(Struct, frozen=True, kw_only=True):
    """Pass, ask or deny; and by which rule."""

    answer: str = "pass"
    rule: str = ""
    reason: str = ""

    @property
    def stops(self) -> bool:
        """Say whether somebody would have been interrupted."""
        return self.answer != "pass"


class ReplayPolicy(Protocol):
    """Whatever judges a call."""

    def ruling(self, event: PreToolUse, result: str = "") -> ReplayRuling:
        """Return what it says of *event*, which then had *result*; calls come in their order."""


class CurrentPolicy:
    """The settings in force where each call was made."""

    def __init__(self, around: Environment) -> None:
        self._around = around
        self._known: dict[str, _Judges] = {}
        self._sessions = SessionsInMemory()

    def ruling(self, event: PreToolUse, result: str = "") -> ReplayRuling:
        """Return what the settings of the call's own project say; of this one where it is gone."""
        cwd = event.context.cwd
        judges = self._known.get(cwd)
        if judges is None:
            where = Path(cwd) if os.path.isdir(cwd) else self._around.cwd  # noqa: PTH112 - may be ''
            around = replace(self._around, cwd=where)
            settings = assembly.read_settings(around, dialects=assembly.NATIVE)
            judges = self._known[cwd] = _Judges(settings, around, self._sessions)
        return judges.ruling(event, result)


class CandidatePolicy:
    """The settings of one file that nobody uses yet."""

    def __init__(self, file: Path, around: Environment) -> None:
        settings = load_file(file, around, sections=sections.SECTIONS)
        self._judges = _Judges(settings, around, SessionsInMemory())

    def ruling(self, event: PreToolUse, result: str = "") -> ReplayRuling:
        """Return what the file would say."""
        return self._judges.ruling(event, result)


class _Judges:
    """The providers of one set of settings that only judge."""

    def __init__(self, settings: Settings, around: Environment, sessions: SessionsInMemory) -> None:
        asked = list(assembly.judges(settings, around, sessions))
        self._guards = [one for one in asked if isinstance(one, GuardProvider)]
        others = [one for one in asked if not isinstance(one, GuardProvider)]
        self._others = Engine(others) if others else None
        self._sessions = sessions
        self._known: dict[_Key, _Said] = {}

    def ruling(self, event: PreToolUse, result: str = "") -> ReplayRuling:
        """Return the strictest that any of them says, the first of equals; then count it as run."""
        said = self._said(event)
        for guard, preview in said.previews:
            if preview.judgement.traces is not None and not said.ruling.stops:
                guard.note(preview.judgement.traces, event.context)
        if result and not said.ruling.stops:
            ran = PostToolUse(
                tool_name=event.tool_name,
                tool_args=event.tool_args,
                tool_result=result,
                context=event.context,
            )
            for guard in self._guards:
                guard.note_result(ran, event.context)
        return said.ruling

    def _said(self, event: PreToolUse) -> "_Said":
        """Return what they say; agents run the same command over and over, so it is asked once.

        Not of a session that has left something behind: there the same command may mean another thing.
        """
        context = event.context
        fresh = not self._sessions.knows(context.session_id)
        args = msgspec.json.encode(event.tool_args)
        key = (event.tool_name, args, context.cwd, context.agent_name, context.host)
        if fresh and key in self._known:
            return self._known[key]
        previews = tuple((guard, guard.preview(event, context)) for guard in self._guards)
        rulings = [_ruling(preview) for _, preview in previews]
        said = _Said(max([*rulings, *self._by_others(event)], key=_strictness), previews)
        if fresh:
            self._known[key] = said
        return said

    def _by_others(self, event: PreToolUse) -> Iterator[ReplayRuling]:
        yield ReplayRuling()
        if self._others is not None:
            output = dispatch_sync(self._others, event).output
            if said := _STOPS.get(verdict(output) or Verdict.ALLOW):
                by = output.by if output else ""
                yield ReplayRuling(answer=said, rule=by, reason=reason(output) or "")


_Key = tuple[str, bytes, str, str, str]


class _Said(NamedTuple):
    ruling: ReplayRuling
    previews: tuple[tuple[GuardProvider, GuardPreview], ...]


def _ruling(preview: GuardPreview) -> ReplayRuling:
    """Return what the guard would say once a snapshot is kept and the sandbox confines."""
    left = preview.left
    answer = _ANSWERS[left.would]  # in audit mode a rule that is only watched would stop it, too
    if answer == "pass":
        return ReplayRuling()
    return ReplayRuling(answer=answer, rule=left.rule, reason=left.reason)


def _strictness(ruling: ReplayRuling) -> int:
    return ("pass", "ask", "deny").index(ruling.answer)
