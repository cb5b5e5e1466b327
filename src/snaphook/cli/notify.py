"""``snaphook notify``: whom we tell what, and whether it arrives.

[notify]  ->  a line for each channel        test, send  ->  a notice on its way
"""

import time

import click
import msgspec

from snaphook.config import Environment
from snaphook.errors import UsageError
from snaphook.notify.deliver import (
    DELIVERED,
    announce,
    breaker_of,
    channels,
    send_now,
    settings_in,
    wanting,
)
from snaphook.notify.notice import Notice
from snaphook.notify.settings import AnyChannel
from snaphook.stores.outbox.job import GiveUp, RetryLater
from snaphook.stores.outbox.outbox import Outbox, new_id

from .here import environment
from .output import say, say_json, say_lines
from .table import EXIT_PROBLEM

NONE = (
    "No channels. Add one to snaphook.toml, such as:\n\n"
    '  [notify.channels.phone]\n  type = "telegram"\n  chat_id = "12345"\n'
    '  token_file = "~/.config/snaphook/telegram.token"'
)


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List and test notification channels; send a message."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(listing)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print each as a line of JSON.")
def listing(as_json: bool = False) -> None:
    """List the channels, the events they send, and their status."""
    around = environment()
    settings = settings_in(around)
    known = channels(settings, around.env)
    if not known and not as_json:
        say_lines(NONE)
    for name, channel in known.items():
        kind, state = _kind(channel), breaker_of(name, around).state()
        events = channel.events or settings.events
        if as_json:
            row = {"name": name, "type": kind, "events": events, "breaker": state}
            say_json(row)
        else:
            rest = "" if state == "closed" else "  paused for a while after repeated failures"
            say(f"{name:<14} {kind:<9} {', '.join(events)}{rest}")


@command.command()
@click.argument("channel", required=False)
def test(channel: str | None) -> int:
    """Send a test message to CHANNEL, or to all channels, and show the result."""
    around = environment()
    known = channels(settings_in(around), around.env)
    if channel is not None:
        known = {channel: _named(channel, known)}
    if not known:
        say_lines(NONE)
        return EXIT_PROBLEM
    results = [_tried(name, each, around) for name, each in known.items()]
    return 0 if all(results) else EXIT_PROBLEM


@command.command()
@click.argument("text")
@click.option("--title", default="Snaphook", show_default=True, help="Title of the message.")
@click.option(
    "--channel", default="", help="Use only this channel, whatever events it is set up for."
)
def send(text: str, title: str, channel: str) -> int:
    """Send TEXT in the background; 'snaphook outbox list' shows its state."""
    around = environment()
    outbox = Outbox.of(around, patience=5.0)
    settings = settings_in(around)
    notice = Notice(title=title, text=text, made=time.time())
    if channel:
        _named(channel, channels(settings, around.env))
        payload = {"channel": channel, "notice": msgspec.to_builtins(notice)}
        say(f"Queued as {outbox.put(DELIVERED, payload)}.")
    elif told := wanting(settings, notice, around.env):
        say(f"Queued for {', '.join(told)} as {announce(outbox, notice)}.")
    else:
        say_lines(
            NONE
            if not channels(settings, around.env)
            else "No channel is set up for 'manual' messages."
        )
        return EXIT_PROBLEM
    return 0


def _tried(name: str, channel: AnyChannel, around: Environment) -> bool:
    notice = Notice(
        title="Snaphook: a test",
        text="If you can read this, the channel works.",
        facts={"": {"Channel": name, "Project": str(around.cwd)}},
        made=time.time(),
    )
    try:
        send_now(channel, notice, around, delivery=new_id(time.time()))
    except (GiveUp, RetryLater, OSError) as problem:
        say(f"{name}: {problem}", style="red", err=True)
        return False
    say(f"{name}: sent.", style="green")
    return True


def _named(name: str, known: dict[str, AnyChannel]) -> AnyChannel:
    if name not in known:
        there = ", ".join(known) or "none"
        raise UsageError(where=name, what="no such channel", fix=f"There are: {there}.")
    return known[name]


def _kind(channel: AnyChannel) -> str:
    return str(type(channel).__struct_config__.tag)
