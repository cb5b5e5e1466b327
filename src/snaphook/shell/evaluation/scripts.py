"""Files of code that a command runs: what they hold, or why nobody has read them.

File  ->  its text, or an Unknown
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from snaphook.shell import limits
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Call, File
from snaphook.shell.gaps import Gap, Unknown
from snaphook.shell.limits import PastLimit
from snaphook.shell.text import is_known, show

if TYPE_CHECKING:
    from snaphook.shell.evaluation.evaluate import Evaluator

_TASK_FILES = frozenset({"make", "just", "taskfile", "scripts", "module", "import"})


def on_disk(guard: Evaluator, action: File, call: Call, frame: Frame) -> str | None:
    """Return the text of a script that lies on disk, unless it was followed already.

    A file that is there and was not read is noted as unknown; one that is not there runs nothing.
    """
    run = (action.path, *(arg.value for arg in action.args))
    if run in guard.read:
        return None
    guard.read.add(run)
    if not is_known(action.path):
        skip(guard, call, action, "the file is known only at run time")
    elif frame.remote:
        skip(guard, call, action, "it lies on another machine")
    elif not guard.reads:
        skip(guard, call, action, "the settings say that scripts are not read")
    elif (text := frame.world.text(action.path, limits.LONGEST_SCRIPT)) is not None:
        return text
    elif (text := frame.world.beginning(action.path, limits.LONGEST_SCRIPT)) is not None:
        skip(guard, call, action, f"only the first {limits.LONGEST_SCRIPT} characters were read")
        return text[: text.rfind("\n") + 1] or text
    elif frame.world.kind(action.path) is not None:
        skip(guard, call, action, "not text")
    elif any(action.path.startswith(f"{place}/") for place in guard.unpacked):
        guard.opaque(call, action.span, f"{show(action.path)}, which it unpacks from a download")
    elif action.language not in _TASK_FILES:  # of those one of several names is there
        skip(guard, call, action, "not there yet")
    return None


@contextmanager
def bounded(guard: Evaluator, call: Call, action: File) -> Iterator[None]:
    """Follow a script on disk up to a limit of its own; what lies beyond is unread, not denied.

    Whoever runs a long script did not write it for this call.
    """
    steps, effects = guard.steps, len(guard.effects)
    outer = guard.most_steps, guard.most_effects
    guard.most_steps = steps + limits.MOST_STORED_STEPS
    guard.most_effects = effects + limits.MOST_EFFECTS
    try:
        yield
    except PastLimit as limit:
        if not any(one.path == action.path for one in guard.unread):
            skip(guard, call, action, f"it {limit.what}, so the rest was not read")
    finally:
        guard.steps = steps + 1
        guard.most_steps = outer[0]
        guard.most_effects = outer[1] + len(guard.effects) - effects


def skip(guard: Evaluator, call: Call, action: File, why: str) -> None:
    """Note that a file of code runs that was not read, and why not."""
    what = f"{show(action.path)}: {why}"
    gap = Unknown(
        gap=Gap.UNREAD, what=what, span=action.span, program=call.program, path=action.path
    )
    guard.unread.append(gap)
