"""What a run cost and changed.

notes + transcript  ->  Metrics  ->  metadata.yaml of the run
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from snaphook.stores.workspace import Workspace
from snaphook.stores.workspace.round_trip import changed

from .completion import Completion
from .notes import SessionFacts
from .stop import StopFacts
from .transcript import TranscriptEnd

METADATA = "metadata.yaml"


class Metrics(Struct, frozen=True, kw_only=True):
    """The figures of one session."""

    seconds: float
    turn_seconds: float
    """Since the agent was last given something to do."""
    tokens: int | None
    files: tuple[str, ...]
    tools: int
    failures: int
    status: str
    """COMPLETE, PARTIAL, BLOCKED; nothing where the agent did not say."""

    def as_data(self) -> dict[str, Any]:
        """Return them for a row of the log."""
        return {
            "duration_seconds": round(self.seconds),
            "tokens": self.tokens,
            "files_modified": len(self.files),
            "tool_calls": self.tools,
            "tool_failures": self.failures,
            "success": self.status == "COMPLETE",
        }


def measured(
    ended: StopFacts, session: SessionFacts, said: TranscriptEnd, found: Completion | None
) -> Metrics:
    """Return the figures of the session that *ended*."""
    return Metrics(
        seconds=max(0.0, ended.at - ended.began if ended.seconds is None else ended.seconds),
        turn_seconds=max(0.0, ended.at - ended.prompted),
        tokens=said.tokens or None,
        files=session.files,
        tools=session.tools,
        failures=len(session.failures),
        status=found.status.value if found else "",
    )


def with_metrics(
    run: Path | None, place: Workspace, metrics: Metrics, ended: StopFacts, task_id: str
) -> Iterator[tuple[Path, str]]:
    """Yield the run's metadata with its figures, where it has such a file inside the workspace."""
    path = run / METADATA if run else None
    if path is None or not path.is_file() or not path.is_relative_to(place.layout.root):
        return
    text = path.read_text(encoding="utf-8")

    def fill(held: Any) -> None:
        about = held.setdefault("run", {})
        about["timestamp_end"] = datetime.fromtimestamp(ended.at, UTC).isoformat(timespec="seconds")
        about["duration_seconds"] = round(metrics.seconds)
        state = held.setdefault("state", {})
        state["files_modified"] = list(metrics.files)
        results = held.setdefault("results", {})
        results["tokens"] = metrics.tokens
        results["tool_calls"] = metrics.tools
        if metrics.status:
            results["status"] = metrics.status
            state["task_status"] = metrics.status.lower()
        if metrics.status == "COMPLETE" and task_id:
            results["tasks_completed"] = [task_id]

    yield path, changed(text, fill, where=path)
