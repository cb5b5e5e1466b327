"""Who is really calling, where one host runs the hooks of another's settings file.

named host + payload + environment  ->  the host to answer

``.claude/settings.json`` is also executed by Copilot CLI, VS Code, Cursor and Grok: the same
command line, other tool names, other answers. The name on the command line stands unless the
payload clearly bears another's sign. Variables alone prove nothing: an agent started from inside
another inherits them.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

Sign = Callable[[Mapping[str, Any], Mapping[str, str]], bool]

_SIGNS: Mapping[str, Sign] = {
    "cursor": lambda payload, _: "cursor_version" in payload,
    "grok": lambda payload, _: "hookEventName" in payload and "workspaceRoot" in payload,
    "copilot-cli": lambda payload, env: (
        env.get("COPILOT_CLI") == "1"
        and "timestamp" in payload
        and "tool_use_id" not in payload
        and "turn_id" not in payload
    ),
    "vscode": lambda payload, env: (
        "COPILOT_CLI" not in env
        and isinstance(payload.get("timestamp"), str)
        and "hook_event_name" in payload
    ),
}
_ALSO_READ_BY: Mapping[str, tuple[str, ...]] = {
    "claude-code": ("cursor", "grok", "copilot-cli", "vscode"),
    "cursor": ("grok",),
    "copilot-cli": ("vscode",),
    "vscode": ("copilot-cli",),
}


def detect_host(named: str, wire: bytes, env: Mapping[str, str]) -> str:
    """Return the host that sent *wire* to the hook installed for *named*."""
    readers = _ALSO_READ_BY.get(named, ())
    if not readers or not _may_bear_one(wire):
        return named
    try:
        payload = msgspec.json.decode(wire)
    except (ValueError, RecursionError):
        return named
    if not isinstance(payload, dict):
        return named
    return next((host for host in readers if _SIGNS[host](payload, env)), named)


def _may_bear_one(wire: bytes) -> bool:
    """Say whether *wire* is worth reading: without one of these words in it there is no sign.

    A letter that is spelled as a number may be part of any of them.
    """
    return (
        b"cursor_version" in wire
        or b"hookEventName" in wire
        or b"timestamp" in wire
        or b"\\u" in wire
    )
