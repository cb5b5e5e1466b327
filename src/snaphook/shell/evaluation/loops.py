"""Loops that start something aside on every turn and never end.

Loop  ->  whether it fills the machine
"""

from __future__ import annotations

from snaphook.shell.syntax.tree import Loop, Script, Simple, Test

_TRUE = frozenset(
    {"true", ":", "/bin/true", "/usr/bin/true", "[", "false", "/bin/false", "/usr/bin/false"}
)
_CONSTANT = frozenset({"true", "1", "]", "[", ":", "false", "/bin/true", "/usr/bin/true"})

_PAUSES = frozenset({"wait", "break", "exit", "return"})


def starts_without_end(loop: Loop) -> bool:
    """Say whether *loop* never ends and leaves something running at each turn."""
    return _endless(loop.condition) and _leaves_running(loop.body)


def _endless(condition: Script) -> bool:
    if len(condition.items) != 1:
        return False
    command = condition.items[0].command
    if isinstance(command, Test):
        text = "".join(word.bare or _plain(word.parts) for word in command.words)
        return text.strip() in ("1", "true", "") or ";;" in text.replace(" ", "")
    if not isinstance(command, Simple) or not command.words:
        return False
    words = [word.bare or "?" for word in command.words]
    return words[0] in _TRUE and all(
        word in _CONSTANT or word in ("/bin/false", "/usr/bin/false") for word in words
    )


def _plain(parts: tuple[object, ...]) -> str:
    return "".join(str(getattr(part, "value", "?")) for part in parts)


def _leaves_running(body: Script) -> bool:
    """Say whether something is started aside at each turn, and nothing waits or leaves."""
    first = [
        item.command.words[0].bare
        for item in body.items
        if isinstance(item.command, Simple) and item.command.words and not item.background
    ]
    return any(item.background for item in body.items) and not _PAUSES & {*first}
