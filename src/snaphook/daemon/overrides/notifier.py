"""A blocked call sent to the person's phone, with a code that lets this one call through.

RecentCall  ->  a notice over every channel that carries "denied"

The code never touches the disk: it goes from our memory to the channel, past the outbox. Channels that
end on this machine do not carry it, since an agent can watch them.
"""

import asyncio
import logging
from collections.abc import Callable
from os.path import basename
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from snaphook.config import Environment
from snaphook.errors import SnaphookError
from snaphook.stores.overrides.codes import CODE_SECONDS
from snaphook.stores.overrides.recent import RecentCall

if TYPE_CHECKING:
    from snaphook.notify.notice import Notice

log = logging.getLogger("snaphook.daemon")

EVENT = "denied"
_FAILURES = (SnaphookError, OSError, RuntimeError, TimeoutError)
LOOK_AGAIN = 60.0
"""Seconds for which a project's channels are taken to be as they were."""


class Notifier:
    """Sends blocked calls to people, in threads of its own."""

    def __init__(self, make_code: Callable[[int], str]) -> None:
        self._make_code = make_code
        self._silent: dict[str, float] = {}

    def __call__(self, recent: RecentCall, around: Environment) -> None:
        """Send *recent* where the settings want it; never wait for it."""
        if self._silent.get(recent.call.project, 0.0) > monotonic():
            return
        loop = asyncio.get_running_loop()

        async def made() -> str:
            return self._make_code(recent.number)

        def ask_for_code() -> str:
            return asyncio.run_coroutine_threadsafe(made(), loop).result(10)

        Thread(target=self._send, args=(recent, around, ask_for_code), daemon=True).start()

    def _send(self, kept: RecentCall, around: Environment, make_code: Callable[[], str]) -> None:
        from snaphook.notify.deliver import channels, send_now, settings_in
        from snaphook.notify.settings import CommandChannel, Desktop
        from snaphook.stores.outbox.job import GiveUp, RetryLater

        try:
            settings = settings_in(around)
            carrying = {
                name: channel
                for name, channel in channels(settings, around.env).items()
                if EVENT in (channel.events or settings.events)
                and not isinstance(channel, Desktop | CommandChannel)
            }
            if not carrying:
                self._silent[kept.call.project] = monotonic() + LOOK_AGAIN
                return
            notice = _notice(kept, make_code())
        except _FAILURES as problem:
            log.warning("a blocked call could not be sent: %s", problem)
            return
        for name, channel in carrying.items():
            try:
                send_now(channel, notice, around, delivery=f"blocked-{kept.number}:{name}")
            except (*_FAILURES, GiveUp, RetryLater) as problem:
                log.warning("a blocked call could not be sent over '%s': %s", name, problem)


def _notice(kept: RecentCall, code: str) -> "Notice":
    from snaphook.notify.notice import Notice

    call = kept.call
    return Notice(
        event=EVENT,
        title=f"Blocked in {basename(call.project) or call.project}",  # noqa: PTH119 - a name
        text=f"{call.command}\n\n{call.reason}",
        facts={"": {"Code": code, "Valid": f"{CODE_SECONDS / 60:.0f} minutes, once"}},
        links=(f"snaphook allow {kept.number} --once --code {code}",),
        made=kept.time,
    )


def channels_since(around: Environment) -> float:
    """Return when the settings that say where codes are sent last changed; the time of day.

    An agent can edit them and have the codes sent to itself, so a code counts only for agents that
    were started later. The change time is the kernel's: neither ``touch`` nor putting the old file
    back turns it back.
    """
    from snaphook.notify.deliver import settings_in

    files = [around.config_dir, around.config_dir / "snaphook.toml"]
    for channel in settings_in(around).channels.values():
        named = (getattr(channel, name, "") for name in ("token_file", "url_file", "secret_file"))
        files += [Path(one).expanduser() for one in named if one]
    return max((_changed(one) for one in files), default=0.0)


def _changed(path: Path) -> float:
    try:
        return max(path.stat().st_ctime, path.lstat().st_ctime)
    except OSError:
        return 0.0
