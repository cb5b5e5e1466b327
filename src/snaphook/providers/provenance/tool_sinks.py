"""What a call of a tool does with its arguments.

tool + arguments  ->  Sinks
"""

from collections.abc import Iterator, Mapping
from typing import Any

from .obeyed import obeyed
from .sinks import Sink, SinkKind
from .sources import OWN
from .tools import ToolClass, class_said
from .values import Value, found_in, leaves, of_arguments

_KINDS = {
    ToolClass.READ: SinkKind.FETCH,
    ToolClass.SEND: SinkKind.SEND,
    ToolClass.PAY: SinkKind.PAY,
    ToolClass.PERMIT: SinkKind.PERMIT,
    ToolClass.RUN: SinkKind.CHANGE,
    ToolClass.CHANGE: SinkKind.CHANGE,
}
_PATHS = ("file_path", "path", "notebook_path", "filePath", "target_file", "filename", "file")
_CONTENTS = (
    "content",
    "new_string",
    "text",
    "file_text",
    "new_source",
    "patch",
    "insert",
    "edits",
    "input",
    "diff",
    "new_str",
)
_MEMORIES = (
    "memory",
    "memories",
    "remember",
    "memorize",
    "rule",
    "skill",
    "instruction",
    "instructions",
)


def tool_sinks(
    tool: str, args: Mapping[str, Any], annotations: Mapping[str, Any] | None = None
) -> Iterator[Sink]:
    """Yield what a call of *tool* does with values; commands are read elsewhere.

    *annotations* are what an MCP server says of the tool.
    """
    if tool in ("WebFetch", "WebSearch"):
        texts = tuple(text for _, text in leaves(args))
        urls = tuple(found_in(str(args.get("url", ""))))
        yield Sink(
            kind=SinkKind.FETCH,
            what=f"{tool} {args.get('url', args.get('query', ''))}",
            values=urls,
            texts=texts,
        )
        return
    if (path := _path(args)) and (content := _content(args)):
        yield from _file(tool, path, content)
    if tool in _LOCAL or tool in OWN:
        if tool == "save_memory":
            yield _memory(tool, args)
        return
    does = class_said(tool, annotations or {})
    if any(word in tool.lower() for word in _MEMORIES) and does is not ToolClass.READ:
        yield _memory(tool, args)
    kind = _KINDS[does]
    values = tuple(of_arguments(args))
    if kind is SinkKind.FETCH:
        values = tuple(value for value in values if value.kind in ("URL", "host"))
    texts = tuple(text for _, text in leaves(args))
    yield Sink(kind=kind, what=_shown(tool, args), values=values, texts=texts, tool=tool)


_LOCAL_TEXT = """
    Read Write Edit MultiEdit NotebookEdit NotebookRead Grep Glob LS
"""
_LOCAL = frozenset(_LOCAL_TEXT.split())


def _file(tool: str, path: str, content: str) -> Iterator[Sink]:
    if why := obeyed(path):
        values: tuple[Value, ...] = tuple(found_in(content))
        what = f"{tool} {path} ({why})"
        yield Sink(kind=SinkKind.OBEY, what=what, content=content, paths=(path,), values=values)


def _memory(tool: str, args: Mapping[str, Any]) -> Sink:
    content = "\n".join(text for _, text in leaves(args))
    return Sink(
        kind=SinkKind.OBEY,
        what=f"{tool} (agents recall it)",
        content=content,
        values=tuple(found_in(content)),
    )


def _path(args: Mapping[str, Any]) -> str:
    return next((path for name in _PATHS if isinstance(path := args.get(name), str) and path), "")


def _content(args: Mapping[str, Any]) -> str:
    found = [
        text
        for name in _CONTENTS
        if name in args
        for field, text in leaves(args[name], name)
        if not field.startswith("old")
    ]
    return "\n".join(found)


def written(tool: str, args: Mapping[str, Any]) -> tuple[str, str]:
    """Return the file that a call writes, and what it writes into it, where *tool* writes files."""
    path = _path(args)
    return (
        (path, _content(args))
        if path and tool not in ("Read", "Grep", "Glob", "LS", "NotebookRead")
        else ("", "")
    )


def _shown(tool: str, args: Mapping[str, Any]) -> str:
    told = ", ".join(f"{name}={text}" for name, text in leaves(args))
    return f"{tool}({told})"[:300]
