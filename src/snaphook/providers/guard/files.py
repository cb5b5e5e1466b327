"""Calls of file tools as the same facts that commands have.

Write(file_path, content)  ->  Call, Effects

So that one set of rules judges `rm queue.yaml`, a patch that deletes it, and a tool of an MCP
server that writes over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from snaphook.lazy import regex
from snaphook.shell.facts import Act, Arg, Call, Effect, Span
from snaphook.shell.options import ANY, sort
from snaphook.shell.paths import resolve
from snaphook.shell.text import disarmed
from snaphook.shell.world import World

LONGEST_FILE = 1_000_000
"""Characters of a file that an edit is tried out on."""

_ACTS = {
    "read": Act.READ,
    "view": Act.READ,
    "get": Act.READ,
    "cat": Act.READ,
    "write": Act.WRITE,
    "create": Act.WRITE,
    "edit": Act.WRITE,
    "update": Act.WRITE,
    "patch": Act.WRITE,
    "apply": Act.WRITE,
    "insert": Act.WRITE,
    "replace": Act.WRITE,
    "append": Act.APPEND,
    "multiedit": Act.WRITE,
    "notebookedit": Act.WRITE,
    "notebookread": Act.READ,
    "delete": Act.DELETE,
    "remove": Act.DELETE,
    "rm": Act.DELETE,
    "move": Act.MOVE,
    "rename": Act.MOVE,
    "copy": Act.READ,
}
_PATHS = (
    "file_path", "notebook_path", "path", "filePath", "file", "filename", "source", "src", "from",
    "old_path", "absolute_path", "target_file",
)  # fmt: skip
_TARGETS = ("destination", "dest", "to", "new_path", "target")
_WORDS = regex(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HEADING = regex(r"^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* (Move) to: (.+)$", re.MULTILINE)
_UNIFIED = regex(
    r"^(?:--- a/(?P<old>.+)\n\+\+\+ (?P<gone>/dev/null)|\+\+\+ b/(?P<new>.+))$", re.MULTILINE
)
_BY_HEADING = {"Add": Act.WRITE, "Update": Act.WRITE, "Delete": Act.DELETE, "Move": Act.WRITE}


def file_facts(
    tool: str, args: Mapping[str, Any], world: World
) -> tuple[Call | None, Sequence[Effect]]:
    """Return the call of a file tool and what it does, or nothing for a tool of another kind."""
    act = _act(tool)
    if act is None:
        return None, ()
    touched = list(_touched(act, args))
    if not touched:
        return None, ()
    words = tuple(Arg(value=disarmed(path), span=Span(0, len(path))) for _, path, _ in touched)
    call = Call(
        program=tool,
        name=Arg(value=tool, span=Span(0, len(tool))),
        args=words,
        options=sort(words, ANY),
        span=Span(0, len(tool)),
        cwd=world.cwd,
    )
    effects = [
        _effect(act, call, word, text, args, world)
        for (act, _, text), word in zip(touched, words, strict=True)
    ]
    return call, effects


def _act(tool: str) -> Act | None:
    """Return what a tool does to files, told by the verb in its name."""
    name = tool.rpartition("__")[2]
    if name.lower() in _ACTS:
        return _ACTS[name.lower()]
    words = [word.lower() for word in _WORDS.findall(name)]
    about_files = {"file", "files", "patch", "notebook", "directory"} & set(words)
    return next((_ACTS[word] for word in words if word in _ACTS), None) if about_files else None


def _touched(act: Act, args: Mapping[str, Any]) -> Iterator[tuple[Act, str, str | None]]:
    """Return what happens to which path, and the whole new text where that is known."""
    patch = args.get("patch") or args.get("input") or args.get("diff")
    if isinstance(patch, str) and (found := list(_patched(patch))):
        yield from found
        return
    content = args.get("content", args.get("text", args.get("file_text")))
    text = content if isinstance(content, str) else None
    for name in _PATHS:
        if isinstance(path := args.get(name), str) and path:
            yield (Act.OVERWRITE if act is Act.WRITE and text == "" else act), path, text
            break
    for name in ("file_paths", "paths", "files"):
        for path in args.get(name) or () if isinstance(args.get(name), (list, tuple)) else ():
            if isinstance(path, str):
                yield act, path, None
    for name in _TARGETS if act in (Act.MOVE, Act.READ) else ():
        if isinstance(path := args.get(name), str):
            yield Act.WRITE, path, None


def _patched(patch: str) -> Iterator[tuple[Act, str, str | None]]:
    """Return what a patch does to which file, in either of the two notations."""
    headings = list(_HEADING.finditer(patch))
    for at, heading in enumerate(headings):
        kind, path = heading[1] or heading[3], heading[2] or heading[4]
        end = headings[at + 1].start() if at + 1 < len(headings) else len(patch)
        body = patch[heading.end() : end].splitlines() if kind == "Add" else []
        text = "\n".join(line[1:] for line in body if line[:1] == "+") if body else None
        yield _BY_HEADING[kind], path.strip(), text
    for found in _UNIFIED.finditer(patch):
        gone = found["gone"] is not None
        yield (Act.DELETE if gone else Act.WRITE), (found["old"] or found["new"]).strip(), None


def _effect(
    act: Act, call: Call, word: Arg, text: str | None, args: Mapping[str, Any], world: World
) -> Effect:
    value = word.value
    if value.startswith("~/"):
        value = world.home + value[1:]
    path = resolve(value, world.cwd)
    if text is None and act is Act.WRITE:
        text = _edited(path, args, world)
    return Effect(act=act, call=call, span=word.span, path=path, detail=text or "", forced=True)


def _edited(path: str, args: Mapping[str, Any], world: World) -> str | None:
    """Return the text that a file would hold after the edit, where it is known before."""
    edits = args.get("edits") if isinstance(args.get("edits"), list) else [args]
    if not path.endswith((".yaml", ".yml")) and not path.endswith("task.md"):
        return None
    text = world.text(path, LONGEST_FILE)
    if text is None or not all(isinstance(edit, Mapping) for edit in edits or ()):
        return None
    for edit in edits or ():
        old, new = edit.get("old_string"), edit.get("new_string")
        if not isinstance(old, str) or not isinstance(new, str) or old not in text:
            return None
        text = text.replace(old, new) if edit.get("replace_all") else text.replace(old, new, 1)
    return text
