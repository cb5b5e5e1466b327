"""Decode one document into what it contributes.

SettingsDocument  ->  Fragment + Problems

The same reading serves loading and checking: what one complains about, so does the other.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from snaphook.canon import Stance

from .documents import SettingsDocument
from .entries import KNOWN_EVENTS, EntrySource, decode_hooks
from .keys import NATIVE, PROVIDER, SECTION_NAMES, TOP, KeyKind, SettingKey
from .problems import Notes
from .sections import check_section
from .settings import CommandHook, Dialect, ForeignHook, Layer, ProviderEntry
from .take import closest, fits, shown, take, unknown_key

Sections = Mapping[str, type[Struct]]
"""The tables of other packages: name to the Struct that says what they may hold."""

_CAMEL = {
    "disableAllHooks": "disable_all_hooks",
    "allowManagedHooksOnly": "managed_hooks_only",
    "env": "env",
}
_MANAGED_ONLY = ("allow_loosening", "managed_hooks_only")


class Fragment(Struct, frozen=True, kw_only=True):
    """What one file adds to the settings."""

    source: EntrySource
    hooks: tuple[CommandHook, ...] = ()
    foreign: tuple[ForeignHook, ...] = ()
    providers: tuple[ProviderEntry, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    """The plain settings, by their native names."""
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def decode(
    document: SettingsDocument,
    *,
    trusted: bool = True,
    sections: Sections | None = None,
    thorough: bool = False,
) -> tuple[Fragment, Notes]:
    """Return what *document* says, and what is wrong with it; *thorough*: and what may be."""
    place = document.place
    notes = Notes(document.file)
    source = EntrySource(
        dialect=place.dialect,
        layer=place.layer,
        file=document.file,
        trusted=trusted,
        root=str(place.root or ""),
    )
    _check_names(document.data, source, sections or {}, notes)
    hooks = tuple(_hooks(document.data, source, notes))
    fragment = Fragment(
        source=source,
        hooks=tuple(hook for hook in hooks if isinstance(hook, CommandHook)),
        foreign=tuple(hook for hook in hooks if isinstance(hook, ForeignHook)),
        providers=tuple(_providers(document.data, source, notes)),
        values=dict(_values(document.data, source, notes)),
        sections=dict(_sections(document.data, source, sections or {}, notes, thorough)),
    )
    if fragment.values.get("disable_all_hooks") and fragment.hooks:
        name = next(key for key in ("disableAllHooks", "disable_all_hooks") if key in document.data)
        fix = "Set it to false, or remove the hooks."
        notes.warning("switched-off", (name,), "this disables the hooks below", fix)
    return fragment, notes


def _check_names(
    data: Mapping[str, Any], source: EntrySource, sections: Sections, notes: Notes
) -> None:
    """Note top-level names that mean nothing here; a foreign file has many that are its host's."""
    known = TOP[source.dialect] | frozenset(sections)
    for name, value in data.items():
        if name in known:
            continue
        if name in KNOWN_EVENTS:
            notes.error(
                "event-outside-hooks",
                (name,),
                f"the event '{name}' is at the top level, where it is ignored",
                f"Move it under 'hooks': {_under_hooks(source.dialect, name)}.",
                tolerable=True,
            )
        elif isinstance(value, dict) and "hooks" in value:
            what = f"'hooks' is inside '{name}', where it is ignored"
            notes.error(
                "misplaced-key", (name, "hooks"), what, "Move it to the top.", tolerable=True
            )
        elif source.dialect is Dialect.SNAPHOOK:
            unknown_key(name, known, (name,), notes)
        elif meant := closest(name, known, cutoff=0.8):
            fix = f"Did you mean '{meant}'?"
            notes.error("unknown-key", (name,), f"unknown key '{name}'", fix, tolerable=True)


def _hooks(
    data: Mapping[str, Any], source: EntrySource, notes: Notes
) -> Iterator[CommandHook | ForeignHook]:
    if "hooks" in data:
        yield from decode_hooks(data["hooks"], source, notes)


def _values(
    data: Mapping[str, Any], source: EntrySource, notes: Notes
) -> Iterator[tuple[str, Any]]:
    """Yield the plain settings by native name."""
    native = source.dialect is Dialect.SNAPHOOK
    for name, value in data.items():
        right = name if native else _CAMEL.get(name, "")
        key = NATIVE.get(right)
        if key is None or key.name in ("hooks", "providers"):
            continue
        if not fits(
            value,
            SettingKey(name=name, kind=key.kind, meaning="", choices=key.choices),
            (name,),
            notes,
        ):
            continue
        if right in _MANAGED_ONLY and source.layer is not Layer.MANAGED:
            fix = "Remove it; it is allowed only in the administrator's file."
            notes.warning(
                "managed-only", (name,), f"'{name}' is allowed in managed settings only", fix
            )
            continue
        yield right, value


def _providers(
    data: Mapping[str, Any], source: EntrySource, notes: Notes
) -> Iterator[ProviderEntry]:
    """Yield the entries of ``[providers]``, which only the native form has."""
    table = data.get("providers", {}) if source.dialect is Dialect.SNAPHOOK else {}
    if not fits(table, NATIVE["providers"], ("providers",), notes):
        return
    for name, entry in table.items():
        at = ("providers", name)
        if not isinstance(entry, dict):
            what = f"the provider '{name}' is {shown(entry)}; expected a table"
            fix = f'Write [providers.{name}] with use = "module:attribute" below.'
            notes.error("wrong-shape", at, what, fix)
            continue
        taken = take(entry, PROVIDER, at, notes)
        yield ProviderEntry(
            name=name,
            use=taken.get("use", name),
            origin=source.origin(at),
            options=taken.get("options", {}),
            stance=Stance(taken["stance"]) if "stance" in taken else None,
            timeout=taken.get("timeout"),
            enabled=taken.get("enabled", True),
        )


def _sections(
    data: Mapping[str, Any], source: EntrySource, sections: Sections, notes: Notes, thorough: bool
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if source.dialect is not Dialect.SNAPHOOK:
        return
    for name in data:
        if name not in sections and name not in SECTION_NAMES:
            continue
        table = SettingKey(name=name, kind=KeyKind.TABLE, meaning="")
        if fits(data[name], table, (name,), notes):
            if name in sections:
                check_section(
                    data[name], sections[name], (name,), notes, sections, thorough=thorough
                )
            yield name, data[name]


def _under_hooks(dialect: Dialect, event: str) -> str:
    return f"[[hooks.{event}]]" if dialect is Dialect.SNAPHOOK else f'{{"hooks": {{"{event}": …}}}}'
