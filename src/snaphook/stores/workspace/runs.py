"""Run folders: what one agent wrote down in one run.

runs/<agent type>/[active|completed/]<run id>/  <->  Run
"""

import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from snaphook.errors import StoreError
from snaphook.storage.files import move, write_new
from snaphook.storage.folders import sync_folder

from .faults import point
from .layout import Layout, safe_name
from .moments import spelled
from .write_yaml import scalar

REQUIRED = ("THOUGHTS.md", "RESULTS.md", "DECISIONS.md", "LEARNINGS.md")
OPTIONAL = ("ASSUMPTIONS.md",)
METADATA = "metadata.yaml"
UNFILLED = "<!-- RALF_TEMPLATE: UNFILLED -->"
STATES = ("active", "completed", "archived")
_RUN = re.compile(r"run-\d{8}-\d{6}\S*|\S*run\S*")
_TITLES: Mapping[str, str] = {
    "THOUGHTS.md": "Thoughts",
    "RESULTS.md": "Results",
    "DECISIONS.md": "Decisions",
    "LEARNINGS.md": "Learnings",
    "ASSUMPTIONS.md": "Assumptions",
}


class RunFolder(Struct, frozen=True, kw_only=True):
    """One run folder."""

    id: str
    agent_type: str
    folder: Path
    state: str = ""
    """``active``, ``completed``, or nothing where runs are not sorted so."""

    @property
    def written(self) -> tuple[str, ...]:
        """Return the documents that somebody has filled in."""
        return tuple(name for name in (*REQUIRED, *OPTIONAL) if is_filled(self.folder / name))

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the documents that ought to be there and say nothing."""
        return tuple(name for name in REQUIRED if name not in self.written)


def new_run_id(now: float, task_id: str = "") -> str:
    """Return an id that no other run has, readable and in the order of time."""
    moment = datetime.fromtimestamp(now, UTC).strftime("run-%Y%m%d-%H%M%S")
    unique = f"{moment}-{secrets.token_hex(2)}"
    return f"{unique}-{safe_name(task_id, 'a task id')}" if task_id else unique


def start_run(
    layout: Layout,
    *,
    run_id: str,
    agent_type: str,
    now: float,
    project: str = "",
    task_id: str = "",
    parent_run: str = "",
) -> RunFolder:
    """Make a run's folder with everything in it, or find the one that is there.

    It is filled under another name and renamed: a folder that exists is a complete one.
    """
    kind = safe_name(agent_type or "unknown", "an agent type")
    folder = layout.runs / kind / "active" / safe_name(run_id, "a run id")
    if (found := find_run(layout, run_id)) is not None:
        return found
    staged = folder.with_name(f".{run_id}.{os.getpid()}.new")
    try:
        staged.mkdir(parents=True)
        for name in (*REQUIRED, *OPTIONAL):
            head = f"# {_TITLES[name]}: {run_id}\n\n{UNFILLED}\n"
            # Headings alone: syncing eight files would hold up every session's start.
            write_new(staged / name, head.encode(), mode=0o644, durable=False)
        meta = _metadata(run_id, kind, spelled(now), project, task_id, parent_run)
        write_new(staged / METADATA, meta.encode(), mode=0o644)
        write_new(staged / ".hook_initialized", f"{spelled(now)}\n".encode(), mode=0o644)
        sync_folder(staged)
        point("run staged")
        move(staged, folder)
    except OSError as error:
        shutil.rmtree(staged, ignore_errors=True)
        if folder.is_dir():  # somebody else was faster
            return RunFolder(id=run_id, agent_type=kind, folder=folder, state="active")
        raise StoreError(
            where=str(folder),
            what=f"cannot be made ({error.strerror})",
            fix="Nothing was left behind. Check the folder's permissions and disk space.",
        ) from error
    return RunFolder(id=run_id, agent_type=kind, folder=folder, state="active")


def find_run(layout: Layout, run_id: str) -> RunFolder | None:
    """Return the run called *run_id*, wherever its folder is."""
    safe_name(run_id, "a run id")
    if (layout.runs / run_id).is_dir():
        return RunFolder(id=run_id, agent_type="unknown", folder=layout.runs / run_id)
    for kind in _folders(layout.runs):
        for state in ("", *STATES):
            folder = layout.runs / kind / state / run_id
            if folder.is_dir():
                return RunFolder(id=run_id, agent_type=kind, folder=folder, state=state)
    return None


def all_runs(layout: Layout, agent_type: str = "") -> Iterator[RunFolder]:
    """Yield the runs, the latest first within each type of agent."""
    kinds = [agent_type] if agent_type else _folders(layout.runs)
    for kind in kinds:
        if kind.startswith("run-"):
            yield RunFolder(id=kind, agent_type="unknown", folder=layout.runs / kind)
            continue
        for name in sorted(_folders(layout.runs / kind), reverse=True):
            here = layout.runs / kind / name
            if name in STATES:
                for run in sorted(_folders(here), reverse=True):
                    yield RunFolder(id=run, agent_type=kind, folder=here / run, state=name)
            elif _RUN.fullmatch(name):
                yield RunFolder(id=name, agent_type=kind, folder=here)


def runs_of_task(layout: Layout, task_id: str) -> list[RunFolder]:
    """Return the runs in which *task_id* was worked on, the latest first."""
    named = [run for run in all_runs(layout) if run.id.endswith(f"-{task_id}")]
    return sorted(named, key=lambda run: run.id, reverse=True)


def is_filled(path: Path) -> bool:
    """Say whether the document at *path* says anything beyond its heading and template."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    if UNFILLED in text or "FILL_ME" in _without_code(text):
        return False
    return any(line.strip() and not line.startswith("#") for line in text.splitlines())


def _without_code(text: str) -> str:
    return re.sub(r"(?ms)^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`", "", text)


def _folders(folder: Path) -> Sequence[str]:
    try:
        with os.scandir(folder) as found:
            return [e.name for e in found if e.is_dir() and not e.name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _metadata(*told: str) -> str:
    run_id, kind, now, project, task, parent = map(_said, told)
    return f"""\
run:
  id: {run_id}
  project: {project}
  agent: {kind}
  timestamp_start: {now}
  timestamp_end: null
  duration_seconds: null
  parent_run_id: {parent}
state:
  task_claimed: {task}
  task_status: {"in_progress" if task != "null" else "null"}
  files_modified: []
  commit_hash: null
results:
  status: null
  summary: null
  tasks_completed: []
  tasks_created: []
  blockers: []
"""


def _said(value: Any) -> str:
    return scalar(value or None)
