"""Merge what the files say, lowest layer first.

Fragments  ->  Settings

Hooks add up and never replace each other; plain values go to the last layer that may set them.
A layer that nobody approved may tighten, not loosen, and nothing of it runs. Built anew from the
fragments each time: nothing is ever appended to merged state. Pure.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct, structs

from .fragments import Fragment, Sections
from .problems import Pointer
from .sections import switches_off, tightens
from .settings import (
    CommandHook,
    Dialect,
    Layer,
    Origin,
    ProviderEntry,
    Section,
    Settings,
)

_TIGHTER: Mapping[str, Callable[[Any, Any], bool]] = {
    "strategy": lambda _old, new: bool(new == "strictest"),
    "stop_block_cap": lambda old, new: bool(new >= old),
}
"""When a new value is at least as strict as the old one; a name not listed has no strictness."""

_PLAIN = ("strategy", "parallel", "stop_block_cap")


class Join(Protocol):
    """How a table of a higher layer is laid over those below; a Struct may bring its own.

    It changes *merged* and yields the place of everything that the layer may not say.
    """

    def __call__(
        self, merged: dict[str, Any], table: Mapping[str, Any], *, layer: str, free: bool
    ) -> Iterable[Pointer]:
        """Lay *table* over *merged*; *free*: it may loosen."""


def merge(fragments: Iterable[Fragment], *, sections: Sections | None = None) -> Settings:
    """Return the settings that *fragments*, lowest layer first, come down to."""
    parts = tuple(fragments)
    locked = any(
        part.values.get("allow_loosening") is False
        for part in parts
        if part.source.layer is Layer.MANAGED
    )
    rules = _Rules(locked=locked, sections=sections or {})
    values, refused = _merge_values(parts, rules)
    tables, refused_keys = _merge_sections(parts, rules)
    providers, kept_back, refused_entries = _merge_providers(parts, rules)
    hooks, waiting = _merge_hooks(parts, rules)
    return Settings(
        hooks=hooks,
        providers=providers,
        sections=tables,
        foreign=tuple(hook for part in parts for hook in part.foreign),
        withheld=(*waiting, *kept_back),
        refused=(*refused, *refused_keys, *refused_entries),
        files=tuple(dict.fromkeys(part.source.file for part in parts if part.source.file)),
        **values,
    )


class _Rules(Struct, frozen=True, kw_only=True):
    """What a layer may do to the layers below it."""

    locked: bool
    sections: Sections

    def may_loosen(self, part: Fragment) -> bool:
        """Say whether *part* was approved, and no administrator forbids it."""
        free = not self.locked or part.source.layer in (Layer.MANAGED, Layer.BUILTIN)
        return part.source.trusted and free


def _merge_values(parts: Iterable[Fragment], rules: _Rules) -> tuple[dict[str, Any], list[Origin]]:
    defaults = {field.name: field.default for field in structs.fields(Settings)}
    values: dict[str, Any] = {}
    refused: list[Origin] = []
    for part in parts:
        for name in _PLAIN:
            if name not in part.values:
                continue
            new = part.values[name]
            tighter = _TIGHTER.get(name, lambda _old, _new: False)
            if rules.may_loosen(part) or tighter(values.get(name, defaults[name]), new):
                values[name] = new
            elif new != values.get(name, defaults[name]):
                refused.append(part.source.origin((name,)))
    return values, refused


def _merge_hooks(
    parts: tuple[Fragment, ...], rules: _Rules
) -> tuple[tuple[CommandHook, ...], tuple[CommandHook, ...]]:
    """Return the hooks that may run, in order, and those that wait for approval."""
    hooks: list[CommandHook] = []
    withheld: list[CommandHook] = []
    off = _switched_off(parts, rules)
    env = {dialect: _environment(parts, dialect) for dialect in Dialect}
    for part in parts:
        if not part.source.trusted:
            withheld.extend(part.hooks)
        elif part.source.layer in (Layer.MANAGED, Layer.CODE) or part.source.dialect not in off:
            hooks.extend(_with_env(part.hooks, env[part.source.dialect]))
    return tuple(hooks), tuple(withheld)


def _switched_off(parts: Iterable[Fragment], rules: _Rules) -> frozenset[Dialect]:
    """Return the dialects whose hooks, but for the managed ones, are not to run."""
    off: set[Dialect] = set()
    for part in parts:
        if part.values.get("disable_all_hooks") and rules.may_loosen(part):
            off.add(part.source.dialect)
        if part.values.get("managed_hooks_only") and part.source.layer is Layer.MANAGED:
            native = part.source.dialect is Dialect.SNAPHOOK
            off.update(Dialect if native else (part.source.dialect,))
    return frozenset(off)


def _environment(parts: Iterable[Fragment], dialect: Dialect) -> dict[str, str]:
    env: dict[str, str] = {}
    for part in parts:
        if part.source.dialect is dialect and part.source.trusted:
            env.update(part.values.get("env", {}))
    return env


def _with_env(hooks: Iterable[CommandHook], env: Mapping[str, str]) -> Iterator[CommandHook]:
    if not env:
        return iter(hooks)
    return (structs.replace(hook, env={**env, **hook.env}) for hook in hooks)


def _merge_providers(
    parts: Iterable[Fragment], rules: _Rules
) -> tuple[tuple[ProviderEntry, ...], list[ProviderEntry], list[Origin]]:
    """Return the entries by name, those that wait for approval, and the origins of refused ones.

    A later entry replaces the one of the same name and takes its place in the order; where an
    administrator forbids loosening, a managed entry stays as it is.
    """
    entries: dict[str, ProviderEntry] = {}
    withheld: list[ProviderEntry] = []
    refused: list[Origin] = []
    for part in parts:
        for entry in part.providers:
            lower = entries.get(entry.name)
            if not part.source.trusted:
                withheld.append(entry)
            elif lower and lower.origin.layer is Layer.MANAGED and not rules.may_loosen(part):
                refused.append(entry.origin)
            else:
                entries[entry.name] = entry
    return tuple(entries.values()), withheld, refused


def _merge_sections(
    parts: Iterable[Fragment], rules: _Rules
) -> tuple[dict[str, Section], list[Origin]]:
    """Return each table merged by key; a key that tightens adds up, the others are replaced."""
    values: dict[str, dict[str, Any]] = {}
    origins: dict[str, dict[str, Origin]] = {}
    refused: list[Origin] = []
    for part in parts:
        for name, table in part.sections.items():
            merged, whence = values.get(name, {}), origins.get(name, {})
            kind = rules.sections.get(name)
            own_join = getattr(kind, "join", None)
            join = own_join or _join(tightens(kind), switches_off(kind))
            free = rules.may_loosen(part)
            if not free and own_join is None and not tightens(kind) and name not in values:
                # A table alone may switch a provider on, which no unapproved file may do.
                refused += (part.source.origin((name, key)) for key in table)
                continue
            kept_back = set(join(merged, table, layer=part.source.layer, free=free))
            refused += (part.source.origin((name, *key)) for key in sorted(kept_back, key=str))
            whence |= {
                key: part.source.origin((name, key)) for key in table if (key,) not in kept_back
            }
            if whence or rules.may_loosen(part):  # a table alone may switch a provider on
                values[name], origins[name] = merged, whence
    tables = {name: Section(values=table, origins=origins[name]) for name, table in values.items()}
    return tables, refused


def _join(strict: frozenset[str], off: frozenset[str] = frozenset()) -> Join:
    """Return how tables merge whose Struct does not say: by key, and only *strict* ones add up."""

    def join(
        merged: dict[str, Any],
        table: Mapping[str, Any],
        *,
        layer: str,  # noqa: ARG001 - others tell layers apart
        free: bool,
    ) -> Iterator[Pointer]:
        for key, value in table.items():
            if key in strict and (value is True or isinstance(value, list)):
                merged[key] = _added(merged.get(key), value)
            elif free or (key in off and value is False):
                merged[key] = value
            else:
                yield (key,)

    return join


def _added(old: object, new: Any) -> Any:
    if isinstance(old, list) and isinstance(new, list):
        return [*old, *(item for item in new if item not in old)]
    return new
