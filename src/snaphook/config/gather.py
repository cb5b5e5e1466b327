"""Read the files that are there, and merge what they say.

Places  ->  Documents  ->  Fragments  ->  Settings

What cannot be followed stops the loading, with every problem of every file in one error; what a
host would merely skip is skipped, and ``snaphook check`` tells about it.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import structs

from .documents import SettingsDocument, read
from .entries import EntrySource, decode_hooks
from .fragments import Fragment, Sections, decode
from .merge import merge
from .problems import Notes, Problem, ProblemLevel, SettingsError
from .settings import CommandHook, Dialect, ForeignHook, Layer, Settings
from .settings_files import SettingsFile
from .trust import (
    RULE_TABLES,
    RULE_VALUES,
    Approval,
    changed_files,
    is_valid,
    runs_as_approved,
)


def gather(
    places: Iterable[SettingsFile],
    root: Path,
    approved: Mapping[str, Approval | str],
    *,
    sections: Sections | None,
    hooks: Mapping[str, Any] | Iterable[CommandHook],
) -> Settings:
    """Return what the files at *places* and *hooks* come down to."""
    fragments: list[Fragment] = []
    problems: list[Problem] = []
    scripts: list[Path] = []
    lapsed: list[str] = []
    partly: list[str] = []  # files whose commands are approved, and whose rules changed since
    for place in places:
        try:
            document = read(place)
        except SettingsError as bad:
            problems.extend(bad.problems)
            continue
        trusted, named = _approval(document, root, approved)
        runs = trusted or _runs(document, root, approved)
        if not runs and document.file in approved:
            lapsed.append(_lapse(document, root, approved[document.file]))
        scripts.extend(named)
        fragment, notes = decode(document, trusted=runs, sections=sections)
        fragment = structs.replace(fragment, hooks=_without_ours(fragment.hooks))
        if place.outer:  # its gates are commands for its own folder
            kept = tuple(one for one in fragment.providers if one.use != "gates")
            fragment = structs.replace(fragment, providers=kept)
        fragments.extend([fragment] if trusted or not runs else _apart(fragment))
        partly.extend([document.file] if runs and not trusted else [])
        problems.extend(_stopping(notes, document))
    if problems:
        raise SettingsError.of(problems)
    fragments.append(from_code(hooks))
    settings = merge(fragments, sections=sections)
    lapsed.extend(_ignored(settings, partly))
    return structs.replace(
        settings, root=str(root), scripts=tuple(map(str, scripts)), lapsed=tuple(lapsed)
    )


def from_code(hooks: Mapping[str, Any] | Iterable[CommandHook]) -> Fragment:
    """Return what a program asks for: ready hooks, or the table that a settings file would hold."""
    source = EntrySource(dialect=Dialect.CLAUDE, layer=Layer.CODE)
    if not isinstance(hooks, Mapping):
        return Fragment(source=source, hooks=tuple(hooks))
    notes = Notes("hooks given in code")
    decoded = tuple(decode_hooks(dict(hooks), source, notes))
    if any(problem.level is ProblemLevel.ERROR for problem in notes.problems):
        raise SettingsError.of(notes.problems)
    return Fragment(
        source=source,
        hooks=tuple(hook for hook in decoded if isinstance(hook, CommandHook)),
        foreign=tuple(hook for hook in decoded if isinstance(hook, ForeignHook)),
    )


def _approval(
    document: SettingsDocument, root: Path, approved: Mapping[str, Approval | str]
) -> tuple[bool, tuple[Path, ...]]:
    """Return whether the file may run things, and the scripts that this depends on."""
    if not document.place.needs_trust:
        return True, ()
    given = approved.get(document.file)
    root = document.place.root or root
    watched = tuple(root / name for name in given.files) if isinstance(given, Approval) else ()
    return is_valid(given, document, root), watched


def _runs(document: SettingsDocument, root: Path, approved: Mapping[str, Approval | str]) -> bool:
    """Return whether the commands of a project's file are as approved, though its rules changed."""
    root = document.place.root or root
    return runs_as_approved(approved.get(document.file), document, root)


def _apart(fragment: Fragment) -> tuple[Fragment, Fragment]:
    """Return what *fragment* runs, and its rules, which were changed and not approved."""
    rules = Fragment(
        source=structs.replace(fragment.source, trusted=False),
        values={name: one for name, one in fragment.values.items() if name in RULE_VALUES},
        sections={name: one for name, one in fragment.sections.items() if name in RULE_TABLES},
    )
    runs = structs.replace(
        fragment,
        values={name: one for name, one in fragment.values.items() if name not in RULE_VALUES},
        sections={name: one for name, one in fragment.sections.items() if name not in RULE_TABLES},
    )
    return runs, rules


def _ignored(settings: Settings, files: Iterable[str]) -> Iterable[str]:
    """Yield, for each of *files*, the changed rules that would relax something and are ignored."""
    for file in files:
        names = [".".join(map(str, one.pointer)) for one in settings.refused if one.file == file]
        if names:
            what = ", ".join(dict.fromkeys(names[:3]))
            yield f"{file}: {what} changed since it was approved, so it is ignored"


def _without_ours(hooks: Iterable[CommandHook]) -> tuple[CommandHook, ...]:
    """Return *hooks* without those by which a host calls Snaphook: they would call it again."""
    return tuple(hook for hook in hooks if not calls_snaphook(hook.command))


def calls_snaphook(command: str) -> bool:
    """Return whether *command* is an entry that ``snaphook init`` wrote."""
    return _OURS.match(command) is not None


_OURS = re.compile(
    r"""\s*(?:'[^']*/|"[^"]*/|[^\s'"]*/)?"""
    r"""(?:snaphook-hook(?:\.exe)?['"]?\s|snaphook['"]?\s+hook\s|python[\w.]*['"]?\s+-m\s+snaphook\s+hook\s)"""
)
"""``'/path/snaphook-hook' HOST EVENT``, ``snaphook hook HOST``, ``python -m snaphook hook HOST``."""


def _lapse(document: SettingsDocument, root: Path, given: Approval | str) -> str:
    """Return why an approval no longer holds."""
    if not isinstance(given, Approval):
        return f"{document.file}: it was approved with an earlier version, so its hooks do not run"
    changed = changed_files(given, document.place.root or root)
    what = ", ".join(map(str, changed[:3])) if changed else "it"
    return f"{document.file}: {what} changed since it was approved, so its hooks do not run"


def _stopping(notes: Notes, document: SettingsDocument) -> list[Problem]:
    """Return the problems that cannot be left out, each with its line."""
    bad = [p for p in notes.problems if p.level is ProblemLevel.ERROR and not p.tolerable]
    return located(bad, document) if bad else []


def located(problems: Iterable[Problem], document: SettingsDocument) -> list[Problem]:
    """Return *problems* with the line and column of what they point at."""
    from .positions import positions

    places = positions(document.raw, document.place.path)
    found = []
    for problem in problems:
        line, column = places.at(problem.pointer)
        found.append(structs.replace(problem, line=line, column=column))
    return found
