"""Set variables, arrays, and places of arrays.

name=value  ->  Frame
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from snaphook.shell.evaluation import expand
from snaphook.shell.evaluation.follow import shell_text
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Span
from snaphook.shell.syntax.tree import Simple
from snaphook.shell.text import UNKNOWN

if TYPE_CHECKING:
    from snaphook.shell.evaluation.evaluate import Evaluator

_RUN_LATER = frozenset({"PROMPT_COMMAND"})
"""Variables whose text the shell runs by itself."""


def assignments(guard: Evaluator, node: Simple, frame: Frame, *, lasting: bool) -> dict[str, str]:
    """Carry out the assignments before a command; those without a command last."""
    assigned: dict[str, str] = {}
    for one in node.assignments:
        guard.assigned.add((one.name, lasting))
        values = expand.array(one.value, frame, guard.run)
        if values is None:
            text = expand.single(one.value, frame, guard.run)
            if one.appends:
                held = frame.get(one.name)
                text = (held if isinstance(held, str) else UNKNOWN) + text
            assigned[one.name] = guard.bounded(text)
        if one.name in _RUN_LATER and assigned.get(one.name):
            shell_text(guard, assigned[one.name], frame.copy(), Span(one.start, one.end))
        if lasting:
            assign(
                frame,
                one.name,
                assigned[one.name] if values is None else values,
                index=one.index,
                appends=one.appends,
            )
    return assigned


def assign(
    frame: Frame,
    name: str,
    value: str | tuple[str, ...],
    *,
    index: str = "",
    appends: bool = False,
) -> None:
    """Set a variable, an array, or one place of an array."""
    target = frame.variables.get(f"&{name}")
    if isinstance(target, str):
        name = target
    held = frame.get(name)
    if isinstance(value, tuple):
        before = held if isinstance(held, tuple) and appends else ()
        frame.variables[name] = before + value
    elif index and index.isdigit() and isinstance(held, tuple) and int(index) <= len(held):
        frame.variables[name] = (*held[: int(index)], value, *held[int(index) + 1 :])
    elif index:
        frame.variables[name] = (value,) if index == "0" else (UNKNOWN, value)
    else:
        frame.variables[name] = value
