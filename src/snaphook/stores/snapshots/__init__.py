"""A copy of what a command would destroy, taken before it runs.

work tree, index, branches  ->  Snapshot  ->  exactly the same again

What git knows of goes into git objects under a private ref; what git does not know, or was told to
ignore, into a trash addressed by content. Both are bounded in size and age.
"""

from typing import TYPE_CHECKING

from snaphook.lazy import exports

if TYPE_CHECKING:
    from .plan import RestorePlan, contents, plan
    from .restore import NewerWork, Restored, restore
    from .store import SnapshotStore
    from .take import CannotKeep, Risk, take
    from .values import EntryKind, Snapshot, SnapshotEntry, SnapshotLimits

__all__ = [
    "CannotKeep",
    "EntryKind",
    "NewerWork",
    "RestorePlan",
    "Restored",
    "Risk",
    "Snapshot",
    "SnapshotEntry",
    "SnapshotLimits",
    "SnapshotStore",
    "contents",
    "plan",
    "restore",
    "take",
]

_MODULES = {
    "CannotKeep": "take",
    "SnapshotEntry": "values",
    "EntryKind": "values",
    "SnapshotLimits": "values",
    "NewerWork": "restore",
    "RestorePlan": "plan",
    "Restored": "restore",
    "Risk": "take",
    "SnapshotStore": "store",
    "Snapshot": "values",
    "contents": "plan",
    "plan": "plan",
    "restore": "restore",
    "take": "take",
}

__getattr__ = exports(__name__, _MODULES)
