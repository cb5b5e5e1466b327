"""Allowed write paths.

the files a call would write  ->  each within the allowed globs, or blocked

Strict: every host's file tools, the files of a patch, and the redirections and copying commands of
a shell; a path counts as where it really leads. A write that names no file is blocked.
Compatible: four tool names and two argument names, compared letter by letter.
"""

import os
from collections.abc import Iterator
from itertools import pairwise

from .call import PreToolUseContext
from .paths import compatible_glob, glob, resolved
from .tools import SHELLS, WRITERS, command_of, either, is_one_of, patched_paths, paths_of
from .words import ShellStep, steps

_COMPATIBLE_WRITERS = frozenset(("edit", "create", "write_file", "create_file"))

_LAST = frozenset(("cp", "mv", "install", "ln", "rsync"))
_EVERY = frozenset(("tee", "touch", "truncate"))
_HARMLESS = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"))


class AllowedWritePaths:
    """Files are written where the globs say, and nowhere else."""

    def __init__(self, allowed: tuple[str, ...]) -> None:
        self._allowed = allowed

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why a write must not happen, or ``None``."""
        found = list(written(call))
        for path, place in found:
            if place is None or not self._covers(place, call.team_root or call.cwd):
                return _reason(path, self._allowed)
        if not found and is_one_of(call.tool_name, WRITERS):
            return f"File write blocked: the call to {call.tool_name} names no file to check."
        return None

    def _covers(self, place: str, root: str) -> bool:
        return any(glob(pattern, root).match(place) for pattern in self._allowed)


class CompatibleAllowedWritePaths:
    """The same by the letters of the path, as Squad compares them."""

    def __init__(self, allowed: tuple[str, ...]) -> None:
        self._allowed = allowed
        self._globs = tuple(compatible_glob(pattern) for pattern in allowed)

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why a write must not happen, or ``None``."""
        path = compatible_path(call)
        if path is None:
            return None
        slashed = path.replace("\\", "/")
        covered = any(pattern.search(slashed) for pattern in self._globs)
        return None if covered else _reason(path, self._allowed)


def compatible_path(call: PreToolUseContext) -> str | None:
    """Return the path of a write as Squad finds it."""
    if call.tool_name not in _COMPATIBLE_WRITERS:
        return None
    path = either(call.arguments, "path", "file_path")
    return path if isinstance(path, str) and path else None


def written(call: PreToolUseContext) -> Iterator[tuple[str, str | None]]:
    """Yield each file *call* would write: as it is named, and where that really is.

    The place is ``None`` where only the shell could tell, as with ``> $TARGET``.
    """
    if is_one_of(call.tool_name, WRITERS):
        for path in (*paths_of(call.arguments), *_patched(call)):
            yield path, resolved(path, cwd=call.cwd, root=call.team_root)
    elif is_one_of(call.tool_name, SHELLS):
        yield from _written_by_shell(call)


def _patched(call: PreToolUseContext) -> Iterator[str]:
    name = call.tool_name.lower()
    return patched_paths(call.arguments) if "patch" in name or "diff" in name else iter(())


def _written_by_shell(call: PreToolUseContext) -> Iterator[tuple[str, str | None]]:
    command = command_of(call.arguments)
    if command is None or not _may_write(command):
        return
    for step in steps(command):
        here = os.path.join(call.cwd, step.cwd)  # noqa: PTH118 - see resolved()
        for path in _targets(step):
            if path not in _HARMLESS:
                yield path, _place(path, here, call.team_root)


def _place(path: str, here: str, root: str) -> str | None:
    if any(mark in text for mark in "$`" for text in (path, here)):
        return None
    place = resolved(path, cwd=here, root=root)
    into = path.endswith("/") or os.path.isdir(place)  # noqa: PTH112 - see resolved()
    return f"{place}/any" if into else place


def _may_write(command: str | tuple[str, ...]) -> bool:
    """Say whether anything in *command* looks like writing; most commands end here."""
    text = command if isinstance(command, str) else " ".join(command)
    return ">" in text or any(word in text for word in _WRITING)


_WRITING = (*_LAST, *_EVERY, "dd", "sed", "perl")


def _targets(step: ShellStep) -> Iterator[str]:
    if step.writes:
        yield step.writes
    names = [word for word in step.words[1:] if not word.startswith("-")]
    match step.program:
        case program if program in _EVERY:
            yield from names
        case program if program in _LAST and len(names) > 1:
            yield from _into(step) or names[-1:]
        case "dd":
            yield from (word[3:] for word in names if word.startswith("of="))
        case "sed" | "perl" if any(word.startswith("-i") for word in step.words):
            yield from names[1:]


def _into(step: ShellStep) -> list[str]:
    """Return the directory that ``-t`` names, if one does."""
    pairs = pairwise(step.words)
    return [value for option, value in pairs if option in {"-t", "--target-directory"}]


def _reason(path: str, allowed: tuple[str, ...]) -> str:
    return (
        f'File write blocked: "{path}" does not match allowed paths. '
        f"Allowed patterns: {', '.join(allowed)}"
    )
