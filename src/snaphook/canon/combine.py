"""Several answers to one event, made one.

Outputs  ->  Output | None

Pure. The laws, each tested: grouping does not matter, ``None`` is neutral, no stop is ever lost,
and of two equally severe answers the first one's reason is told.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from operator import add, or_
from typing import Any, TypeVar

import msgspec

from .outputs import Output, Texts, as_texts, verdict

AnOutput = TypeVar("AnOutput", bound=Output)


def _texts(first: Texts, second: Texts) -> Texts:
    if first is None or second is None:
        return second if first is None else first
    return as_texts(first) + as_texts(second)


def _merge(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    return {**first, **second}


def _merge_deep(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Return both, tables inside them joined as well: several providers fill one ``context``."""
    joined = {**first, **second}
    for name in first.keys() & second.keys():
        one, other = first[name], second[name]
        if isinstance(one, dict) and isinstance(other, dict):
            joined[name] = _merge_deep(one, other)
    return joined


def _first(first: Any, second: Any) -> Any:
    return second if first is None else first


def _last(first: Any, second: Any) -> Any:
    return first if second is None or second is msgspec.UNSET else second


def _longest(first: int | None, second: int | None) -> int | None:
    return max((wait for wait in (first, second) if wait is not None), default=None)


def _agreed(first: bool | None, second: bool | None) -> bool | None:
    if first is None or second is None:
        return second if first is None else first
    return first and second


JOIN: Mapping[str, Callable[[Any, Any], Any]] = {
    "messages": add,
    "additional_context": _texts,
    "details": _merge_deep,
    "environment": _merge,
    "modified_config": _merge,
    "initial_user_message": _first,
    "modified_prompt": _last,
    "captured_directives": add,
    "modified_args": _last,
    "approved_args": _last,
    "modified_result": _last,
    "suppress_output": or_,
    "modified_model": _last,
    "preserve_context": add,
    "export_state": _merge,
    "would": _first,
    "retry": _agreed,
    "fallback_model": _first,
    "backoff_ms": _longest,
}
"""How each field of two answers becomes one; modifications chain, so the last holds them all."""

_RULING = ("decision", "reason", "by", "rule")


def combine(outputs: Iterable[AnOutput | None]) -> AnOutput | None:
    """Return what *outputs*, in the order they were given, come to; ``None`` if nobody spoke."""
    spoken = [output for output in outputs if output is not None]
    return reduce(_pair, spoken) if spoken else None


def _pair(first: AnOutput, second: AnOutput) -> AnOutput:
    ruling = first if _severity(first) >= _severity(second) else second
    fields = {
        name: getattr(ruling, name)
        if name in _RULING
        else JOIN[name](getattr(first, name), getattr(second, name))
        for name in first.__struct_fields__
    }
    if (said := verdict(ruling)) is not None and said.stops:
        fields |= {name: None for name in ("modified_args", "modified_prompt") if name in fields}
    return type(first)(**fields)


def _severity(output: Output) -> int:
    said = verdict(output)
    return 0 if said is None else said.severity
