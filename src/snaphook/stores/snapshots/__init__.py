"""A copy of what a command would destroy, taken before it runs.

work tree, index, branches  ->  Snapshot  ->  exactly the same again

What git knows of goes into git objects under a private ref; what git does not know, or was told to
ignore, into a trash addressed by content. Both are bounded in size and age.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .plan import Plan, contents, plan
    from .restore import NewerWork, Restored, restore
    from .shelf import Shelf
    from .take import CannotKeep, Risk, take
    from .values import Entry, Kind, Limits, Snapshot

__all__ = [
    "CannotKeep",
    "Entry",
    "Kind",
    "Limits",
    "NewerWork",
    "Plan",
    "Restored",
    "Risk",
    "Shelf",
    "Snapshot",
    "contents",
    "plan",
    "restore",
    "take",
]

_ROOMS = {
    "CannotKeep": "take",
    "Entry": "values",
    "Kind": "values",
    "Limits": "values",
    "NewerWork": "restore",
    "Plan": "plan",
    "Restored": "restore",
    "Risk": "take",
    "Shelf": "shelf",
    "Snapshot": "values",
    "contents": "plan",
    "plan": "plan",
    "restore": "restore",
    "take": "take",
}


def __getattr__(name: str) -> Any:
    """Load what is asked for: a hook that keeps nothing pays for nothing."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
