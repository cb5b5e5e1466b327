"""A process beside the daemon that maintains the record, so that no answer waits for it.

words on stdin  ->  a ``LogMaintenance`` for each folder  ->  shipped, packed, sealed

Shipping a record takes a fifth of what deciding takes, and two threads of one process take turns; two
processes do not. It lives as long as its stdin: a daemon that is killed leaves nobody behind, and
what it wrote is still shipped.
"""

import contextlib
import logging
import os
import signal
from collections.abc import Iterable
from pathlib import Path

import msgspec

from snaphook.storage.logs import PrivateWatchedFileHandler

from .log_maintenance import LogMaintenance
from .worker_messages import WorkerConfig, WorkerMessage

log = logging.getLogger("snaphook.daemon")

MODEST = 5
"""How much the daemon and whoever asks it go before us."""


def serve(lines: Iterable[bytes], *, logs: Path | None = None) -> None:
    """Do as the *lines* say until there are no more."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # meant for the daemon; we leave when it has left
    os.nice(MODEST)
    if logs is not None:
        log_to(logs)
    decode = msgspec.json.Decoder(WorkerMessage).decode
    keepers: dict[str, LogMaintenance] = {}
    try:
        for line in lines:
            _hear(decode(line), keepers)
    finally:
        for maintenance in keepers.values():
            maintenance.stop()


def maintenance(folder: Path, config: WorkerConfig) -> LogMaintenance:
    """Return what maintains *folder* as *config* says."""
    trail = config.trail(folder)
    return LogMaintenance(folder, config.log, trail=lambda: trail)


def _hear(word: WorkerMessage, keepers: dict[str, LogMaintenance]) -> None:
    folder = word.folder
    if (word.over or word.config) and folder in keepers:
        keepers.pop(folder).stop()
    if word.config:
        keepers[folder] = maintenance(Path(folder), word.config)
        keepers[folder].start()
    if folder in keepers:
        keepers[folder].wake()


def log_to(path: Path) -> None:
    """Write to the daemon's own log, which it may put aside at any time."""
    with contextlib.suppress(OSError):
        handler = PrivateWatchedFileHandler(path)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        root = logging.getLogger("snaphook")
        root.addHandler(handler)
        root.setLevel(logging.INFO)
