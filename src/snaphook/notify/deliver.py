"""From a notice in the outbox to the people it is for.

announce  ->  notify (which channels?)  ->  deliver (one channel)  ->  sent, later, dead letter

One job for each channel: a channel that is down keeps no other waiting, and a notice that one has
had is not sent there again.
"""

from collections.abc import Mapping
from time import time
from typing import Any

import msgspec

from snaphook.config import Dialect, Environment, load
from snaphook.scrub import Scrubber, load_salt
from snaphook.stores.breaker import Breaker
from snaphook.stores.outbox.job import GiveUp, Job, RetryLater
from snaphook.stores.outbox.outbox import Outbox

from .channels.table import sender
from .notice import Notice
from .rate import wait_for_turn
from .settings import AnyChannel, NotifySettings, Telegram

FANNED, DELIVERED = "notify", "deliver"
"""The kinds of our jobs."""
COOLDOWN = 120.0


def announce(outbox: Outbox, notice: Notice, *, key: str = "") -> str:
    """Have *notice* told over every channel that wants it; return the job's id at once."""
    return outbox.put(FANNED, msgspec.to_builtins(notice), key=key)


def fan_out(job: Job, around: Environment) -> None:
    """Put a job for each channel that carries the notice of *job*."""
    settings = settings_in(around)
    notice = msgspec.convert(job.payload, Notice)
    outbox = Outbox(around.data_dir, cwd=around.cwd, patience=10.0)
    for name in wanting(settings, notice, around.env):
        payload = {"channel": name, "notice": job.payload}
        outbox.put(DELIVERED, payload, key=f"{job.id}:{name}")
    outbox.close()


def deliver(job: Job, around: Environment) -> None:
    """Send the notice of *job* over its channel."""
    name = str(job.payload["channel"])
    channel = channels(settings_in(around), around.env).get(name)
    if channel is None:
        raise GiveUp(f"there is no channel '{name}' any more.")
    notice = msgspec.convert(job.payload["notice"], Notice)
    breaker = breaker_of(name, around)
    if not breaker.allow():
        raise RetryLater(COOLDOWN / 2, f"'{name}' failed repeatedly and is paused for a while")
    wait = wait_for_turn(
        around.data_dir / "notify.sqlite", name, per_minute=channel.per_minute, now=time()
    )
    if wait:
        raise RetryLater(
            wait, f"'{name}' reached its limit of {channel.per_minute} messages per minute"
        )
    try:
        send_now(channel, notice, around, delivery=job.id)
    except (GiveUp, RetryLater):
        raise
    except Exception:
        breaker.failure()
        raise
    breaker.success()


def send_now(channel: AnyChannel, notice: Notice, around: Environment, *, delivery: str) -> None:
    """Send *notice*, scrubbed, over *channel*; whatever fails tells no secret either."""
    scrubber = Scrubber(salt=load_salt(around.data_dir / "salt"))
    clean = msgspec.convert(scrubber.scrub(msgspec.to_builtins(notice)), Notice)
    try:
        sender(channel)(channel, clean, around, delivery)
    except RetryLater as put_off:
        raise RetryLater(put_off.seconds, scrubber.text(str(put_off))) from None
    except GiveUp as refused:
        raise GiveUp(scrubber.text(str(refused))) from None
    except Exception as failed:  # noqa: BLE001 - libraries have many ways to fail
        words = scrubber.text(f"{type(failed).__name__}: {failed}")
        raise ConnectionError(words) from None


def settings_in(around: Environment) -> NotifySettings:
    """Return what ``[notify]`` says for the project of *around*."""
    settings = load(around, dialects=(Dialect.SNAPHOOK,), sections={"notify": NotifySettings})
    table = settings.sections.get("notify")
    return msgspec.convert(dict(table.values), NotifySettings) if table else NotifySettings()


def channels(settings: NotifySettings, env: Mapping[str, str]) -> dict[str, AnyChannel]:
    """Return the channels there are; a Telegram bot in the environment alone is one too."""
    if not settings.enabled:
        return {}
    bot = Telegram()
    known: dict[str, AnyChannel] = dict(settings.channels)
    named = env.get(bot.token_env) and env.get(bot.chat_id_env)
    if not known and named and env.get("RALF_MONITOR_ENABLED", "true").lower() != "false":
        known["telegram"] = bot
    return known


def wanting(settings: NotifySettings, notice: Notice, env: Mapping[str, str]) -> list[str]:
    """Return the names of the channels that carry *notice*."""
    least = settings.min_seconds
    if notice.event == "stop" and notice.seconds is not None and notice.seconds < least:
        return []
    return [
        name
        for name, channel in channels(settings, env).items()
        if notice.event in (channel.events or settings.events)
    ]


def breaker_of(name: str, around: Environment) -> Breaker:
    """Return what decides whether the channel *name* is worth a try."""
    path = around.data_dir / "breakers.sqlite"
    return Breaker(path, name=f"notify:{name}", threshold=5, cooldown=COOLDOWN)


def alert(job: Job, around: Environment) -> None:
    """Tell that another job became a dead letter."""
    told: Mapping[str, Any] = job.payload
    notice = Notice(
        event="alert",
        title=str(told.get("title") or f"Snaphook: {told['kind']} failed permanently"),
        text=str(told["error"]),
        facts={"": {"Job": str(told["id"]), "Project": job.cwd}} if "kind" in told else {},
        links=(
            f"snaphook dead-letters show {told['id']}" if "kind" in told else "snaphook outbox",
        ),
        made=job.made,
    )
    outbox = Outbox(around.data_dir, cwd=around.cwd, patience=10.0)
    announce(outbox, notice, key=f"notice:{job.key}")
    outbox.close()
