"""What a record is about, in a line.

Record  ->  "git push --force origin main"
"""

from collections.abc import Mapping
from typing import Any

from snaphook.stores.eventlog.reason import why_line
from snaphook.stores.eventlog.record import Record

TELLING = ("command", "file_path", "path", "url", "query", "pattern", "prompt", "message")
OTHERS = ("task", "error", "agent_name", "reason", "source", "last_assistant_message", "wire")
LONGEST = 300


def subject(record: Record) -> str:
    """Return what *record* was about, shortened to a line; empty where it does not say."""
    args = arguments(record)
    for table, names in ((args, TELLING), (record.input, (*TELLING, *OTHERS))):
        for name in names:
            if isinstance(value := table.get(name), str) and value:
                return one_line(value)
    return one_line(str(next(iter(args.values())))) if args else ""


def arguments(record: Record) -> Mapping[str, Any]:
    """Return the arguments of the tool that was called."""
    found = record.input.get("tool_args")
    return found if isinstance(found, dict) else {}


def gist(reason: str) -> str:
    """Return the line of *reason* that says why."""
    return one_line(why_line(reason))


def one_line(text: str, most: int = LONGEST) -> str:
    """Return *text* on a line of at most so many characters."""
    flat = " ".join(text[: most * 4].split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
