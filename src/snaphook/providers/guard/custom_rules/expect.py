"""Hold what the guard says against what the settings expect of it.

Expectation + settings  ->  Judgement  ->  as expected, or not
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from snaphook.providers.guard.caller import Caller
from snaphook.providers.guard.custom_rules.tables import Expectation, words
from snaphook.providers.guard.examine import examine_tool
from snaphook.providers.guard.judgement import GuardAnswer, Judgement
from snaphook.providers.guard.memory import RecordedSession
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.paths import resolve
from snaphook.shell.world import World


class Tried(Struct, frozen=True, kw_only=True):
    """An expectation, and what the guard really says; in audit mode, what it would say."""

    expected: Expectation
    judgement: Judgement

    @property
    def verdict(self) -> str:
        """What the guard says, were every rule enforced."""
        return self.judgement.would.name.lower()

    @property
    def rule(self) -> str:
        """The strictest objection's rule."""
        strict = [one for one in self.judgement.objections if one.answer is self.judgement.would]
        return strict[0].rule if strict else ""

    @property
    def holds(self) -> bool:
        """Whether it is as expected."""
        wanted = self.expected.verdict
        stops = wanted == "stop" and self.judgement.would >= GuardAnswer.ASK
        by = {one.rule for one in self.judgement.objections}
        return (stops or wanted == self.verdict) and (
            not self.expected.rule or self.expected.rule in by
        )


def try_out(
    expected: Expectation, settings: GuardSettings, seen_from: Callable[[str], World], root: str
) -> Tried:
    """Return what the guard says of the call that *expected* describes, in the project *root*."""
    world = seen_from(resolve(expected.cwd or ".", root))
    tool = expected.tool or "Bash"
    judgement = examine_tool(
        tool,
        expected.input if expected.tool else {"command": expected.command},
        world,
        settings=settings,
        asker=Caller(
            agent=expected.agent,
            agent_name=expected.agent,
            host=expected.host,
            time=_moment(expected.at),
        ),
        memory=RecordedSession(
            read=frozenset(resolve(path, root) for path in words(expected.read)),
            ran=words(expected.ran),
        ),
    )
    return Tried(expected=expected, judgement=judgement)


def _moment(at: str) -> float:
    return (datetime.fromisoformat(at) if at else datetime.now().astimezone()).timestamp()
