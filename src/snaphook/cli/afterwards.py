"""What is left to do around a call that was answered without the daemon.

outcome  ->  the record        and a daemon  ->  for the next call

What stops something is on disk before its host hears of it. The rest is done by a child that
nobody waits for: the answer is already out.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snaphook.config import Settings, Surroundings
    from snaphook.engine import Outcome
    from snaphook.stores.eventlog.settings import LogSettings


class Notebook:
    """An engine's observer that remembers what came of a call until it is kept."""

    def __init__(self) -> None:
        self._noted: list[Outcome] = []
        self._settings: LogSettings | None = None
        self._data_dir = Path()

    def follow(self, settings: "Settings", around: "Surroundings") -> None:
        """Keep the record where *settings* say."""
        from snaphook.wiring import log_settings

        self._settings, self._data_dir = log_settings(settings), around.data_dir

    def __call__(self, outcome: "Outcome") -> None:
        """Remember *outcome*."""
        self._noted.append(outcome)

    def keep_stops(self) -> None:
        """Have on disk what stops something; a record that cannot be written changes no decision."""
        if any(getattr(each.output, "decision", None) in ("deny", "block") for each in self._noted):
            self.keep()

    def keep(self) -> None:
        """Write down everything noted so far."""
        noted, self._noted = self._noted, []
        if not noted or self._settings is None or not self._settings.enabled:
            return
        try:
            from snaphook.recording import keep

            for outcome in noted:
                keep(outcome, self._settings, self._data_dir)
        except Exception as problem:  # noqa: BLE001 - whatever happens to the record, the decision stands
            print(f"snaphook: nothing was recorded: {problem}", file=sys.stderr)


def leave(notebook: Notebook) -> None:
    """Record the rest and start a daemon, behind the back of a host that already has its answer."""

    def rest() -> None:
        notebook.keep()
        start_daemon()

    _behind(rest)


def start_daemon() -> None:
    """Start a daemon for the next call, unless one listens or none is wanted."""
    if os.environ.get("SNAPHOOK_NO_DAEMON"):
        return
    from snaphook.daemon.control import ask_status
    from snaphook.daemon.resident import spawn

    env = {name: value for name, value in os.environ.items() if name != "SNAPHOOK_DIRECT"}
    if ask_status(env) is None:
        spawn(env)


def _behind(do: Callable[[], None]) -> None:
    """Run *do* in a child that holds none of our streams and outlives us."""
    if not hasattr(os, "fork"):
        do()
        return
    if os.fork():
        return
    try:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        do()
    finally:
        os._exit(0)
