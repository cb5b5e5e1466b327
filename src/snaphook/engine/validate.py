"""Hold a provider's answer against the table.

anything  ->  Output | None  (or a ProviderError)

This is where "which events can block" is enforced: a verdict its event does not take is no answer.
A stop in the wrong word is a stop all the same, where its event can be stopped.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from snaphook.canon import EventSpec, Output, Stance, Verdict
from snaphook.errors import ProviderError
from snaphook.lazy import logger

from .intent import intended_stop, nearest

log = logger("snaphook.engine")


def validate_output(
    returned: Any, *, spec: EventSpec, by: str, strict: bool = False
) -> Output | None:
    """Return *returned* as a legal output of *spec*'s event, signed by its provider.

    A mapping is taken for the output it spells. New arguments without a verdict are a modification,
    and so is an ``allow`` that comes with new arguments: what runs is not what was allowed. *strict*: a
    stop in the wrong shape is a mistake, for who tests a provider.
    """
    if returned is None:
        return None
    try:
        output = _validated(returned, spec, by)
        if not isinstance(returned, Mapping) or getattr(output, "decision", True) is not None:
            return output
        error = _refused(by, spec, "returned no known decision", _may_say(spec))
    except ProviderError as refused:
        output, error = None, refused
    why = intended_stop(returned) if spec.can_block and not strict else None
    if why is not None:
        log.warning("%s Taken as a stop.", error)
        return _stop(spec, why or f"{error} It was meant as a stop, so this was stopped.", by)
    if output is None:
        raise error
    return output


def _validated(returned: Any, spec: EventSpec, by: str) -> Output:
    if isinstance(returned, Mapping):
        returned = _spelled(returned, spec, by)
    if not isinstance(returned, spec.output):
        raise _refused(
            by,
            spec,
            f"returned {type(returned).__name__}",
            f"Return {spec.output.__name__} or None.",
        )
    decision = _decision(returned, spec, by)
    signed: dict[str, Any] = {"by": returned.by or by}
    if decision is not None:
        signed["decision"] = decision
    return msgspec.structs.replace(returned, **signed)


def failed(error: ProviderError, *, spec: EventSpec, stance: Stance, by: str) -> Output | None:
    """Return what a failure means for the call: nothing, or a stop where the stance is closed."""
    if stance is Stance.OPEN or not spec.can_block:
        return None
    return _stop(spec, f"{error} It fails closed, so the call was blocked.", by)


def _stop(spec: EventSpec, reason: str, by: str) -> Output:
    stop = next(verdict for verdict in spec.may_say if verdict.stops)
    return spec.output(decision=stop, reason=reason, by=by)  # type: ignore[call-arg]


def _spelled(returned: Mapping[str, Any], spec: EventSpec, by: str) -> Output:
    try:
        return msgspec.convert({"event": spec.name, **returned}, spec.output)
    except msgspec.ValidationError as error:
        raise _refused(
            by, spec, f"returned an invalid output: {error}", "See 'snaphook events'."
        ) from error


def _decision(returned: Output, spec: EventSpec, by: str) -> Verdict | None:
    try:
        decision = Verdict(returned.decision) if getattr(returned, "decision", None) else None  # type: ignore[attr-defined]
    except ValueError as error:
        raise _refused(by, spec, f"returned an invalid output: {error}", _may_say(spec)) from error
    if decision is not None and spec.can_block:
        decision = nearest(decision, spec.may_say)
    changed = getattr(returned, "modified_args", None) is not None
    if changed and decision in (None, Verdict.ALLOW) and Verdict.MODIFY in spec.may_say:
        decision = Verdict.MODIFY
    if decision is Verdict.MODIFY and not changed:
        raise _refused(by, spec, "returned 'modify' without new arguments", "Give modified_args.")
    if decision is not None and decision not in spec.may_say:
        raise _refused(by, spec, f"said '{decision}'", _may_say(spec))
    return decision


def _may_say(spec: EventSpec) -> str:
    if not spec.may_say:
        return f"{spec.name} takes no decision."
    return f"{spec.name} takes {', '.join(spec.may_say)}."


def _refused(by: str, spec: EventSpec, what: str, fix: str) -> ProviderError:
    return ProviderError(where=f"provider '{by}', {spec.method}", what=what, fix=fix)
