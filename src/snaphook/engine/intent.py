"""Whether an answer that is not a legal one was meant to stop the call.

anything  ->  a reason to stop, or nothing

People write ``block`` where an event says ``deny``, spell an answer as another tool's JSON, or
return the output of another event. An answer that was meant as a stop and fails as a mistake would
let the call through, so whatever looks like one is one.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from snaphook.canon import Verdict

_NAMES_TEXT = """
    decision permissiondecision verdict action behavior behaviour permission result status
"""
_GOING_ON_TEXT = """
    allow allowed approve approved accept accepted permit permitted pass passed ok okay yes continue
    proceed go none default success modify modified rewrite
"""
_NAMES = frozenset(_NAMES_TEXT.split())
_GOING_ON = frozenset(_GOING_ON_TEXT.split())
_REASONS = ("reason", "permissionDecisionReason", "permission_decision_reason", "stopReason")
_ALLOWING = frozenset({"allow", "allowed", "continue", "approved", "approve", "ok", "permitted"})
_FORBIDDING = frozenset({"deny", "denied", "block", "blocked", "stop", "forbid", "reject"})
_DEPTH = 4


def intended_stop(returned: Any) -> str | None:
    """Return why *returned* stops the call, where it was meant to; an empty reason is one, too."""
    if returned is False:
        return ""
    if isinstance(returned, str):
        return "" if _is_stop(returned) else None
    table = _table(returned)
    if not table or not any(_says_stop(name, value) for name, value in _pairs(table)):
        return None
    return next((str(value) for name, value in _pairs(table) if name in _REASONS and value), "")


def _table(returned: Any) -> Mapping[str, Any]:
    if isinstance(returned, Mapping):
        return returned
    return msgspec.structs.asdict(returned) if isinstance(returned, msgspec.Struct) else {}


def _pairs(table: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the fields of *table* and of the tables in it: another tool's decision stands inside."""
    for name, value in table.items():
        yield str(name), value
        if (
            isinstance(value, Mapping)
            and depth < _DEPTH
            and name not in ("modified_args", "details")
        ):
            yield from _pairs(value, depth + 1)


def _says_stop(name: str, value: Any) -> bool:
    plain = name.casefold().replace("_", "").replace("-", "")
    if plain in _NAMES:
        return isinstance(value, str) and _is_stop(value)
    if plain in _ALLOWING:
        return value is False
    return plain in _FORBIDDING and value is True


def _is_stop(word: str) -> bool:
    """Say whether *word*, given as a decision, stops: a word that nobody knows allows nothing."""
    plain = word.strip().casefold()
    return bool(plain) and plain not in _GOING_ON and len(plain) <= _LONGEST


_LONGEST = 24
"""Letters of a decision; a longer text is a message."""


def nearest(decision: Verdict, may_say: tuple[Verdict, ...]) -> Verdict:
    """Return *decision* in a word that its event takes; a question nobody can ask is a stop."""
    if decision in may_say or decision in (Verdict.ALLOW, Verdict.MODIFY):
        return decision
    return next((verdict for verdict in may_say if verdict.stops), decision)
