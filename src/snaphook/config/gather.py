"""Read the files that are there, and merge what they say.

Places  ->  Documents  ->  Fragments  ->  Settings

What cannot be followed stops the loading, with every problem of every file in one error; what a
host would merely skip is skipped, and ``snaphook check`` tells about it.
"""

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
from .trust import Approval, changed_files, is_valid


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
    for place in places:
        try:
            document = read(place)
        except SettingsError as bad:
            problems.extend(bad.problems)
            continue
        trusted, named = _approval(document, root, approved)
        if not trusted and document.file in approved:
            lapsed.append(_lapse(document, root, approved[document.file]))
        scripts.extend(named)
        fragment, notes = decode(document, trusted=trusted, sections=sections)
        if place.outer:  # its gates are commands for its own folder
            kept = tuple(one for one in fragment.providers if one.use != "gates")
            fragment = structs.replace(fragment, providers=kept)
        fragments.append(fragment)
        problems.extend(_stopping(notes, document))
    if problems:
        raise SettingsError.of(problems)
    fragments.append(from_code(hooks))
    settings = merge(fragments, sections=sections)
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


def _lapse(document: SettingsDocument, root: Path, given: Approval | str) -> str:
    """Return why an approval no longer holds."""
    if not isinstance(given, Approval):
        return f"{document.file}: it was approved with an earlier version of Snaphook of Snaphook"
    changed = changed_files(given, document.place.root or root)
    what = ", ".join(map(str, changed[:3])) if changed else "it"
    return f"{document.file}: {what} changed since it was approved"


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
