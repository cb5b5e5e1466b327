"""Whom to tell what, and over which channel.

[notify] of snaphook.toml  ->  NotifySettings

A token never stands in a settings file: it comes from a variable of the environment, or from a file
that only its owner can read.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

EVENTS = ("stop", "notification", "subagent", "alert", "denied", "manual")
"""What a notice may be about."""
Seconds: TypeAlias = Annotated[float, Meta(ge=0)]


class Channel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What every channel has."""

    events: tuple[str, ...] = ()
    """Events it sends. Default: ``events`` of ``[notify]``."""
    template: str = ""
    """The text, with ``$agent``, ``$project``, ``$task``, ``$duration`` … in it; else all of it."""
    per_minute: Annotated[int, Meta(ge=1)] = 20
    """Maximum number of messages per minute; more are delayed."""
    timeout: Annotated[float, Meta(gt=0)] = 10.0


class Telegram(Channel, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="telegram"):
    """A bot's message to a chat."""

    chat_id: str | int = ""
    chat_id_env: str = "RALF_TELEGRAM_CHAT_ID"
    """Environment variable with the chat id."""
    token_env: str = "RALF_TELEGRAM_BOT_TOKEN"  # noqa: S105 - a name
    token_file: str = ""
    base_url: str = "https://api.telegram.org"


class Webhook(Channel, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="webhook"):
    """A JSON document for any program that listens."""

    url: str = ""
    url_env: str = ""
    url_file: str = ""
    secret_env: str = ""
    """Signs the document (HMAC-SHA256), where it names a variable that is set."""
    secret_file: str = ""


class Slack(Channel, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="slack"):
    """An incoming webhook of Slack, Mattermost, Rocket.Chat or their like."""

    url_env: str = "SLACK_WEBHOOK_URL"
    url_file: str = ""


class Email(Channel, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="email"):
    """A mail, handed to an SMTP server."""

    host: str
    port: int = 587
    security: str = "starttls"
    """"starttls", "tls" or "none"."""
    user: str = ""
    password_env: str = ""
    password_file: str = ""
    sender: str
    to: Annotated[tuple[str, ...], Meta(min_length=1)]


class Desktop(Channel, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="desktop"):
    """A bubble on the screen: ``notify-send``, or ``osascript`` on macOS."""


class CommandChannel(Channel, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="command"):
    """A command line that gets the notice as JSON on stdin."""

    command: str


AnyChannel = Telegram | Webhook | Slack | Email | Desktop | CommandChannel
SECURITY = ("starttls", "tls", "none")


class NotifySettings(Struct, frozen=True, kw_only=True):
    """Whom to tell what."""

    enabled: bool = True
    events: tuple[str, ...] = ("stop", "notification", "alert", "manual")
    """Default events for channels without ``events``."""
    min_seconds: Seconds = 300.0
    """Do not notify about work shorter than this (seconds)."""
    channels: Mapping[str, AnyChannel] = {}
    """``[notify.channels.NAME]`` with a ``type``."""

    @staticmethod
    def find_errors(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: secrets in the file, events nobody sends."""
        yield from _unknown(table.get("events"), ("events",))
        channels = table.get("channels")
        for name, channel in channels.items() if isinstance(channels, dict) else ():
            if isinstance(channel, dict):
                at = ("channels", str(name))
                yield from _unknown(channel.get("events"), (*at, "events"))
                yield from _told_too_much(channel, at)
                yield from _cannot_work(channel, at)


def _unknown(events: object, at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    for event in events if isinstance(events, list) else ():
        if event not in EVENTS:
            yield at, f"unknown event '{event}'", f"There are: {', '.join(EVENTS)}."


def _told_too_much(
    channel: Mapping[str, object], at: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    for key in ("token", "password", "secret"):
        if key in channel:
            fix = f"Put it into a file that only you can read, and write {key}_file = … here."
            yield (*at, key), "secrets are not allowed in settings files", fix
    url = str(channel.get("url", ""))
    if "hooks.slack.com/" in url or "@" in url.partition("://")[2].partition("/")[0]:
        fix = "Write url_env = … or url_file = … instead."
        yield (*at, "url"), "anyone who knows this URL can post to it", fix


def _cannot_work(
    channel: Mapping[str, object], at: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    if channel.get("security", "starttls") not in SECURITY:
        yield (*at, "security"), "is not a supported transport", f"Write {', '.join(SECURITY)}."
    if channel.get("type") == "webhook" and not channel.keys() & {"url", "url_env", "url_file"}:
        yield at, "no address", "Add url, url_env or url_file."
