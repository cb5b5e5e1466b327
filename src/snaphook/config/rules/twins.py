"""Hooks that run twice for one event."""

from collections.abc import Iterable, Iterator

from snaphook.config.fragments import Fragment
from snaphook.config.matchers import Matcher, compile_matcher
from snaphook.config.problems import Problem, ProblemLevel
from snaphook.config.settings import CommandHook
from snaphook.config.tools import KNOWN
from snaphook.errors import ConfigError


def find_twins(fragments: Iterable[Fragment]) -> Iterator[Problem]:
    """Yield a problem for each hook that does what an earlier one does, for the same tools.

    In one file it is a mistake; two files may have two owners, so there it is worth a warning.
    Across dialects a repetition is meant: each host runs its own.
    """
    seen: dict[tuple[object, ...], list[CommandHook]] = {}
    for fragment in fragments:
        for hook in fragment.hooks:
            same = seen.setdefault(_what_it_does(hook), [])
            first = next((other for other in same if _overlap(hook, other)), None)
            if first:
                yield _twin(hook, first)
            same.append(hook)


def _what_it_does(hook: CommandHook) -> tuple[object, ...]:
    return hook.dialect, hook.event, " ".join(hook.command.split()), hook.args, hook.condition


def _overlap(one: CommandHook, other: CommandHook) -> bool:
    """Say whether some tool makes both run."""
    if one.matcher == other.matcher:
        return True
    first, second = _compiled(one), _compiled(other)
    if first is None or second is None:
        return False
    if first.holds_for_all or second.holds_for_all or first.names & second.names:
        return True
    return any(first.matches(tool) and second.matches(tool) for tool in KNOWN[one.dialect])


def _compiled(hook: CommandHook) -> Matcher | None:
    try:
        return compile_matcher(hook.matcher, hook.dialect, event=hook.event)
    except ConfigError:
        return None


def _twin(hook: CommandHook, first: CommandHook) -> Problem:
    return Problem(
        code="duplicate-hook",
        level=ProblemLevel.ERROR if hook.origin.file == first.origin.file else ProblemLevel.WARNING,
        file=hook.origin.file,
        pointer=hook.origin.pointer,
        line=hook.origin.line,
        column=1,
        what=f"the same command is already set for {hook.event} in {first.origin}",
        fix="Remove one of them.",
        tolerable=True,
    )
