"""One value out of a hook's JSON, without click: recipes ask for it on every tool call.

stdin + path  ->  stdout, exit status
"""

import json
import sys
from typing import Any

SHORT: dict[str, tuple[str, ...]] = {
    "file": (
        "tool_input.file_path",
        "tool_input.notebook_path",
        "tool_input.path",
        "tool_input.filePath",
        "file_path",
    ),
    "command": ("tool_input.command",),
    "prompt": ("prompt", "user_prompt"),
    "content": ("tool_input.content", "tool_input.new_string", "tool_input.new_source"),
}
"""Words for what hosts and dialects call differently."""


def main(path: str) -> int:
    """Print the value at *path* of the JSON on stdin; return 1 where there is none."""
    found = field(sys.stdin.buffer.read(), path)
    if found is None:
        return 1
    if sys.stdout.isatty():  # a hook reads the value as it is; a terminal would obey it
        from snaphook.printable import printable

        found = printable(found)
    sys.stdout.write(f"{found}\n")
    return 0


def field(raw: bytes, path: str) -> str | None:
    """Return what stands at *path*: a text as it is, anything else as JSON, None for nothing."""
    try:
        event = json.loads(raw or b"{}")
    except (ValueError, RecursionError):
        return None
    for one in SHORT.get(path, (path,)):
        found = _look(event, one)
        if found is not None and found != "":
            return found if isinstance(found, str) else json.dumps(found)
    return None


def _look(value: Any, path: str) -> Any:
    for name in path.split("."):
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value
