"""A stop told on the person's phone, with a code that lets this one call through.

Stop  ->  a notice over every channel that carries "denied"

The code never touches the disk: it goes from our memory to the channel, past the outbox. Channels that
end on this machine do not carry it, since an agent can watch them.
"""

import asyncio
import logging
from collections.abc import Callable
from os.path import basename
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from snaphook.config import Surroundings
from snaphook.errors import SnaphookError

from .secrets import CODE_SECONDS
from .stops import Kept

if TYPE_CHECKING:
    from snaphook.notify.notice import Notice

log = logging.getLogger("snaphook.daemon")

EVENT = "denied"
_FAILURES = (SnaphookError, OSError, RuntimeError, TimeoutError)
LOOK_AGAIN = 60.0
"""Seconds for which a project's channels are taken to be as they were."""


class Teller:
    """Tells people of stops, in threads of its own."""

    def __init__(self) -> None:
        self._silent: dict[str, float] = {}

    def tell(self, kept: Kept, around: Surroundings, make_code: Callable[[], str]) -> None:
        """Tell of *kept* where the settings want it; never wait for it."""
        if self._silent.get(kept.stop.project, 0.0) > monotonic():
            return
        loop = asyncio.get_running_loop()

        def ask_for_code() -> str:
            return asyncio.run_coroutine_threadsafe(_made(make_code), loop).result(10)

        Thread(target=self._tell, args=(kept, around, ask_for_code), daemon=True).start()

    def _tell(self, kept: Kept, around: Surroundings, make_code: Callable[[], str]) -> None:
        from snaphook.notify.deliver import channels, send_now, settings_in
        from snaphook.notify.settings import Desktop, Program
        from snaphook.stores.outbox.job import GiveUp, Later

        try:
            settings = settings_in(around)
            carrying = {
                name: channel
                for name, channel in channels(settings, around.env).items()
                if EVENT in (channel.events or settings.events)
                and not isinstance(channel, Desktop | Program)
            }
            if not carrying:
                self._silent[kept.stop.project] = monotonic() + LOOK_AGAIN
                return
            notice = _notice(kept, make_code())
        except _FAILURES as problem:
            log.warning("a stop could not be told: %s", problem)
            return
        for name, channel in carrying.items():
            try:
                send_now(channel, notice, around, delivery=f"stop-{kept.number}:{name}")
            except (*_FAILURES, GiveUp, Later) as problem:
                log.warning("a stop could not be told over '%s': %s", name, problem)


async def _made(make_code: Callable[[], str]) -> str:
    return make_code()


def _notice(kept: Kept, code: str) -> "Notice":
    from snaphook.notify.notice import Notice

    stop = kept.stop
    return Notice(
        event=EVENT,
        title=f"Stopped in {basename(stop.project) or stop.project}",  # noqa: PTH119 - a name
        text=f"{stop.command}\n\n{stop.reason}",
        facts={"": {"Code": code, "Valid": f"{CODE_SECONDS / 60:.0f} minutes, once"}},
        links=(f"snaphook allow {kept.number} --once --code {code}",),
        made=kept.time,
    )
