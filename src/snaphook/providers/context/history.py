"""What happened here lately, as the event log has it.

log folder + project  ->  "Fix the parser. -> Done, two tests added."

Only the end of each stream is read: this happens while a session starts.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from snaphook.stores.eventlog.record import Record

TAIL = 400_000
"""Bytes read of each stream."""
_LONGEST = 300


def history(folder: Path, project: str, limit: int) -> list[str]:
    """Return the last *limit* prompts of *project*, each with the agent's last words, oldest first."""
    found = sorted(_records(folder, project), key=lambda record: record.time)
    asked: dict[str, str] = {}
    told: list[str] = []
    for record in found:
        if record.event == "UserPromptSubmit" and record.verdict != "deny":
            asked[record.session] = _short(record.input.get("prompt"))
        elif prompt := asked.pop(record.session, ""):
            answer = _short(record.input.get("last_assistant_message"))
            told.append(f"- {prompt}" + (f" -> {answer}" if answer else ""))
    return told[-limit:] if limit else []


def _records(folder: Path, project: str) -> Iterator[Record]:
    from snaphook.stores.eventlog.audit import streams
    from snaphook.stores.eventlog.read import decoded
    from snaphook.stores.eventlog.segment import lines

    with suppress(OSError):
        for stream in streams(folder):
            for path in sorted(stream.glob("*.log"))[-1:]:
                start = max(0, path.stat().st_size - TAIL)
                for record in decoded(lines(path, start)):
                    here = f"{record.project}/".startswith(f"{project}/")
                    if here and record.event in ("UserPromptSubmit", "Stop"):
                        yield record


def _short(text: object) -> str:
    said = " ".join(str(text or "").split())
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"
