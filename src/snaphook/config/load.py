"""Load the settings that count here.

Surroundings  ->  Places  ->  Documents  ->  Fragments  ->  Settings

What cannot be followed stops the loading, with every problem of every file in one error; what a
host would merely skip is skipped, and ``snaphook check`` tells about it.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import structs

from .documents import Document, read
from .entries import Source, decode_hooks
from .fragments import Fragment, Sections, decode
from .merge import merge
from .places import Place, find, project_root
from .problems import Level, Notes, Problem, SettingsError
from .settings import CommandHook, Dialect, ForeignHook, Layer, Settings
from .surroundings import Surroundings
from .trust import TrustStore, fingerprint


def load(
    around: Surroundings | None = None,
    *,
    root: Path | None = None,
    dialects: Iterable[Dialect] = tuple(Dialect),
    sections: Sections | None = None,
    hooks: Mapping[str, Any] | Iterable[CommandHook] = (),
    trust: TrustStore | None = None,
) -> Settings:
    """Return the merged settings; *hooks* are given in code and come last.

    Raises ConfigError, and nothing else, whatever the files hold.
    """
    around = around or Surroundings.here()
    root = root or project_root(around)
    approved = (trust or TrustStore.of(around)).of_project(root)
    wanted = frozenset(dialects)
    fragments: list[Fragment] = []
    problems: list[Problem] = []
    scripts: list[Path] = []
    for place in find(around, root):
        if place.dialect not in wanted:
            continue
        try:
            document = read(place)
        except SettingsError as bad:
            problems.extend(bad.problems)
            continue
        trusted, named = _approval(document, root, approved)
        scripts.extend(named)
        fragment, notes = decode(document, trusted=trusted, sections=sections)
        fragments.append(fragment)
        problems.extend(_stopping(notes, document))
    if problems:
        raise SettingsError.of(problems)
    fragments.append(from_code(hooks))
    settings = merge(fragments, sections=sections)
    return structs.replace(settings, root=str(root), scripts=tuple(map(str, scripts)))


def load_file(file: Path, around: Surroundings, *, sections: Sections | None = None) -> Settings:
    """Return what *file* would come down to as the user's own settings, above the managed ones.

    For trying a file before it is used: no other file of the user or of a project counts.
    """
    root = project_root(around)
    managed = [place for place in find(around, root) if place.layer is Layer.MANAGED]
    tried = Place(dialect=Dialect.SNAPHOOK, layer=Layer.USER, path=file)
    fragments: list[Fragment] = []
    problems: list[Problem] = []
    for place in (*(one for one in managed if one.dialect is Dialect.SNAPHOOK), tried):
        document = read(place)
        fragment, notes = decode(document, sections=sections)
        fragments.append(fragment)
        problems.extend(_stopping(notes, document))
    if problems:
        raise SettingsError.of(problems)
    return structs.replace(merge(fragments, sections=sections), root=str(root))


def from_code(hooks: Mapping[str, Any] | Iterable[CommandHook]) -> Fragment:
    """Return what a program asks for: ready hooks, or the table that a settings file would hold."""
    source = Source(dialect=Dialect.CLAUDE, layer=Layer.CODE)
    if not isinstance(hooks, Mapping):
        return Fragment(source=source, hooks=tuple(hooks))
    notes = Notes("hooks given in code")
    decoded = tuple(decode_hooks(dict(hooks), source, notes))
    if any(problem.level is Level.ERROR for problem in notes.problems):
        raise SettingsError.of(notes.problems)
    return Fragment(
        source=source,
        hooks=tuple(hook for hook in decoded if isinstance(hook, CommandHook)),
        foreign=tuple(hook for hook in decoded if isinstance(hook, ForeignHook)),
    )


def _approval(
    document: Document, root: Path, approved: Mapping[str, str]
) -> tuple[bool, tuple[Path, ...]]:
    """Return whether the file may run things, and the scripts that this depends on."""
    if not document.place.needs_trust:
        return True, ()
    if document.file not in approved:
        return False, ()
    seen = fingerprint(document, root)
    return approved[document.file] == seen.digest, seen.scripts


def _stopping(notes: Notes, document: Document) -> list[Problem]:
    """Return the problems that cannot be left out, each with its line."""
    bad = [p for p in notes.problems if p.level is Level.ERROR and not p.tolerable]
    return located(bad, document) if bad else []


def located(problems: Iterable[Problem], document: Document) -> list[Problem]:
    """Return *problems* with the line and column of what they point at."""
    from .positions import positions

    places = positions(document.raw, document.place.path)
    found = []
    for problem in problems:
        line, column = places.at(problem.pointer)
        found.append(structs.replace(problem, line=line, column=column))
    return found
