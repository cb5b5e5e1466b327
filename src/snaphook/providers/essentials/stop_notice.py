"""What people are told when an agent stops.

StopFacts + Metrics  ->  Notice        Pure.
"""

from pathlib import Path

from snaphook.notify.notice import Notice
from snaphook.stores.workspace import Task
from snaphook.stores.workspace.runs import OPTIONAL, REQUIRED, is_filled

from .completion import Completion
from .metrics import Metrics
from .stop import StopFacts

TITLE = "BB5 Agent Activity"


def stop_notice(
    ended: StopFacts, task: Task | None, found: Completion | None, metrics: Metrics
) -> Notice:
    """Return the notice of a stop: who, where, how long, what came of it, where to look."""
    identity = ended.identity
    run = Path(identity.run_dir) if identity.run_dir else None
    documents = (*REQUIRED, *OPTIONAL)
    written = sum(is_filled(run / name) for name in documents) if run else 0
    return Notice(
        event="stop",
        title=TITLE,
        facts={
            "": {
                "Agent": identity.agent_type,
                "Project": identity.project,
                "Run": identity.run_id,
            },
            "Session": {
                "Duration": spelled(metrics.seconds),
                "Tokens": f"{metrics.tokens:,}" if metrics.tokens else "",
                "Task": f"{task.id}: {task.title}" if task else "",
                "Status": found.status.value if found else "",
                "Blocker": found.reason if found else "",
            },
            "Progress": {
                "Files modified": str(len(metrics.files)),
                "Documentation": f"{written}/{len(documents)} files" if run else "",
            },
        },
        links=(run.as_uri(),) if run and run.is_absolute() else (),
        seconds=metrics.turn_seconds,
        made=ended.at,
    )


def spelled(seconds: float) -> str:
    """Return how long that is, as people say it."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}h {minutes}m"
    return f"{minutes}m {rest}s" if minutes else f"{rest}s"
