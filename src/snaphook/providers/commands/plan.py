"""Which hooks an event calls for, and in which order.

Event + hooks  ->  PlannedHook, PlannedHook …

Built once per settings, so a bad pattern stops there. Asking costs a dictionary's lookup, however
many hooks there are.
"""

from collections.abc import Sequence

from msgspec import Struct

from snaphook.canon import Event
from snaphook.config import CommandHook, Dialect
from snaphook.config.commandline import CommandReader
from snaphook.config.conditions import Condition, compile_condition
from snaphook.config.matchers import SUBJECTS, Matcher, compile_matcher, subject_of

from .dialects import RULES, Rules

_REMEMBERED = 4096


class PlannedHook(Struct, frozen=True):
    """A hook with its patterns compiled."""

    hook: CommandHook
    rules: Rules
    matcher: Matcher
    condition: Condition | None = None

    @property
    def identity(self) -> object:
        """Return what must differ: Claude Code runs only once what one file says twice."""
        hook = self.hook
        if hook.dialect is not Dialect.CLAUDE:
            return id(self)
        return hook.origin.file, hook.origin.layer, hook.command, hook.args, hook.condition

    @property
    def label(self) -> str:
        """Return what people call it."""
        name = self.hook.name or self.hook.command or " ".join(self.hook.args or ())
        name = " ".join(name.split())
        return name if len(name) <= 60 else f"{name[:59]}…"


class HookPlan:
    """All hooks, by event; what matched a subject once is remembered."""

    def __init__(self, hooks: Sequence[CommandHook], read: CommandReader | None = None) -> None:
        """Compile *hooks*; raise ConfigError for the first whose pattern nobody can follow."""
        self._read = read
        self._by_event: dict[str, list[PlannedHook]] = {}
        for hook in hooks:
            self._by_event.setdefault(hook.event, []).append(_compiled(hook))
        self._matched: dict[tuple[str, str], tuple[PlannedHook, ...]] = {}

    def hooks_for(self, event: Event) -> Sequence[PlannedHook]:
        """Return the hooks that run on *event*, in configured order."""
        name = event.event_name
        if name not in self._by_event:
            return ()
        key = (name, subject_of(event))
        matched = self._matched.get(key)
        if matched is None:
            matched = self._match(*key)
        return [
            one
            for one in matched
            if one.condition is None or one.condition.holds(event, self._read)
        ]

    def _match(self, name: str, subject: str) -> tuple[PlannedHook, ...]:
        if len(self._matched) >= _REMEMBERED:  # a host that makes up a name per call
            self._matched.clear()
        takes_matcher = name in SUBJECTS
        matched: dict[object, PlannedHook] = {}
        for one in self._by_event[name]:
            if not takes_matcher or one.matcher.matches(subject):
                matched.setdefault(one.identity, one)
        self._matched[name, subject] = found = tuple(matched.values())
        return found


def _compiled(hook: CommandHook) -> PlannedHook:
    where = str(hook.origin)
    return PlannedHook(
        hook,
        RULES[hook.dialect],
        compile_matcher(hook.matcher, hook.dialect, event=hook.event, where=where),
        compile_condition(hook.condition, where=where) if hook.condition else None,
    )
