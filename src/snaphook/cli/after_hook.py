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

from snaphook.errors import SnaphookError

if TYPE_CHECKING:
    from snaphook.config import Environment, Settings
    from snaphook.engine import Outcome
    from snaphook.hosts import Reply
    from snaphook.hosts.refusal import Refusal
    from snaphook.stores.eventlog.settings import LogSettings


class OutcomeCollector:
    """An engine's observer that remembers what came of a call until it is kept."""

    def __init__(self) -> None:
        self._noted: list[Outcome | Refusal] = []
        self._settings: LogSettings | None = None
        self._data_dir = Path()

    def follow(self, settings: "Settings", around: "Environment") -> None:
        """Keep the record where *settings* say."""
        from snaphook.wiring.assembly import log_settings

        self._settings, self._data_dir = log_settings(settings), around.data_dir

    def __call__(self, outcome: "Outcome") -> None:
        """Remember *outcome*."""
        self._noted.append(outcome)

    def refuse(self, refusal: "Refusal") -> "Reply":
        """Remember a message that became no event; return what its host hears."""
        self._noted.append(refusal)
        return refusal.reply

    def keep_stops(self) -> None:
        """Have on disk what stops something; a record that cannot be written changes no decision."""
        if any(map(_stops, self._noted)):
            self.keep()

    def keep(self) -> None:
        """Write down everything noted so far."""
        noted, self._noted = self._noted, []
        if not noted:
            return
        try:
            from snaphook.engine import Outcome
            from snaphook.wiring.recording import is_probed, keep

            settings = self._settings or self._found()
            for each in noted if settings.enabled else ():
                if isinstance(each, Outcome) and is_probed(each):
                    continue
                keep(each, settings, self._data_dir)
        except Exception as problem:  # noqa: BLE001 - whatever happens to the record, the decision stands
            from snaphook.printable import complaint

            print(complaint(f"snaphook: nothing was recorded: {problem}"), file=sys.stderr)

    def keep_refused_calls(self) -> None:
        """Write down what the native client had to answer by itself, before this call."""
        from snaphook.config import Environment
        from snaphook.wiring.refused_calls import laid_down, record_all

        def keep(refusal: "Refusal") -> None:
            self.refuse(refusal)
            self.keep()

        data_dir = Environment.here().shared_dir
        if laid_down(data_dir):
            record_all(data_dir, keep)

    def _found(self) -> "LogSettings":
        """Return what the settings here say of the record, or what we do where they cannot be read."""
        from snaphook.config import Environment
        from snaphook.stores.eventlog import LogSettings
        from snaphook.wiring.assembly import NATIVE, log_settings, read_settings

        around = Environment.here()
        self._data_dir = around.data_dir
        try:
            return log_settings(read_settings(around, dialects=NATIVE))
        except SnaphookError:
            return LogSettings()


def _stops(noted: "Outcome | Refusal") -> bool:
    if hasattr(noted, "stops"):
        return bool(noted.stops)
    return getattr(noted.output, "decision", None) in ("deny", "block")


def leave(notebook: OutcomeCollector) -> None:
    """Record the rest and start a daemon, behind the back of a host that already has its answer."""

    def rest() -> None:
        notebook.keep()
        notebook.keep_refused_calls()
        start_daemon()

    _behind(rest)


def start_daemon() -> None:
    """Start a daemon for the next call, unless one listens or none is wanted."""
    if os.environ.get("SNAPHOOK_NO_DAEMON"):
        return
    from snaphook.daemon.control import ask_status
    from snaphook.daemon.run import holder, replace, spawn
    from snaphook.daemon.socket_path import forget_that_it_hangs, hangs, socket_name

    env = {name: value for name, value in os.environ.items() if name != "SNAPHOOK_DIRECT"}
    hung, suspect = hangs(socket_name(env)), holder(env)
    if ask_status(env) is not None:
        forget_that_it_hangs(socket_name(env))
    elif hung:
        replace(env, suspect)
    else:
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
