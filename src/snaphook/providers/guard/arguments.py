"""A call of a tool that nobody knows, as calls of tools that are known: told by its arguments.

team_shell(commands=[…], workdir=…)  ->  Bash(command=…, cwd=…)

Hosts add tools faster than anybody lists them, and an MCP server may call its shell what it likes. What
matters is what a call hands over: a command line, a path with a text for it, a path alone. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from snaphook.lazy import regex

Equivalent = tuple[str, dict[str, Any]]

KNOWN = frozenset(
    {
        "Agent", "AskUserQuestion", "Bash", "BashOutput", "Edit", "EnterPlanMode", "ExitPlanMode", "Glob",
        "Grep", "LS", "MultiEdit", "NotebookEdit", "NotebookRead", "PowerShell", "Read", "Skill",
        "SlashCommand", "Task", "TaskCreate", "TaskOutput", "TaskStop", "TaskUpdate", "TodoWrite",
        "ToolSearch", "WebFetch", "WebSearch", "Workflow", "Write",
    }
)  # fmt: skip
"""Tools whose arguments mean what their names say."""
_COMMANDS = (
    "command", "cmd", "commands", "cmds", "command_line", "commandLine", "CommandLine", "shell_command",
    "shellCommand", "bash_command", "bashCommand", "run_command",
)  # fmt: skip
_CODE = ("script", "code", "source_code")
_TYPED = ("chars", "keys", "stdin", "input", "input_text", "text", "data")
_FOLDERS = (
    "cwd",
    "workdir",
    "working_dir",
    "working_directory",
    "workingDirectory",
    "dir_path",
    "Cwd",
)
_PATHS = (
    "path", "file_path", "filePath", "file", "filename", "fileName", "file_name", "target_file",
    "targetFile", "TargetFile", "absolute_path", "AbsolutePath", "notebook_path", "output_path",
    "outputPath", "destination", "dest", "uri",
)  # fmt: skip
_LISTS = ("paths", "files", "file_paths", "filePaths", "edits", "operations", "changes")
_CONTENTS = (
    "content", "contents", "file_text", "text", "new_text", "newText", "new_string", "newString",
    "new_str", "replacement", "CodeContent", "code_edit", "insert", "insert_text",
)  # fmt: skip
_INNER = ("arguments", "args", "input", "parameters", "params", "tool_input", "toolInput", "kwargs")
_INNER_LISTS = ("tool_calls", "toolCalls", "calls", "steps", "batch", "invocations")
_NAMES = ("tool", "tool_name", "toolName", "name", "recipient_name")
_ELSEWHERE = frozenset(
    {"url", "endpoint", "host", "method", "repo", "owner", "bucket", "container"}
)
"""Beside one of these a path is not one of this machine."""
_WORDS = regex(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SHELLS = frozenset(
    {
        "bash",
        "sh",
        "zsh",
        "shell",
        "terminal",
        "console",
        "tmux",
        "pty",
        "command",
        "stdin",
        "process",
    }
)
_LANGUAGES = {
    "python": "python3 -c", "python3": "python3 -c", "py": "python3 -c",
    "javascript": "node -e", "js": "node -e", "node": "node -e", "typescript": "node -e",
    "ruby": "ruby -e", "perl": "perl -e", "php": "php -r",
    "powershell": "pwsh -Command", "pwsh": "pwsh -Command",
    **dict.fromkeys(("bash", "sh", "zsh", "shell"), ""),
}  # fmt: skip
_DELETES = frozenset({"delete", "remove", "rm", "unlink", "trash", "erase"})
_MOVES = frozenset({"move", "rename", "mv"})
_DEEPEST = 4


def equivalents(tool: str, args: Mapping[str, Any], depth: int = 0) -> Iterator[Equivalent]:
    """Yield what a call of *tool* comes to in the words of tools that rules know; maybe nothing."""
    if depth > _DEEPEST:
        return
    words = frozenset(word.lower() for word in _WORDS.findall(tool.rpartition("__")[2]))
    folder = {"cwd": where} if (where := _first(args, _FOLDERS)) else {}
    for command in _commands(args, words):
        yield "Bash", {"command": command, **folder}
    if not _ELSEWHERE & args.keys():
        yield from _files(args, words)
    yield from _inside(args, depth)


def _commands(args: Mapping[str, Any], words: frozenset[str]) -> Iterator[str]:
    for name in _COMMANDS:
        value = args.get(name)
        if isinstance(value, str):
            yield _with_arguments(value, args)
        elif isinstance(value, list) and all(isinstance(one, str) for one in value):
            # 'command' as a list is the words of one; 'commands' are several, each whole.
            yield "\n".join(value) if name.endswith("s") else _quoted(value)
        elif isinstance(value, list):
            for one in value:
                if isinstance(one, Mapping):
                    yield from _commands(one, words)
    if (code := _first(args, _CODE)) is not None:
        language = str(args.get("language") or args.get("lang") or "").lower()
        spoken = [language] if language else sorted(words)
        known = next((_LANGUAGES[one] for one in spoken if one in _LANGUAGES), None)
        if known is not None:
            yield f"{known} {_quoted([code])}" if known else code
    if words & _SHELLS and (typed := _first(args, _TYPED)) is not None:
        yield typed


def _with_arguments(command: str, args: Mapping[str, Any]) -> str:
    """Return a program with the words it is given beside it, as some terminals take them."""
    rest = args.get("args", args.get("arguments"))
    if isinstance(rest, list) and rest and all(isinstance(one, str) for one in rest):
        return f"{command} {_quoted(rest)}"
    return command


def _quoted(words: list[str]) -> str:
    from shlex import join  # few calls hand over words

    return join(words)


def _files(args: Mapping[str, Any], words: frozenset[str]) -> Iterator[Equivalent]:
    for part in (args, *_parts(args)):
        path = _first(part, _PATHS)
        if path is None or ("://" in path and not path.startswith("file://")):
            continue
        place = {"path": path.removeprefix("file://")}
        text = next((part[key] for key in _CONTENTS if isinstance(part.get(key), str)), None)
        if words & _DELETES:
            yield "delete_file", place
        elif text is not None:
            yield "write_file", place | {"content": text}
        elif words & _MOVES:
            yield "move_file", dict(part)
        else:
            yield _by_verb(words), place


def _by_verb(words: frozenset[str]) -> str:
    writes = {
        "write",
        "create",
        "edit",
        "update",
        "append",
        "insert",
        "replace",
        "save",
        "put",
        "upload",
    }
    return "write_file" if words & writes else "read_file"


def _parts(args: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for name in _LISTS:
        for one in args.get(name) or () if isinstance(args.get(name), list) else ():
            if isinstance(one, Mapping):
                yield one
            elif isinstance(one, str):
                yield {"path": one, **{key: args[key] for key in _CONTENTS if key in args}}


def _inside(args: Mapping[str, Any], depth: int) -> Iterator[Equivalent]:
    """Yield what a call within the call comes to: a tool that calls tools, a batch of calls."""
    for name in _INNER:
        if isinstance(inner := args.get(name), Mapping):
            called = _first(args, _NAMES) or ""
            yield called, dict(inner)
            yield from equivalents(called, inner, depth + 1)
    for name in _INNER_LISTS:
        for one in args.get(name) or () if isinstance(args.get(name), list) else ():
            if isinstance(one, Mapping):
                yield from equivalents(_first(one, _NAMES) or "", one, depth + 1)


def _first(args: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    for name in names:
        if isinstance(value := args.get(name), str) and value:
            return value
    return None
