"""What a policy would have done to the past.

PastCalls + ReplayPolicy [+ ReplayPolicy]  ->  ReplayReport
"""

from collections.abc import Iterable

import msgspec
from msgspec import Struct, field

from .calls import PastCall
from .policy import ReplayPolicy, ReplayRuling


class Ruled(Struct, frozen=True, kw_only=True):
    """Calls that look the same and were judged the same, with how often they were made."""

    tool: str
    text: str
    before: ReplayRuling
    after: ReplayRuling
    times: int = 1
    source: str = ""
    """The first place it was found."""


class ChangedRuling(Ruled, frozen=True, kw_only=True):
    """A call of which the two disagree."""

    @property
    def tightens(self) -> bool:
        """Say whether it is stopped more than before."""
        order = ("pass", "ask", "deny")
        return order.index(self.after.answer) > order.index(self.before.answer)


class ReplayReport(Struct, frozen=True, kw_only=True):
    """How many calls there were, which would be stopped, and which are judged anew."""

    calls: int
    sessions: int
    stopped: tuple[Ruled, ...] = field(default_factory=tuple)
    """By the policy under test, most frequent first."""
    changes: tuple[ChangedRuling, ...] = field(default_factory=tuple)
    against: str = "history"
    """What the policy under test was held against."""

    @property
    def interrupted(self) -> int:
        """Return how many of the calls would be stopped."""
        return sum(one.times for one in self.stopped)


def compare(
    calls: Iterable[PastCall], policy: ReplayPolicy, against: ReplayPolicy | None = None
) -> ReplayReport:
    """Return what *policy* says of *calls*, and where *against* says otherwise.

    Without *against*, it is held against what happened then.
    """
    seen: dict[tuple[str, str, str, str], tuple[Ruled, int]] = {}
    sessions: set[str] = set()
    count = 0
    for call in calls:
        count += 1
        event = call.event
        sessions.add(event.context.session_id)
        after = policy.ruling(event, call.result)
        before = against.ruling(event, call.result) if against else call.then
        if after.stops or before.answer != after.answer:
            _count(seen, call, before, after)
    ruled = sorted(
        (msgspec.structs.replace(one, times=times) for one, times in seen.values()),
        key=lambda one: -one.times,
    )
    return ReplayReport(
        calls=count,
        sessions=len(sessions),
        stopped=tuple(one for one in ruled if one.after.stops),
        changes=tuple(
            ChangedRuling(**msgspec.structs.asdict(one))
            for one in ruled
            if one.before.answer != one.after.answer
        ),
        against="the settings in force" if against else "history",
    )


def _count(
    seen: dict[tuple[str, str, str, str], tuple[Ruled, int]],
    call: PastCall,
    before: ReplayRuling,
    after: ReplayRuling,
) -> None:
    text = subject(call)
    key = (call.event.tool_name, text, before.answer, after.answer)
    if key in seen:
        one, times = seen[key]
        seen[key] = one, times + 1
        return
    one = Ruled(
        tool=call.event.tool_name, text=text, before=before, after=after, source=call.source
    )
    seen[key] = one, 1


def subject(call: PastCall) -> str:
    """Return what the call was about: its command, its file, or all it was given."""
    args = call.event.tool_args
    for name in ("command", "file_path", "path", "url", "query"):
        if isinstance(args.get(name), str):
            return str(args[name])
    return msgspec.json.encode(args).decode(errors="replace")
