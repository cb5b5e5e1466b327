"""Judge the shell text of a repository with the guard's rules.

root  ->  Findings
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.judgement import GuardAnswer, Objection
from snaphook.providers.guard.scanning.snippets import Setting, Snippet, Unreadable, reader_of
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.world import World

LONGEST = 500_000
"""Characters of a file that is looked into."""
_SKIPPED = frozenset(
    {".git", "node_modules", ".venv", "venv", "vendor", "__pycache__", ".tox", "dist"}
)
_THROWN_AWAY = (
    "delete.", "overwrite.", "move.", "permissions.", "privilege.", "system.", "machine.", "disk.",
    "git.discard", "git.reset-unsaved", "git.checks", "packages.publish", "files.bulk", "contents.",
    "containers.", "service.",
    "git.message", "git.push-", "records.", "cloud.change", "cluster.", "opaque", "self.", "backups.",
)  # fmt: skip
"""Rules about a machine that somebody keeps: a CI job and an image that is built have none."""
_IN_SCRIPTS = ("self.", "opaque", "delete.unknown", "git.message", "files.bulk")
"""Rules about what an agent does, or what only the run of a script can tell."""
_IGNORE = re.compile(r"snaphook:\s*ignore(?:\[([\w.,\s-]+)\])?")


class Finding(Struct, frozen=True, kw_only=True):
    """One objection, and where it stands."""

    path: str
    line: int
    rule: str
    answer: GuardAnswer
    what: str
    why: str
    instead: str = ""


class Report(Struct, frozen=True, kw_only=True):
    """Everything that was found, how much was read, and what could not be."""

    findings: tuple[Finding, ...]
    files: int
    snippets: int
    unread: tuple[tuple[str, str], ...] = ()


def scan(root: Path, paths: Iterable[Path], world: World, settings: GuardSettings) -> Report:
    """Return what the rules say of the shell text in *paths*, shown relative to *root*."""
    findings: list[Finding] = []
    unread: list[tuple[str, str]] = []
    files = snippets = 0
    for path in paths:
        shown = _shown(path, root)
        text = _text(path)
        reader = reader_of(shown, text) if text is not None else None
        if text is None or reader is None:
            continue
        files += 1
        try:
            for snippet in reader(text):
                snippets += 1
                findings += _judged(snippet, shown, text, world, settings)
        except Unreadable as why:
            unread.append((shown, str(why)))
    return Report(
        findings=tuple(sorted(set(findings), key=lambda one: (one.path, one.line, one.rule))),
        files=files,
        snippets=snippets,
        unread=tuple(unread),
    )


def find_files(root: Path) -> Iterator[Path]:
    """Yield the files under *root* that may hold shell text, and the hooks of its repository."""
    hooks = root / ".git" / "hooks"
    if hooks.is_dir():
        yield from sorted(
            one for one in hooks.iterdir() if one.suffix != ".sample" and one.is_file()
        )
    yield from _below(root)


def _below(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.is_symlink():
            continue  # what it leads to is looked at where it is, or is not ours
        if entry.is_dir():
            if entry.name not in _SKIPPED:
                yield from _below(entry)
        elif entry.is_file():
            yield entry


def _shown(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def _text(path: Path) -> str | None:
    try:
        if path.stat().st_size > LONGEST:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return None if b"\0" in data[:8000] else data.decode("utf-8", "replace")


def _judged(
    snippet: Snippet, path: str, text: str, world: World, settings: GuardSettings
) -> Iterator[Finding]:
    judgement = examine(snippet.text, world, settings=settings)
    for objection in judgement.objections:
        if _counts(objection, snippet):
            line = snippet.line + snippet.text.count("\n", 0, objection.span.start)
            if not _is_ignored(text.splitlines(), line, objection.rule):
                yield Finding(
                    path=path,
                    line=line,
                    rule=objection.rule,
                    answer=objection.answer,
                    what=" ".join(objection.what.split()),
                    why=objection.why,
                    instead=objection.instead,
                )


def _counts(objection: Objection, snippet: Snippet) -> bool:
    left_out = _IN_SCRIPTS if snippet.setting is Setting.MACHINE else _THROWN_AWAY
    return not objection.rule.startswith(left_out)


def _is_ignored(lines: Sequence[str], line: int, rule: str) -> bool:
    """Say whether a comment on the line, or on the one above, says to leave the rule out."""
    for at in (line - 1, line - 2):
        if 0 <= at < len(lines) and (found := _IGNORE.search(lines[at])):
            named = found[1]
            if named is None or rule in [one.strip() for one in named.split(",")]:
                return True
    return False
