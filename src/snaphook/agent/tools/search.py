"""Glob and Grep."""

import asyncio
import fnmatch
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from snaphook.agent.bounds import bounded

from .tool import Tool, ToolContext, ToolError, ToolResult

SKIPPED = {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".mypy_cache"}
MAX_FILES = 500
MAX_MATCHES = 500
MAX_SIZE = 5 * 1024 * 1024
LINE_LENGTH = 500


class GlobArgs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What Glob takes."""

    pattern: str
    path: str = "."


class GrepArgs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What Grep takes."""

    pattern: str
    path: str = "."
    glob: str = "*"
    ignore_case: bool = False
    files_only: bool = False


async def _glob(args: GlobArgs, context: ToolContext) -> ToolResult:
    root = context.workspace.path(args.path)
    return await asyncio.to_thread(_list, root, args, context)


def _list(root: Path, args: GlobArgs, context: ToolContext) -> ToolResult:
    wanted = _matcher(args.pattern)
    found = [path for path in _files(root) if wanted(str(path.relative_to(root)))]
    found.sort(key=_changed_at, reverse=True)
    shown = [context.workspace.shown(path) for path in found[:MAX_FILES]]
    note = [f"[{len(found) - MAX_FILES} more]"] if len(found) > MAX_FILES else []
    return ToolResult(text="\n".join([*shown, *note]) or "No file matches.")


async def _grep(args: GrepArgs, context: ToolContext) -> ToolResult:
    root = context.workspace.path(args.path)
    try:
        wanted = re.compile(args.pattern, re.IGNORECASE if args.ignore_case else 0)
    except re.error as error:
        raise ToolError(
            where=f"pattern '{args.pattern}'", what=f"{error}", fix="Write a Python regex."
        ) from None
    return await asyncio.to_thread(_search, root, wanted, args, context)


def _search(
    root: Path, wanted: re.Pattern[str], args: GrepArgs, context: ToolContext
) -> ToolResult:
    named = _matcher(args.glob)
    hits: list[str] = []
    for path in [root] if root.is_file() else _files(root):
        if root.is_file() or named(str(path.relative_to(root))):
            lines = _hits(path, wanted, context.workspace.shown(path))
            hits += [context.workspace.shown(path)] * bool(lines) if args.files_only else lines
        if len(hits) > MAX_MATCHES:
            hits[MAX_MATCHES:] = [f"[stopped at {MAX_MATCHES} matches: narrow the search]"]
            break
    return ToolResult(text=bounded("\n".join(hits), context.output_limit) or "No match.")


def _hits(path: Path, wanted: re.Pattern[str], shown: str) -> list[str]:
    try:
        if path.stat().st_size > MAX_SIZE:
            return []
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    return [
        f"{shown}:{number}:{line[:LINE_LENGTH]}"
        for number, line in enumerate(text.splitlines(), start=1)
        if wanted.search(line)
    ]


def _files(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        yield from (path for name in sorted(names) if (path := Path(folder, name)).is_file())


def _changed_at(path: Path) -> int:
    """Return when *path* was last changed; a file that went away meanwhile comes last."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Return a test for relative paths; ``**`` crosses directories, a bare name fits anywhere."""
    if "/" not in pattern:
        return lambda path: fnmatch.fnmatchcase(path.rpartition("/")[2], pattern)
    spelled = "".join(_PIECES.get(piece) or _piece(piece) for piece in _SPLIT.split(pattern))
    return lambda path: re.fullmatch(spelled, path) is not None


_SPLIT = re.compile(r"(\*\*/|\*\*|\*|\?|\[[^]]+\])")
_PIECES = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _piece(piece: str) -> str:
    if piece.startswith("[") and piece.endswith("]"):
        return f"[^{piece[2:]}" if piece.startswith("[!") else piece
    return re.escape(piece)


GLOB = Tool(
    name="Glob",
    description="List files whose path matches a pattern (**/*.py), newest first.",
    args=GlobArgs,
    run=_glob,
    parallel=True,
    harmless=True,
)
GREP = Tool(
    name="Grep",
    description="Search files for a regular expression; answers with file:line:text.",
    args=GrepArgs,
    run=_grep,
    parallel=True,
    harmless=True,
)
