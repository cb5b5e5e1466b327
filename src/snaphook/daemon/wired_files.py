"""The hosts' settings that call us, watched for as long as the daemon lives.

ledger of 'init' + disk  ->  hooks that are gone  ->  put back, and reported

A person who wants them gone runs 'snaphook uninstall', which the ledger knows of. What disappears in
any other way while an agent works is put back; else it is reported and left alone: a person may have
edited the file.
"""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from time import monotonic, time

import msgspec
from msgspec import Struct

from snaphook.config import Environment
from snaphook.config.write import write_settings
from snaphook.errors import SnaphookError
from snaphook.hosts.install.drift import missing, repaired
from snaphook.hosts.install.ledger import InstalledFile
from snaphook.scrub import Scrubber
from snaphook.stores.eventlog import Record
from snaphook.wiring.recording import new_id

log = logging.getLogger("snaphook.daemon")

EVENT = "HooksRemoved"
ALERT = "alert"
AT_WORK = 600.0
"""Seconds after an agent's last call in which it counts as at work."""
LARGEST = 4 << 20
_Stamp = tuple[int, int, int] | None


class RemovedHooks(Struct, frozen=True, kw_only=True):
    """One settings file that no longer calls us as it did."""

    path: str
    what: tuple[str, ...]
    restored: bool

    @property
    def text(self) -> str:
        """Say what happened and what to do."""
        done = (
            "The hooks were put back." if self.restored else "Run 'snaphook init' to put them back."
        )
        what = "; ".join(self.what)
        return f"{self.path}: {what}. {done} To remove the hooks, run 'snaphook uninstall'."


class WiredFiles:
    """Looks at each file of the ledger when it has changed."""

    def __init__(
        self,
        around: Environment,
        report: Callable[[RemovedHooks], None],
        *,
        last_call: Callable[[], float],
        restores: bool = True,
    ) -> None:
        self._folder = around.shared_dir / "installed"
        self._report = report
        self._last_call = last_call
        self._restores = restores
        self._stamps: dict[str, _Stamp] = {}
        self._intact: set[str] = set()
        self._reported: dict[str, tuple[str, ...]] = {}

    def look(self) -> None:
        """Look at what has changed since the last time; never raise."""
        try:
            for file in sorted(self._folder.glob("*.json")):
                self._look_at(msgspec.json.decode(file.read_bytes(), type=InstalledFile))
        except (OSError, ValueError) as problem:
            log.warning("the hosts' settings could not be looked at: %s", problem)

    def _look_at(self, entry: InstalledFile) -> None:
        stamp = _stamp(entry.path)
        if entry.path in self._stamps and self._stamps[entry.path] == stamp:
            return
        self._stamps[entry.path] = stamp
        if stamp is None and not Path(entry.path).parent.parent.exists():
            return  # the whole project is gone, or another branch is checked out
        what = tuple(missing(entry.after, _text(entry.path)))
        if not what:
            self._intact.add(entry.path)
            self._reported.pop(entry.path, None)
            return
        restored = self._may_restore(entry) and self._restore(entry)
        if restored or self._reported.get(entry.path) != what:
            self._reported[entry.path] = what
            self._report(RemovedHooks(path=entry.path, what=what, restored=restored))

    def _may_restore(self, entry: InstalledFile) -> bool:
        """Say whether hooks that we saw in place have gone while an agent was at work."""
        at_work = monotonic() - self._last_call() < AT_WORK
        return self._restores and at_work and entry.path in self._intact

    def _restore(self, entry: InstalledFile) -> bool:
        text = repaired(entry.after, _text(entry.path))
        if text is None:
            return False
        try:
            Path(entry.path).parent.mkdir(parents=True, exist_ok=True)
            write_settings(Path(entry.path), text)
        except (OSError, SnaphookError) as problem:
            log.error("%s: the hooks could not be put back: %s", entry.path, problem)  # noqa: TRY400
            return False
        self._stamps[entry.path] = _stamp(entry.path)
        return not missing(entry.after, _text(entry.path))


def _stamp(path: str) -> _Stamp:
    """Return what changes whenever a file is written or replaced; nothing where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - asked of every file, every few seconds
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _text(path: str) -> str | None:
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    return data[:LARGEST].decode(errors="replace")


def removal(removed: RemovedHooks, scrubber: Scrubber) -> Record:
    """Return the record that hooks disappeared."""
    return Record(
        id=new_id(),
        time=time(),
        event=EVENT,
        session="",
        input={"path": removed.path, "restored": removed.restored},
        reason=scrubber.text(removed.text),
        by="snaphook",
    )


def tell_person(removed: RemovedHooks, around: Environment) -> None:
    """Show *removed* on the person's screen and send it over the channels that carry alerts."""
    Thread(target=_send, args=(removed, around), daemon=True).start()


def _send(removed: RemovedHooks, around: Environment) -> None:
    from snaphook.notify.deliver import channels, send_now, settings_in
    from snaphook.notify.notice import Notice
    from snaphook.notify.settings import Desktop
    from snaphook.stores.outbox.job import GiveUp, RetryLater

    notice = Notice(event=ALERT, title="Snaphook: hooks removed", text=removed.text)
    try:
        settings = settings_in(around)
        found = {
            name: channel
            for name, channel in channels(settings, around.env).items()
            if ALERT in (channel.events or settings.events)
        }
    except (SnaphookError, OSError, ValueError) as problem:
        log.warning("the notification channels could not be read: %s", problem)
        found = {}
    for name, channel in (found or {"desktop": Desktop()}).items():
        try:
            send_now(channel, notice, around, delivery=f"hooks-removed:{name}")
        except (SnaphookError, OSError, RuntimeError, GiveUp, RetryLater) as problem:
            log.warning("removed hooks could not be reported over '%s': %s", name, problem)
