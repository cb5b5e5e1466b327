"""A copy of what a command would destroy, taken before it runs.

work tree, index, branches  ->  Snapshot  ->  exactly the same again

What git knows of goes into git objects under a private ref; what git does not know, or was told to
ignore, into a trash addressed by content. Both are bounded in size and age.
"""

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
