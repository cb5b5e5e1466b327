"""One ``[guard]`` table laid over another.

lower layers + a higher one  ->  merged, and what was refused

An administrator's answers hold: nothing above makes them milder. Who may not loosen (a project that
nobody approved) may still forbid more. Rules of one's own add up, each with the standing of its layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from snaphook.providers.guard.custom_rules.tables import FREE, MANAGED, STRICT

Pointer = tuple[str | int, ...]
_KEPT = "(managed)"
_STANDING = "(standing)"
_STRENGTH = {"off": 0, "allow": 0, "warn": 1, "ask": 2, "deny": 3}


def join(
    merged: dict[str, Any], table: Mapping[str, Any], *, layer: str, free: bool
) -> Iterator[Pointer]:
    """Take *table* into *merged*; yield the place of what its layer may not say."""
    managed = layer == MANAGED
    if managed:
        merged[_KEPT] = {**merged.get(_KEPT, {}), **table}
    standing = MANAGED if managed else FREE if free else STRICT
    for key, value in table.items():
        if key in ("rule", "role"):
            yield from _tables(merged, key, value, standing)
        elif key == "rules" and isinstance(value, Mapping):
            yield from _lines(merged, value, standing)
        elif key in ("packs", "test"):
            merged[key] = _added(merged.get(key, []), value)
        elif key != _KEPT:
            yield from _plain(merged, key, value, standing)


def _tables(merged: dict[str, Any], key: str, value: Any, standing: str) -> Iterator[Pointer]:
    """Add rules and roles; one that allows is not for those who may only tighten."""
    kept = list(merged.get(key, []))
    for at, one in enumerate(value if isinstance(value, list) else ()):
        if standing == STRICT and isinstance(one, dict) and one.get("verdict") == "allow":
            yield (key, at)
        elif isinstance(one, dict):
            kept.append({**one, _STANDING: standing})
    merged[key] = kept


def _lines(merged: dict[str, Any], lines: Mapping[str, Any], standing: str) -> Iterator[Pointer]:
    """Change answers rule by rule; an administrator's only to a stricter one."""
    before = merged.get("rules", {})
    fixed = merged.get(_KEPT, {}).get("rules", {})
    after = dict(before)
    for rule, answer in lines.items():
        strong = _STRENGTH.get(str(answer), 0)
        if standing == STRICT:
            # what the rule answers by itself is not known here: only deny is surely no milder
            least = _STRENGTH.get(before.get(rule, "deny"), 0)
        else:
            least = _STRENGTH.get(fixed.get(rule, "off"), 0) if standing == FREE else 0
        if strong >= least:
            after[rule] = answer
        else:
            yield ("rules", rule)
    merged["rules"] = after


def _plain(merged: dict[str, Any], key: str, value: Any, standing: str) -> Iterator[Pointer]:
    """Replace a value; where that might loosen, only by a stricter one."""
    fixed = merged.get(_KEPT, {})
    stricter = _STRICTER.get(key)
    if standing == MANAGED or (standing == FREE and (stricter is None or key not in fixed)):
        merged[key] = value
        return
    tighter = stricter(merged.get(key, _defaults()[key]), value) if stricter else None
    if tighter is None:
        yield (key,)
    else:
        merged[key] = tighter


def _added(old: Any, new: Any) -> Any:
    """Return both lists as one."""
    if not isinstance(new, list):
        return new
    return [*old, *(one for one in new if one not in old)]


def _one_of(*values: Any) -> Callable[[Any, Any], Any]:
    return lambda old, new: new if new in values or new == old else None


def _fewer(old: Any, new: Any) -> Any:
    return new if isinstance(new, int) and new <= old else None


def _same(old: Any, new: Any) -> Any:
    return new if new == old or not old else None


_STRICTER: Mapping[str, Callable[[Any, Any], Any]] = {
    "mode": _one_of("enforce"),
    "protected_paths": _added,
    "protected_branches": _added,
    "protected_tables": _added,
    "production": _added,
    "bulk_files": _fewer,
    "commit_format": _same,
    "read_scripts": _one_of(True),
    "overrides": _one_of(False),
}
"""How a value gets stricter than the one below it; nothing where it would not."""


def _defaults() -> Mapping[str, Any]:
    from msgspec import structs

    from snaphook.providers.guard.settings import GuardSettings

    plain = {one.encode_name: one.default for one in structs.fields(GuardSettings)}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()
    }
