"""The conversation is about to be shortened: what a summary would lose is written down first.

PreCompact  ->  pre-compact-backup.md in the run folder  ->  what to preserve, and where the rest is
"""

import logging
import re
from collections.abc import Iterable
from pathlib import Path

from snaphook.canon import PreCompact, PreCompactOutput
from snaphook.storage.files import move
from snaphook.stores.workspace.disk import write

from .files import opening
from .holding import held
from .notes import ContextCompacted
from .scope import EventScope

log = logging.getLogger("snaphook.essentials")

BACKUP = "pre-compact-backup.md"
MOST = 512_000
"""Bytes of a document that are kept."""
OPEN: dict[str, re.Pattern[str]] = {
    "Pending decisions": re.compile(
        r"pending decisions?|decisions? (?:to make|needed)|undecided", re.IGNORECASE
    ),
    "Open questions": re.compile(r"open questions?|questions?|unknowns?", re.IGNORECASE),
    "Blockers": re.compile(r"block(?:er|ed)s?|impediments?", re.IGNORECASE),
}
"""Headings under which runs keep what is not settled."""
_HEADING = re.compile(r"(?m)^#{1,6}[ \t]+(.+?)[ \t]*$")
DOCUMENTS = ("THOUGHTS.md", "DECISIONS.md")


def answer(event: PreCompact, scope: EventScope) -> PreCompactOutput | None:
    """Keep the run's reasoning, and say where it is."""
    scope.notebook.add(ContextCompacted(at=scope.now, trigger=event.trigger))
    number = scope.session.compactions  # read after the note: this one is counted
    task = held(scope.workspace.snapshot(entries=0), scope.identity) if scope.workspace else None
    status = f"{task.id}: {task.title} ({task.status})" if task else "no task claimed"
    _log(event, scope, number)
    run = scope.run_dir
    if run is None:
        return None
    texts = {name: opening(run / name, MOST) for name in DOCUMENTS}
    unsettled = {heading: gathered(texts.values(), pattern) for heading, pattern in OPEN.items()}
    path = run / BACKUP
    try:
        _set_aside(path, number)
        write(path, page(event, scope, number, status, unsettled, texts))
    except OSError as problem:
        log.warning("essentials: %s: could not be written: %s", path, problem)
        return None
    return PreCompactOutput(
        additional_context=_preserve(path, status, unsettled),
        preserve_context=(f"Task: {status}", f"Backup: {path}"),
        export_state={"backup": str(path), "compactions": number},
    )


def page(
    event: PreCompact,
    scope: EventScope,
    number: int,
    status: str,
    unsettled: dict[str, list[str]],
    texts: dict[str, str],
) -> str:
    """Return the backup."""
    identity = scope.identity
    lines = [
        f"# Before compaction {number}",
        "",
        f"- Run: {identity.run_id}",
        f"- Agent: {identity.agent_type} ({identity.mode})",
        f"- Reason: {_cause(event)}",
        f"- Task: {status}",
        f"- Files modified: {', '.join(scope.session.files) or 'none'}",
    ]
    for heading, rows in unsettled.items():
        lines += ["", f"## {heading}", *(rows or ["none noted"])]
    for name, text in texts.items():
        lines += ["", f"## {name}", "", text.strip() or "(nothing written yet)"]
    return "\n".join(lines) + "\n"


def gathered(texts: Iterable[str], pattern: re.Pattern[str]) -> list[str]:
    """Return the lines under the headings of *texts* that *pattern* fits."""
    found: list[str] = []
    for text in texts:
        marks = list(_HEADING.finditer(text))
        ends = [*(mark.start() for mark in marks), len(text)][1:]
        for mark, end in zip(marks, ends, strict=True):
            if pattern.search(mark[1]):
                found += [line for line in text[mark.end() : end].splitlines() if line.strip()]
    return found


def _set_aside(path: Path, number: int) -> None:
    """Keep the backup of the compaction before."""
    if path.exists():
        move(path, path.with_name(f"pre-compact-backup-{number - 1}.md"))


def _cause(event: PreCompact) -> str:
    if event.trigger != "auto":
        return (
            f"{event.trigger} ({event.custom_instructions})"
            if event.custom_instructions
            else event.trigger
        )
    used = f" ({event.current_token_count:,} tokens)" if event.current_token_count else ""
    return f"token limit{used}"


def _preserve(path: Path, status: str, unsettled: dict[str, list[str]]) -> str:
    rows = [
        f"Keep in the summary: task {status}. The full reasoning is in {path}; read it when in doubt."
    ]
    rows += [f"{heading}: {' '.join(lines)[:500]}" for heading, lines in unsettled.items() if lines]
    return "\n".join(rows)


def _log(event: PreCompact, scope: EventScope, number: int) -> None:
    if scope.workspace is None:
        return
    identity = scope.identity
    row = {
        "type": "compaction",
        "agent": identity.agent_type,
        "run_id": identity.run_id,
        "task_id": scope.session.task,
        "notes": _cause(event),
        "source": "hook",
        "data": {"trigger": event.trigger, "count": number},
    }
    scope.later("note", {"entries": [row]}, key=f"compact:{scope.session_id}:{scope.now}")
