"""Read, Write and Edit."""

import os
from pathlib import Path

from msgspec import Struct

from snaphook.agent.bounds import bounded
from snaphook.storage.files import mode_of, replace

from .tool import Tool, ToolContext, ToolError, ToolResult

LINES = 2000
LINE_LENGTH = 2000


class ReadArgs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What Read takes."""

    file_path: str
    offset: int = 1
    limit: int = LINES


class WriteArgs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What Write takes."""

    file_path: str
    content: str


class EditArgs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What Edit takes."""

    file_path: str
    old_string: str
    new_string: str
    replace_all: bool = False


async def _read(args: ReadArgs, context: ToolContext) -> ToolResult:
    path = context.workspace.path(args.file_path)
    lines = _text(path, args.file_path).splitlines()
    first = max(1, args.offset)
    shown = lines[first - 1 : first - 1 + max(1, args.limit)]
    numbered = "\n".join(
        f"{number:6}\t{line[:LINE_LENGTH]}" for number, line in enumerate(shown, start=first)
    )
    left = len(lines) - (first - 1) - len(shown)
    note = f"\n[{left} more lines; read on with offset {first + len(shown)}]" if left > 0 else ""
    text = bounded(numbered, context.output_limit) + note
    return ToolResult(text=text if text.strip() else "(the file is empty)")


async def _write(args: WriteArgs, context: ToolContext) -> ToolResult:
    path = context.workspace.path(args.file_path)
    was_there = path.exists()
    _put(path, args.content, args.file_path)
    verb = "Replaced" if was_there else "Created"
    count = len(args.content.splitlines())
    lines = "1 line" if count == 1 else f"{count} lines"
    text = f"{verb} {context.workspace.shown(path)} ({lines})."
    return ToolResult(text=text, changed=(str(path),))


async def _edit(args: EditArgs, context: ToolContext) -> ToolResult:
    path = context.workspace.path(args.file_path)
    text = _text(path, args.file_path)
    found = text.count(args.old_string) if args.old_string else 0
    if not found:
        raise _refused(args.file_path, "old_string is not in it", "Read it, then quote it exactly.")
    if found > 1 and not args.replace_all:
        raise _refused(
            args.file_path,
            f"old_string is in it {found} times",
            "Quote more lines around it, or set replace_all.",
        )
    _put(path, text.replace(args.old_string, args.new_string), args.file_path)
    places = f"{found} places" if found > 1 else "1 place"
    return ToolResult(
        text=f"Edited {context.workspace.shown(path)} in {places}.", changed=(str(path),)
    )


def _text(path: Path, given: str) -> str:
    if path.is_dir():
        raise _refused(given, "is a directory", "Use Glob to list it.")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        raise _refused(given, "is not UTF-8 text", "Look at it with Bash: file, xxd.") from None
    except OSError as error:
        raise _refused(given, f"{error.strerror}", "Use Glob to find the right path.") from None


def _put(path: Path, text: str, given: str) -> None:
    """Write *text* in one step: a reader sees the old file or the new one, never half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, text.encode(), mode=mode_of(path, 0o666 & ~_umask()))
    except OSError as error:
        raise _refused(given, f"cannot be written ({error.strerror})", "Choose another.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _refused(given: str, what: str, fix: str) -> ToolError:
    return ToolError(where=given, what=what, fix=fix)


READ = Tool(
    name="Read",
    description="Read a text file. Lines come numbered; offset and limit choose a part.",
    args=ReadArgs,
    run=_read,
    parallel=True,
    harmless=True,
)
WRITE = Tool(
    name="Write",
    description="Write a whole file, making its directories; an existing one is replaced.",
    args=WriteArgs,
    run=_write,
    edits=True,
)
EDIT = Tool(
    name="Edit",
    description="Replace old_string, quoted exactly and found once, by new_string in a file.",
    args=EditArgs,
    run=_edit,
    edits=True,
)
