"""Whether a host lets a call be changed.

ToolEvent + HookContext  ->  yes or no

A rewrite that a host does not take becomes a question or a refusal, so who rewrites asks first.
"""

from snaphook.canon import HookContext, ToolEvent, Verdict

from .reading import EVENT_NAMES
from .table import HOSTS, host_named

ASKS_ABOUT_PATHS = frozenset(("copilot-cli",))
"""Hosts that ask about every program outside the project, even where all tools are allowed.

Copilot CLI compares the paths in a command with the directories it may use, so a call that begins with
the path of our helper needs a person, and is refused where there is none (seen with 1.0.102). A bare name
on PATH is not asked about.
"""


def asks_about_paths(context: HookContext) -> bool:
    """Say whether a rewritten call must not name a path outside the project."""
    return context.host in ASKS_ABOUT_PATHS


def can_modify(event: ToolEvent, context: HookContext) -> bool:
    """Say whether the arguments of *event* can be changed; embedded agents take what they are given."""
    if not context.host:
        return True
    if context.host not in HOSTS:
        return False
    can = host_named(context.host).CAN.get(event.extra.get(EVENT_NAMES[0], event.event_name))
    if can is None:
        return False
    able = can.unattended if context.headless and can.unattended is not None else can.say
    return Verdict.MODIFY in able
