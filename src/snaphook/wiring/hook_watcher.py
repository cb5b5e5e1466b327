"""The process that watches one background hook.

WatchedHook on stdin  ->  the hook runs  ->  its end in the record, and in async-hooks.log

What the record needs is imported when the hook has ended: a watcher may wait for minutes, and there may
be many.
"""

import sys
from pathlib import Path
from time import time

from snaphook.canon.hook_runs import RecordedRun
from snaphook.process.background import launch
from snaphook.process.values import Completed

from .background_hooks import LOG, WatchedHook, unpacked


def main() -> None:
    """Run the hook that stdin describes, and record how it ended."""
    watched = unpacked(sys.stdin.buffer.read())
    started = launch(watched.command)
    completed = started if isinstance(started, Completed) else started.wait()
    keep_end(watched, completed, now=time())


def keep_end(watched: WatchedHook, completed: Completed, *, now: float) -> None:
    """Write down how *watched* ended: the record first, which people may search and must trust."""
    from msgspec.structs import replace

    from snaphook.providers.commands.results import recorded_run

    from .recording import hook_end, keep_records, scrubber

    data_dir = Path(watched.data_dir)
    run = replace(recorded_run(watched.hook, completed), run=watched.run)
    record = hook_end(watched.origin, run, scrubber(data_dir), now=now)
    problem = ""
    if watched.log.enabled:
        try:
            keep_records([record], watched.log, data_dir)
        except Exception as error:  # noqa: BLE001 - nobody hears us but the log
            problem = f"The end was not recorded: {error}\n"
    (kept,) = record.hooks
    _append(data_dir / LOG, _text(watched.origin.event, kept, now=now) + problem)


def _append(log: Path, text: str) -> None:
    from snaphook.storage.logs import append_text

    append_text(log, text)


def _text(event: str, run: RecordedRun, *, now: float) -> str:
    """Return *run* for people: a line about it, then what it printed."""
    from datetime import UTC, datetime

    when = datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
    head = f"{when} hook '{run.hook}' on {event}: {run.ended}, {run.duration_ms:.0f} ms"
    parts = (run.failure, run.stdout, run.stderr)
    return "\n".join([head, *(part.rstrip("\n") for part in parts if part)]) + "\n"


if __name__ == "__main__":
    main()
