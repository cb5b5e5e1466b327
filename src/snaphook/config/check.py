"""Find every mistake in every settings file.

Places  ->  Documents  ->  decode + rules  ->  Problems, with line, reason and fix

Never raises for what a file holds: whatever is wrong with it is the result.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import structs

from .documents import SettingsDocument, read
from .environment import Environment
from .fragments import Fragment, Sections, decode
from .gather import located
from .keys import SECTION_NAMES
from .misplaced import misplaced_files
from .positions import positions
from .problems import Notes, Pointer, Problem, ProblemLevel, SettingsError
from .rules import HookScene, judge
from .rules.providers import check_provider
from .rules.twins import find_twins
from .settings import Dialect
from .settings_files import SettingsFile, find, place_of, project_root

_LINE_NUMBER = re.compile(r"^\S*sh: (?:line )?(?:\d+: )?")


OptionsCheck = Callable[[Mapping[str, Any]], Iterable[tuple[Pointer, str, str]]]
"""What a provider finds wrong with its options: where in them, what, and what to do next."""
KnownProviders = Mapping[str, OptionsCheck | None]
"""Every name that ``use`` may give, and how that provider's options are checked."""


def check(
    around: Environment,
    *,
    file: Path | None = None,
    sections: Sections | None = None,
    providers: KnownProviders | None = None,
) -> tuple[Problem, ...]:
    """Return the problems of every file that counts here, or of *file* alone, in file order.

    *providers* are those that ``use`` may name; without it any name may stand there.
    """
    if file is not None:
        around = structs.replace(around, cwd=_project_of(file))
    root = project_root(around)
    places = find(around, root) if file is None else (place_of(file, around),)
    found: list[Problem] = []
    fragments: list[Fragment] = []
    for place in places:
        problems, fragment = _check_place(place, scene_of(around, root), sections, providers)
        found.extend(problems)
        fragments.extend(fragment)
    found.extend(find_twins(fragments))
    found.extend(misplaced_files(around, root, file))
    if file is None and not any(one.level is ProblemLevel.ERROR for one in found):
        found.extend(_void_approvals(around, root, sections))
    return tuple(found)


def _void_approvals(
    around: Environment, root: Path, sections: Sections | None
) -> Iterator[Problem]:
    """Yield a problem for each file that was approved once and is not any more."""
    from .load import load

    for lapse in load(around, root=root, sections=sections).lapsed:
        file, _, what = lapse.partition(": ")
        fix = "Review and approve it again: snaphook trust."
        yield Problem(
            code="approval-void",
            level=ProblemLevel.WARNING,
            file=file,
            pointer=(),
            what=what,
            fix=fix,
        )


def scene_of(around: Environment, root: Path) -> HookScene:
    """Return the scene of commands that run in *root*."""
    path = around.env.get("PATH")
    return HookScene(
        root=root,
        home=around.home,
        env=around.env,
        which=lambda program: shutil.which(program, path=path),
        shell_error=shell_error,
    )


def shell_error(line: str) -> str | None:
    """Return what sh says about a line that neither it nor bash can parse; nothing is run."""
    said = None
    for shell in ("sh", "bash"):
        try:
            done = subprocess.run(
                [shell, "-n"], input=line.encode(errors="replace"), capture_output=True, timeout=10
            )
        except (OSError, subprocess.SubprocessError):
            continue
        if done.returncode == 0:
            return None
        words = done.stderr.decode(errors="replace").strip().splitlines()
        said = said or (_LINE_NUMBER.sub("", words[0]) if words else "syntax error")
    return said


def _check_place(
    place: SettingsFile,
    scene: HookScene,
    sections: Sections | None,
    providers: KnownProviders | None,
) -> tuple[list[Problem], list[Fragment]]:
    try:
        document = read(place)
    except SettingsError as bad:
        return list(bad.problems), []
    fragment, notes = decode(document, sections=sections, thorough=True)
    if not document.raw.strip():
        fix = "Remove it, or run 'snaphook init'."
        notes.warning("empty-file", (), "the file is empty", fix)
    for hook in fragment.hooks:
        judge(hook, scene, notes)
    if sections and place.dialect is Dialect.SNAPHOOK:
        _note_unread(document.data.keys() & SECTION_NAMES - frozenset(sections), notes)
    for entry in fragment.providers:
        check_provider(entry, providers, notes)
        find_errors = (providers or {}).get(entry.use)
        for pointer, what, fix in find_errors(entry.options) if find_errors else ():
            notes.error("bad-option", (*entry.origin.pointer, "options", *pointer), what, fix)
    problems = [*located(notes.problems, document), *_repeated(document)]
    problems.sort(key=lambda problem: (problem.line, problem.column))
    return problems, [_with_lines(fragment, document)]


def _note_unread(tables: Iterable[str], notes: Notes) -> None:
    for name in sorted(tables):
        fix = "Options of a provider go under [providers.NAME.options]."
        notes.warning("not-read", (name,), f"unknown table '{name}'", fix)


def _repeated(document: SettingsDocument) -> Iterator[Problem]:
    """Yield a problem for each name that is given twice; only the last one counts."""
    notes = Notes(document.file)
    places = positions(document.raw, document.place.path)
    for pointer, (first, _), (line, column) in places.repeated:
        what = f"'{pointer[-1]}' is given twice, first in line {first}; only this one is used"
        notes.error("duplicate-key", pointer, what, "Put both into one.", tolerable=True)
        yield structs.replace(notes.problems[-1], line=line, column=column)


def _with_lines(fragment: Fragment, document: SettingsDocument) -> Fragment:
    places = positions(document.raw, document.place.path)
    hooks = [
        structs.replace(
            hook,
            origin=structs.replace(hook.origin, line=places.at(hook.origin.pointer)[0]),
        )
        for hook in fragment.hooks
    ]
    return structs.replace(fragment, hooks=tuple(hooks))


def _project_of(file: Path) -> Path:
    """Return the folder that a file's scripts are relative to."""
    folder = file.absolute().parent
    return folder.parent if folder.name in (".claude", ".wave", ".snaphook") else folder


def split(problems: Iterable[Problem]) -> tuple[list[Problem], list[Problem]]:
    """Return the errors and the warnings."""
    errors: list[Problem] = []
    warnings: list[Problem] = []
    for problem in problems:
        (errors if problem.level is ProblemLevel.ERROR else warnings).append(problem)
    return errors, warnings
