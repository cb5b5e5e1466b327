"""The shell's own commands: those that change where the shell stands.

Call + Frame  ->  Frame

Each returns what it prints, or `None` when a program of that name should be looked up too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from snaphook.providers.guard.facts import Call
from snaphook.providers.guard.paths import resolve
from snaphook.providers.guard.text import UNKNOWN
from snaphook.providers.guard.understand.state import Frame

if TYPE_CHECKING:
    from snaphook.providers.guard.understand.evaluate import Evaluator

Builtin = Callable[["Evaluator", Call, Frame], str | None]


def cd(_guard: Evaluator, call: Call, frame: Frame) -> str:
    """Change the directory; without a word, go home."""
    target = next((arg.value for arg in call.operands), None)
    if target is None:
        home = frame.get("HOME")
        frame.enter(home if isinstance(home, str) else UNKNOWN)
    elif target == "-":
        old = frame.get("OLDPWD")
        frame.enter(old if isinstance(old, str) else UNKNOWN)
    else:
        frame.enter(resolve(target, frame.cwd))
    return ""


BUILTINS: Mapping[str, Builtin] = {
    "cd": cd,
}
