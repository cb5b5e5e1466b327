"""What the guard says of the effects of a trial.

Changes + Policy  ->  Judged: each with a verdict and the rule that gives it

The same rules that judge a command before it runs: what was written is judged as a write, what is gone
as a deletion. What lies outside the policy is denied without asking any rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from snaphook.providers.guard.examine import examine, examine_tool
from snaphook.providers.guard.judgement import GuardAnswer, Judgement
from snaphook.providers.guard.path_classes import FREE, PathClasses
from snaphook.providers.guard.settings import GuardSettings
from snaphook.sandbox.overlay import Change, Kind
from snaphook.sandbox.policy import Policy
from snaphook.shell.world import World

OUTSIDE = "sandbox.outside"
PROTECTED = "sandbox.protected"
_LONGEST = 65_536
"""Bytes of a new file that rules about contents look at."""


class Judged(Struct, frozen=True, kw_only=True):
    """One effect, and what the guard says of it."""

    change: Change
    answer: GuardAnswer
    rule: str = ""
    why: str = ""

    @property
    def verdict(self) -> str:
        """The answer in a word."""
        return self.answer.name.lower() if self.answer is not GuardAnswer.WARN else "allow"


def judge_effects(
    changes: Iterable[Change], policy: Policy, world: World, settings: GuardSettings
) -> Iterator[Judged]:
    """Yield what the guard says of each of *changes*."""
    places = PathClasses(world, settings)
    for change in changes:
        yield _by_policy(change, policy) or _by_rules(change, places, world, settings)


def worst(found: Iterable[Judged]) -> GuardAnswer:
    """Return the strictest answer of *found*."""
    return max((one.answer for one in found), default=GuardAnswer.ALLOW)


def _by_policy(change: Change, policy: Policy) -> Judged | None:
    path = change.path
    if any(_within(path, one) for one in (*policy.protected, *policy.absent)):
        why = "it decides what an agent, its guard or git does next"
        return Judged(change=change, answer=GuardAnswer.DENY, rule=PROTECTED, why=why)
    if not any(_within(path, one) for one in policy.write):
        why = "it lies outside the project, temporary files and caches"
        return Judged(change=change, answer=GuardAnswer.DENY, rule=OUTSIDE, why=why)
    return None


def _by_rules(change: Change, places: PathClasses, world: World, settings: GuardSettings) -> Judged:
    if change.folder or places.of(change.path) in FREE:
        return Judged(change=change, answer=GuardAnswer.ALLOW)
    judgement = _judgement(change, world, settings)
    why = judgement.objections[0].why if judgement.objections else ""
    return Judged(change=change, answer=judgement.answer, rule=judgement.rule, why=why)


def _judgement(change: Change, world: World, settings: GuardSettings) -> Judgement:
    if change.change is Kind.DELETED:
        from shlex import quote

        return examine(f"rm -- {quote(change.path)}", world, settings=settings)
    text = _text(change.upper)
    args = {"file_path": change.path, "content": text}
    return examine_tool("Write", args, world, settings=settings)


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - one of many
            return file.read(_LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def _within(path: str, root: str) -> bool:
    return path == root or path.startswith(f"{root}/")
