"""What somebody's rules say of a call.

PreToolUse  ->  ReplayRuling

Asked are the guard, with everybody's own rules, and the policies of ``use = "default"``. Command
hooks, budgets and the like are not: they act, or depend on the moment.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from snaphook.canon import PreToolUse, Verdict, reason, verdict
from snaphook.config import Environment, Settings, load_file
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.provider import GuardProvider
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

    def ruling(self, event: PreToolUse) -> ReplayRuling:
        """Return what it says of *event*."""


class CurrentPolicy:
    """The settings in force where each call was made."""

    def __init__(self, around: Environment) -> None:
        self._around = around
        self._known: dict[str, _Judges] = {}

    def ruling(self, event: PreToolUse) -> ReplayRuling:
        """Return what the settings of the call's own project say; of this one where it is gone."""
        cwd = event.context.cwd
        judges = self._known.get(cwd)
        if judges is None:
            where = Path(cwd) if os.path.isdir(cwd) else self._around.cwd  # noqa: PTH112 - may be ''
            around = replace(self._around, cwd=where)
            settings = assembly.read_settings(around, dialects=assembly.NATIVE)
            judges = self._known[cwd] = _Judges(settings, around)
        return judges.ruling(event)


class CandidatePolicy:
    """The settings of one file that nobody uses yet."""

    def __init__(self, file: Path, around: Environment) -> None:
        settings = load_file(file, around, sections=sections.SECTIONS)
        self._judges = _Judges(settings, around)

    def ruling(self, event: PreToolUse) -> ReplayRuling:
        """Return what the file would say."""
        return self._judges.ruling(event)


class _Judges:
    """The providers of one set of settings that only judge."""

    def __init__(self, settings: Settings, around: Environment) -> None:
        asked = list(assembly.judges(settings, around))
        self._guards = [one for one in asked if isinstance(one, GuardProvider)]
        others = [one for one in asked if not isinstance(one, GuardProvider)]
        self._others = Engine(others) if others else None

    def ruling(self, event: PreToolUse) -> ReplayRuling:
        """Return the strictest that any of them says, the first of equals."""
        return max(self._each(event), key=_strictness, default=ReplayRuling())

    def _each(self, event: PreToolUse) -> Iterator[ReplayRuling]:
        for guard in self._guards:
            judgement = guard.judge(event, event.context)
            answer = _ANSWERS[judgement.would]  # a rule that is only watched would stop it, too
            yield ReplayRuling(answer=answer, rule=judgement.rule, reason=judgement.reason)
        if self._others is not None:
            output = dispatch_sync(self._others, event).output
            if said := _STOPS.get(verdict(output) or Verdict.ALLOW):
                by = output.by if output else ""
                yield ReplayRuling(answer=said, rule=by, reason=reason(output) or "")


def _strictness(ruling: ReplayRuling) -> int:
    return ("pass", "ask", "deny").index(ruling.answer)
